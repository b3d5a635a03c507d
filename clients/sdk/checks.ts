import { jsonBody } from './content.js'
import type { Check, CheckPage, CheckSummary, CreateCheckData, ListChecksData } from './generated/types.js'
import { type Holding, sentOf } from './new-output.js'
import type { ListFilter, Paged } from './paged.js'
import { isCode } from './problem-error.js'
import type { RawData, RawOptions } from './raw-data.js'
import { checkPath, snippetPath } from './references.js'
import { Resource, type Tagged } from './resource.js'
import type { ApiRequest, CallOptions } from './transport.js'

/** A candidate for the next version of a snippet. */
export type Candidate = Holding & {
  /** By default that of the snippet. */
  readonly tool?: string | undefined
  readonly title?: string | undefined
  /**
   * What it is called if there is no snippet of this name yet: it is sent again with these. A bare stream cannot be, so
   * the refusal is thrown; set `tool`, or give `fromFile`.
   */
  readonly ifNew?: { readonly tool: string; readonly title?: string | undefined } | undefined
  /** Which verdicts make it the next version at once; `same` by default. */
  readonly accept?: NonNullable<CreateCheckData['query']>['accept'] | undefined
  /** The URL of the job that made it. */
  readonly source?: string | undefined
  /** Makes the call safe to repeat for 24 hours; generated for each call by default. */
  readonly idempotencyKey?: string | undefined
}

export type CheckFilter = ListFilter<ListChecksData['query']>

/** Without a tool, the server takes no upload for a new name, and misses the member `tool` of JSON. */
function lacksTool(error: unknown): boolean {
  return (
    isCode(error, 'unsupported_media_type') ||
    (isCode(error, 'validation_failed') && error.errors.some(({ pointer }) => pointer === '/tool'))
  )
}

/** Candidates for the next versions of your snippets, as their contracts judge them. */
export class Checks extends Resource {
  /**
   * Has a candidate judged. The verdict is in the result: `breaks` is no error.
   * @param snippet an id, or `@` and a name; there need not be a snippet of this name yet.
   */
  async create(snippet: string, candidate: Candidate, options?: CallOptions): Promise<Check> {
    const { tool, title, accept, source, ifNew } = candidate
    const { body, query } = sentOf(candidate, { tool, title }, { tool, title })
    const request: ApiRequest = {
      method: 'POST',
      path: `${snippetPath(snippet)}/checks`,
      headers: { 'Idempotency-Key': candidate.idempotencyKey ?? crypto.randomUUID() },
      query: { ...query, accept, source },
      body,
    }
    try {
      return await this.read(request, options)
    } catch (error) {
      if (tool !== undefined || ifNew === undefined || !body.isRepeatable) throw error
      if (!lacksTool(error)) throw error
      const { ifNew: _named, ...named } = { ...candidate, ...ifNew, title: title ?? ifNew.title }
      return this.create(snippet, named, options)
    }
  }

  /** The checks of a snippet, newest first, without their breaks. */
  list(snippet: string, filter: CheckFilter = {}, options?: CallOptions): Paged<CheckSummary> {
    const path = `${snippetPath(snippet)}/checks`
    return this.pagesAt(path, filter, (page: CheckPage) => page.checks, options)
  }

  get(id: string, options?: CallOptions): Promise<Tagged<Check>> {
    return this.readTagged({ method: 'GET', path: checkPath(id) }, options)
  }

  /** The bytes of the candidate, or of a part of it. */
  raw(id: string, options?: RawOptions): Promise<RawData> {
    return this.readRaw(`${checkPath(id)}/raw`, options)
  }

  /** Makes a pending candidate the next version; it is never repeated by itself. */
  approve(id: string, note?: string, options?: CallOptions): Promise<Check> {
    return this.#decide(id, 'approve', note, options)
  }

  /** Drops a pending candidate; it is never repeated by itself. */
  reject(id: string, note?: string, options?: CallOptions): Promise<Check> {
    return this.#decide(id, 'reject', note, options)
  }

  #decide(id: string, decision: string, note?: string, options?: CallOptions): Promise<Check> {
    const body = jsonBody(JSON.stringify({ note }))
    return this.read({ method: 'POST', path: `${checkPath(id)}/${decision}`, retry: 'never', body }, options)
  }
}
