import { type Api, withQuery } from './api.js'
import type { ListPage } from './cursor-list.js'

/** Query key of all history lists. */
export const historyKey = ['history'] as const

/** One use of a tool. */
export interface HistoryEntry {
  readonly id: string
  readonly tool: string
  readonly action: string | null
  readonly title: string | null
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly created_at: string
}

/** One page of the history, newest first; an empty `tool` means all. */
export async function listHistory(
  api: Api,
  tool: string,
  cursor: string | null,
  signal: AbortSignal,
): Promise<ListPage<HistoryEntry>> {
  const { body } = await api.send<{ history: readonly HistoryEntry[]; next_cursor: string | null }>({
    path: withQuery('/api/history', { tool, limit: 30, cursor }),
    signal,
  })
  return { items: body.history, nextCursor: body.next_cursor }
}

/** Deletes one entry, even while the page unloads. */
export async function deleteHistoryEntry(api: Api, id: string): Promise<void> {
  await api.send({ method: 'DELETE', path: `/api/history/${encodeURIComponent(id)}`, keepalive: true })
}

/**
 * Deletes the history of one tool, or all of it when `tool` is empty. Returns the number of entries deleted.
 */
export async function clearHistory(api: Api, tool: string): Promise<number> {
  const request = { method: 'DELETE', path: withQuery('/api/history', { tool }) } as const
  return (await api.send<{ deleted: number }>(request)).body.deleted
}
