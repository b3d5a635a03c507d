import type { Event, EventPage, ListEventsData } from './generated/types.js'
import type { ListFilter, Paged } from './paged.js'
import { Resource } from './resource.js'
import type { CallOptions } from './transport.js'

/** What happened in the account. */
export class Events extends Resource {
  /** Newest first. */
  list(filter: ListFilter<ListEventsData['query']> = {}, options?: CallOptions): Paged<Event> {
    return this.pagesAt('/api/events', filter, (page: EventPage) => page.events, options)
  }
}
