import { jsonBody } from './content.js'
import type {
  Deleted,
  ListedSnippet,
  ListSnippetsData,
  Revision,
  RevisionPage,
  RevisionSummary,
  SnippetPage,
  SnippetPut,
  SnippetSummary,
  SnippetWritten,
} from './generated/types.js'
import { type Holding, sentOf } from './new-output.js'
import type { ListFilter, Paged } from './paged.js'
import type { RawData, RawOptions } from './raw-data.js'
import { snippetPath, titleFor } from './references.js'
import { Resource, type Tagged } from './resource.js'
import type { CallOptions } from './transport.js'

/** Metadata of a snippet. */
export interface SnippetFields {
  readonly tool: string
  /** By default the tool and the date; required with `data`. */
  readonly title?: string | undefined
  readonly tags?: readonly string[] | undefined
}

export type NewSnippet = SnippetFields &
  Holding & {
    /** Unique among your snippets; `@name` can then replace the id. */
    readonly name?: string | undefined
    /** Makes the call safe to repeat for 24 hours; generated for each call by default. */
    readonly idempotencyKey?: string | undefined
  }

export interface SnippetChange extends Partial<SnippetFields> {
  /** `null` removes it. */
  readonly name?: string | null | undefined
  readonly data?: Readonly<Record<string, unknown>> | undefined
  /** An ETag that must be current. */
  readonly ifMatch?: string | undefined
}

/** Conditions of a put. */
export interface PutConditions {
  /** An ETag that must be current. */
  readonly ifMatch?: string | undefined
  /** Fails if the snippet exists. */
  readonly ifNoneMatch?: '*' | undefined
}

export type SnippetFilter = ListFilter<ListSnippetsData['query']>

/** Your snippets. Every `id` may also be `@` and a name. */
export class Snippets extends Resource {
  /** Saves a snippet. */
  async create(snippet: NewSnippet, options?: CallOptions): Promise<SnippetWritten> {
    const { tool, title, tags, name } = snippet
    const sent = sentOf(
      snippet,
      { tool, title: title ?? titleFor(tool), tags, name },
      { tool, title, tag: tags, name },
    )
    const headers = { 'Idempotency-Key': snippet.idempotencyKey ?? crypto.randomUUID() }
    return this.read({ method: 'POST', path: '/api/snippets', headers, ...sent }, options)
  }

  /**
   * Creates the snippet with this name, or replaces all of it. With an id it only replaces.
   * @param reference `@` and a name, or an id.
   */
  async put(
    reference: string,
    snippet: SnippetFields & Holding & PutConditions,
    options?: CallOptions,
  ): Promise<SnippetPut & { readonly created: boolean }> {
    const { tool, title, tags } = snippet
    const sent = sentOf(snippet, { tool, title: title ?? titleFor(tool), tags }, { tool, title, tag: tags })
    const headers = { 'If-Match': snippet.ifMatch, 'If-None-Match': snippet.ifNoneMatch }
    const isConditional = snippet.ifMatch !== undefined || snippet.ifNoneMatch !== undefined
    const retry = isConditional ? 'never' : 'safe'
    const response = await this.send(
      { method: 'PUT', path: snippetPath(reference), headers, retry, ...sent },
      options,
    )
    return { ...((await response.json()) as SnippetPut), created: response.status === 201 }
  }

  /**
   * Gets a snippet with parsed `data`: numbers have JavaScript's precision. Use `raw` for the exact bytes.
   */
  async get(
    id: string,
    options?: CallOptions & { readonly includeData?: boolean },
  ): Promise<Tagged<ListedSnippet>> {
    const query = { include_data: options?.includeData }
    return this.readTagged({ method: 'GET', path: snippetPath(id), query }, options)
  }

  /** The bytes of `data`, of one value in it, of some of its rows, or a range of bytes. */
  async raw(id: string, options?: RawOptions): Promise<RawData> {
    return this.readRaw(`${snippetPath(id)}/raw`, options)
  }

  /** Your snippets, newest first; without their data if `include_data` is `false`. */
  list(filter: SnippetFilter = {}, options?: CallOptions): Paged<ListedSnippet> {
    return this.pagesAt('/api/snippets', filter, (page: SnippetPage) => page.snippets, options)
  }

  /** Changes the given fields. */
  async update(id: string, change: SnippetChange, options?: CallOptions): Promise<Tagged<SnippetSummary>> {
    const { ifMatch, ...fields } = change
    return this.readTagged(
      {
        method: 'PATCH',
        path: snippetPath(id),
        headers: { 'If-Match': ifMatch },
        retry: ifMatch === undefined ? 'safe' : 'never',
        body: jsonBody(JSON.stringify(fields)),
      },
      options,
    )
  }

  /** The versions of a snippet that can be read, newest first. */
  revisions(
    id: string,
    options?: CallOptions & { readonly limit?: number | undefined },
  ): Paged<RevisionSummary> {
    const query = { limit: options?.limit }
    const path = `${snippetPath(id)}/revisions`
    return this.pagesAt(path, query, (page: RevisionPage) => page.revisions, options)
  }

  /** A version of a snippet; `data` is parsed, as `get` does. */
  async revision(
    id: string,
    version: number,
    options?: CallOptions & { readonly includeData?: boolean },
  ): Promise<Revision> {
    const query = { include_data: options?.includeData }
    const path = snippetPath(id, version)
    return this.read({ method: 'GET', path, query }, options)
  }

  /** The bytes of `data` in a version, or of one value in it. */
  async revisionRaw(id: string, version: number, options?: RawOptions): Promise<RawData> {
    return this.readRaw(`${snippetPath(id, version)}/raw`, options)
  }

  /** Makes a new version with the data, tool, title and tags of an earlier one. */
  async restore(
    id: string,
    version: number,
    options?: CallOptions & {
      readonly ifMatch?: string | undefined
      readonly idempotencyKey?: string | undefined
    },
  ): Promise<Tagged<SnippetSummary>> {
    const headers = {
      'If-Match': options?.ifMatch,
      'Idempotency-Key': options?.idempotencyKey ?? crypto.randomUUID(),
    }
    const body = jsonBody(JSON.stringify({ version }))
    return this.readTagged({ method: 'POST', path: `${snippetPath(id)}/restore`, headers, body }, options)
  }

  /** Deletes a snippet with its versions. */
  async delete(id: string, options?: CallOptions & { readonly ifMatch?: string }): Promise<Deleted> {
    return this.deleteAt(id, snippetPath(id), options)
  }
}
