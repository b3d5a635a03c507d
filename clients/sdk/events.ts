import type { Event, EventPage, ListEventsData } from './generated/types.js'
import { readJson } from './json-calls.js'
import { type ListFilter, type Paged, paged } from './paged.js'
import type { CallOptions, Transport } from './transport.js'

/** What happened in the account. */
export class Events {
  readonly #send: Transport

  constructor(send: Transport) {
    this.#send = send
  }

  /** Newest first. */
  list(filter: ListFilter<ListEventsData['query']> = {}, options?: CallOptions): Paged<Event> {
    return paged(async (cursor) => {
      const request = { method: 'GET', path: '/api/events', query: { ...filter, cursor } } as const
      const page = await readJson<EventPage>(this.#send, request, options)
      return { items: page.events, nextCursor: page.next_cursor }
    })
  }
}
