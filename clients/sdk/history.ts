import type {
  Deleted,
  DeletedMany,
  HistoryEntry,
  HistoryPage,
  ListHistoryData,
  RecordHistoryEntryData,
} from './generated/types.js'
import type { ListFilter, Paged } from './paged.js'
import { type Repeatable, Resource } from './resource.js'
import type { CallOptions } from './transport.js'

const path = '/api/history'

function pathOf(id: string): string {
  return `${path}/${encodeURIComponent(id)}`
}

/** The history of tool use. */
export class History extends Resource {
  /** Records that a tool was used. */
  record(entry: RecordHistoryEntryData['body'], options?: Repeatable): Promise<HistoryEntry> {
    return this.postNew(path, entry, options)
  }

  get(id: string, options?: CallOptions): Promise<HistoryEntry> {
    return this.readAt(pathOf(id), options)
  }

  /** Newest first. */
  list(filter: ListFilter<ListHistoryData['query']> = {}, options?: CallOptions): Paged<HistoryEntry> {
    return this.pagesAt(path, filter, (page: HistoryPage) => page.history, options)
  }

  async delete(id: string, options?: CallOptions): Promise<Deleted> {
    return this.deleteAt(id, pathOf(id), options)
  }

  /** Deletes all entries, or those of one tool. */
  clear(filter: { readonly tool?: string | undefined } = {}, options?: CallOptions): Promise<DeletedMany> {
    return this.read({ method: 'DELETE', path, query: filter }, options)
  }
}
