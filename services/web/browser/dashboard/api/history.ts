import { type Api, withQuery } from './api.js'
import type { ListPage } from './cursor-list.js'

/** By what lists of history are kept; to be invalidated when entries go. */
export const historyKey = ['history'] as const

/** Something that someone did with a tool. */
export interface HistoryEntry {
  readonly id: string
  readonly tool: string
  readonly action: string | null
  readonly title: string | null
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly created_at: string
}

/** Part of the history, newest first; of one tool, or of all when it is empty. */
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

/** Deletes one entry, also when the page is being left. */
export async function deleteHistoryEntry(api: Api, id: string): Promise<void> {
  await api.send({ method: 'DELETE', path: `/api/history/${encodeURIComponent(id)}`, keepalive: true })
}

/** Deletes the history, of one tool or of all when it is empty; how many entries that were. */
export async function clearHistory(api: Api, tool: string): Promise<number> {
  const request = { method: 'DELETE', path: withQuery('/api/history', { tool }) } as const
  return (await api.send<{ deleted: number }>(request)).body.deleted
}
