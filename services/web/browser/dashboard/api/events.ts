import { type Api, withQuery } from './api.js'
import type { ListPage } from './cursor-list.js'

/** Query key of all event lists. */
export const eventsKey = ['events'] as const

export interface AccountEvent {
  readonly id: string
  readonly type: string
  readonly created_at: string
  readonly principal: { readonly kind: string; readonly id: string | null }
  readonly subject: { readonly kind: string; readonly id: string }
  readonly detail: Readonly<Record<string, string | number | null>>
}

/** One page of events, newest first; `type` is a group of types, or empty for all. */
export async function listEvents(
  api: Api,
  type: string,
  cursor: string | null,
  signal: AbortSignal,
): Promise<ListPage<AccountEvent>> {
  const { body } = await api.send<{ events: readonly AccountEvent[]; next_cursor: string | null }>({
    path: withQuery('/api/events', { type, limit: 30, cursor }),
    signal,
  })
  return { items: body.events, nextCursor: body.next_cursor }
}
