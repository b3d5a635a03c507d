import { jsonBody } from './content.js'
import type { Check, CheckPage, CheckSummary } from './contract-types.js'
import { type Holding, sentOf } from './new-output.js'
import type { Paged } from './paged.js'
import type { RawData, RawOptions } from './raw-data.js'
import { snippetPath } from './references.js'
import { Resource, type Tagged } from './resource.js'
import type { CallOptions } from './transport.js'

/** A candidate for the next version of a snippet. */
export type Candidate = Holding & {
  /** By default that of the snippet. */
  readonly tool?: string | undefined
  readonly title?: string | undefined
  /** Which verdicts make it the next version at once; `same` by default. */
  readonly accept?: 'same' | 'allowed' | 'never' | undefined
  /** The URL of the job that made it. */
  readonly source?: string | undefined
  /** Makes the call safe to repeat for 24 hours; generated for each call by default. */
  readonly idempotencyKey?: string | undefined
}

export interface CheckFilter {
  readonly state?: CheckSummary['state'] | undefined
  readonly limit?: number | undefined
}

function pathOf(id: string): string {
  return `/api/checks/${encodeURIComponent(id)}`
}

/** Candidates for the next versions of your snippets, as their contracts judge them. */
export class Checks extends Resource {
  /**
   * Has a candidate judged. The verdict is in the result: `breaks` is no error.
   * @param snippet an id, or `@` and a name; there need not be a snippet of this name yet.
   */
  create(snippet: string, candidate: Candidate, options?: CallOptions): Promise<Check> {
    const { tool, title, accept, source } = candidate
    const { body, query } = sentOf(candidate, { tool, title }, { tool, title })
    return this.read(
      {
        method: 'POST',
        path: `${snippetPath(snippet)}/checks`,
        headers: { 'Idempotency-Key': candidate.idempotencyKey ?? crypto.randomUUID() },
        query: { ...query, accept, source },
        body,
      },
      options,
    )
  }

  /** The checks of a snippet, newest first, without their breaks. */
  list(snippet: string, filter: CheckFilter = {}, options?: CallOptions): Paged<CheckSummary> {
    const path = `${snippetPath(snippet)}/checks`
    return this.pagesAt(path, { ...filter }, (page: CheckPage) => page.checks, options)
  }

  get(id: string, options?: CallOptions): Promise<Tagged<Check>> {
    return this.readTagged({ method: 'GET', path: pathOf(id) }, options)
  }

  /** The bytes of the candidate, or of a part of it. */
  raw(id: string, options?: RawOptions): Promise<RawData> {
    return this.readRaw(`${pathOf(id)}/raw`, options)
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
    return this.read({ method: 'POST', path: `${pathOf(id)}/${decision}`, retry: 'never', body }, options)
  }
}
