import { jsonBody } from './content.js'
import type { Contract, ContractRules } from './generated/types.js'
import type { RawData } from './raw-data.js'
import { snippetPath } from './references.js'
import { Resource, type Tagged } from './resource.js'
import type { PutConditions } from './snippets.js'
import type { CallOptions } from './transport.js'

function pathOf(snippet: string): string {
  return `${snippetPath(snippet)}/contract`
}

/** The rules by which candidates for your snippets are judged. Every `snippet` is an id, or `@` and a name. */
export class Contracts extends Resource {
  get(snippet: string, options?: CallOptions): Promise<Tagged<Contract>> {
    return this.readTagged({ method: 'GET', path: pathOf(snippet) }, options)
  }

  /** The same as the server wrote it: numbers in a schema keep their digits. */
  raw(snippet: string, options?: CallOptions): Promise<RawData> {
    return this.readRaw(pathOf(snippet), options)
  }

  /**
   * Creates or replaces the contract of a snippet.
   * @param rules an object, or the text of one, which is kept as it is.
   */
  put(
    snippet: string,
    rules: ContractRules | string,
    { ifMatch, ifNoneMatch, ...options }: PutConditions & CallOptions = {},
  ): Promise<Tagged<Contract>> {
    const body = jsonBody(typeof rules === 'string' ? rules : JSON.stringify(rules))
    const headers = { 'If-Match': ifMatch, 'If-None-Match': ifNoneMatch }
    const retry = ifMatch === undefined && ifNoneMatch === undefined ? 'safe' : 'never'
    return this.readTagged({ method: 'PUT', path: pathOf(snippet), headers, retry, body }, options)
  }

  /** Removes the contract of a snippet. */
  async remove(snippet: string, options?: CallOptions & { readonly ifMatch?: string }): Promise<void> {
    const headers = { 'If-Match': options?.ifMatch }
    await this.send({ method: 'DELETE', path: pathOf(snippet), headers }, options)
  }
}
