import { jsonBody } from './content.js'
import type { Deleted } from './generated/types.js'
import { type Paged, paged } from './paged.js'
import { UnexpectedResponseError } from './problem-error.js'
import { RawData, type RawOptions } from './raw-data.js'
import type { ApiRequest, CallOptions, Transport } from './transport.js'

/** Makes the call safe to repeat for 24 hours; generated for each call by default. */
export interface Repeatable extends CallOptions {
  readonly idempotencyKey?: string | undefined
}

/** The fields of a JSON body. */
export type Fields<Body> = { readonly [Name in keyof Body]: Readonly<Body[Name]> }

/** A resource and what its version is called. */
export type Tagged<T> = T & {
  /** The ETag of what was read or written, for `ifMatch`; `null` if there is none. */
  readonly etag: string | null
}

/** A part of the API: the calls that its operations are made of. */
export class Resource {
  readonly #send: Transport

  constructor(send: Transport) {
    this.#send = send
  }

  protected send(request: ApiRequest, options?: CallOptions): Promise<Response> {
    return this.#send(request, options)
  }

  /** The JSON of the response to a request. */
  protected async read<T>(request: ApiRequest, options?: CallOptions): Promise<T> {
    return (await (await this.#send(request, options)).json()) as T
  }

  protected readAt<T>(path: string, options?: CallOptions): Promise<T> {
    return this.read({ method: 'GET', path }, options)
  }

  /** The JSON of the response to a request, with its ETag. */
  protected async readTagged<T>(request: ApiRequest, options?: CallOptions): Promise<Tagged<T>> {
    const response = await this.#send(request, options)
    return { ...((await response.json()) as T), etag: response.headers.get('ETag') }
  }

  /** Reads `data` of what this path names, or a part of it. */
  protected async readRaw(
    path: string,
    options: RawOptions = {},
    more: ApiRequest['headers'] = {},
  ): Promise<RawData> {
    const { pointer, rows, range, ifRange } = options
    const query = { pointer, rows: typeof rows === 'object' ? `${rows.first}-${rows.last}` : rows }
    const headers = {
      Range: range === undefined ? undefined : `bytes=${range.start}-${range.end ?? ''}`,
      'If-Range': ifRange,
      ...more,
    }
    return new RawData(await this.#send({ method: 'GET', path, query, headers }, options))
  }

  /** A list; its pages are at this path. */
  protected pagesAt<Page extends { readonly next_cursor: string | null }, Item>(
    path: string,
    query: ApiRequest['query'],
    itemsOf: (page: Page) => readonly Item[],
    options?: CallOptions,
  ): Paged<Item> {
    return paged(async (cursor) => {
      const page = await this.read<Page>({ method: 'GET', path, query: { ...query, cursor } }, options)
      const items = itemsOf(page)
      if (!Array.isArray(items)) throw new UnexpectedResponseError('The server sent no list.')
      return { items, nextCursor: page.next_cursor }
    })
  }

  /** Posts a new resource, with an idempotency key. */
  protected postNew<T>(path: string, body: unknown, options?: Repeatable): Promise<T> {
    const headers = { 'Idempotency-Key': options?.idempotencyKey ?? crypto.randomUUID() }
    return this.read({ method: 'POST', path, headers, body: jsonBody(JSON.stringify(body)) }, options)
  }

  /** Deletes the resource at a path. A repeated request may find it deleted already. */
  protected async deleteAt(
    id: string,
    path: string,
    options?: CallOptions & { readonly ifMatch?: string },
  ): Promise<Deleted> {
    const headers = { 'If-Match': options?.ifMatch }
    const response = await this.#send({ method: 'DELETE', path, headers }, options)
    return response.ok ? ((await response.json()) as Deleted) : { id, deleted: true }
  }
}
