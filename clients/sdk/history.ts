import type {
  Deleted,
  DeletedMany,
  HistoryEntry,
  HistoryPage,
  ListHistoryData,
  RecordHistoryEntryData,
} from './generated/types.js'
import { deleteResource, postJson, type Repeatable, readJson } from './json-calls.js'
import { type ListFilter, type Paged, paged } from './paged.js'
import type { CallOptions, Transport } from './transport.js'

const path = '/api/history'

function pathOf(id: string): string {
  return `${path}/${encodeURIComponent(id)}`
}

/** The history of tool use. */
export class History {
  readonly #send: Transport

  constructor(send: Transport) {
    this.#send = send
  }

  /** Records that a tool was used. */
  record(entry: RecordHistoryEntryData['body'], options?: Repeatable): Promise<HistoryEntry> {
    return postJson(this.#send, path, entry, options)
  }

  get(id: string, options?: CallOptions): Promise<HistoryEntry> {
    return readJson(this.#send, { method: 'GET', path: pathOf(id) }, options)
  }

  /** Newest first. */
  list(filter: ListFilter<ListHistoryData['query']> = {}, options?: CallOptions): Paged<HistoryEntry> {
    return paged(async (cursor) => {
      const request = { method: 'GET', path, query: { ...filter, cursor } } as const
      const page = await readJson<HistoryPage>(this.#send, request, options)
      return { items: page.history, nextCursor: page.next_cursor }
    })
  }

  async delete(id: string, options?: CallOptions): Promise<Deleted> {
    return deleteResource(this.#send, id, { path: pathOf(id) }, options)
  }

  /** Deletes all entries, or those of one tool. */
  clear(filter: { readonly tool?: string | undefined } = {}, options?: CallOptions): Promise<DeletedMany> {
    return readJson(this.#send, { method: 'DELETE', path, query: filter }, options)
  }
}
