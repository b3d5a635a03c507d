import { type Api, withQuery } from './api.js'
import type { ListPage } from './cursor-list.js'

/** By what lists of events are kept. */
export const eventsKey = ['events'] as const

/** Something that happened in the account. */
export interface AccountEvent {
  readonly id: string
  readonly type: string
  readonly created_at: string
  readonly principal: { readonly kind: string; readonly id: string | null }
  readonly subject: { readonly kind: string; readonly id: string }
  readonly detail: Readonly<Record<string, string | number | null>>
}

/** Part of what happened, newest first; of one group of types, or of all when it is empty. */
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
