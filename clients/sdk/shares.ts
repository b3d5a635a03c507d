import { jsonBody } from './content.js'
import type {
  CreatedShare,
  CreateReportData,
  Deleted,
  ListedShare,
  ListSharesData,
  Share,
  SharePage,
} from './generated/types.js'
import { deleteResource, readJson } from './json-calls.js'
import { type Holding, sentOf } from './new-output.js'
import { type Paged, paged } from './paged.js'
import type { RawData } from './raw-data.js'
import { type RawOptions, readRaw } from './read-raw.js'
import type { CallOptions, Transport } from './transport.js'

export type NewShare = Holding & {
  readonly tool: string
  /** By default the tool and the date. */
  readonly title?: string | undefined
  /** Seconds until it expires; by default as long as the plan allows. */
  readonly expiresIn?: number | undefined
  /**
   * Whether to publish what seems to contain a secret: `true` does and records it, `false` fails with `secret_found`; by
   * default the server decides. `warnings` of the result lists what was found.
   */
  readonly allowSecrets?: boolean | undefined
  /** Makes the call safe to repeat for 24 hours; generated for each call by default. */
  readonly idempotencyKey?: string | undefined
}

export type ShareFilter = Omit<NonNullable<ListSharesData['query']>, 'cursor'>

function textOf(value: boolean | undefined): string | undefined {
  return value === undefined ? undefined : String(value)
}

function pathOf(id: string): string {
  return `/api/shares/${encodeURIComponent(id)}`
}

/** Public, immutable copies behind a link. */
export class Shares {
  readonly #send: Transport

  constructor(send: Transport) {
    this.#send = send
  }

  /** Publishes a share; its page is at `share_url`. */
  async create(share: NewShare, options?: CallOptions): Promise<CreatedShare> {
    const { tool, expiresIn: expires_in, allowSecrets: allow_secrets } = share
    const title = share.title ?? `${tool} ${new Date().toISOString().slice(0, 10)}`
    const query = { tool, title: share.title, expires_in, allow_secrets: textOf(allow_secrets) }
    const sent = sentOf(share, { tool, title, expires_in, allow_secrets }, query)
    const headers = { 'Idempotency-Key': share.idempotencyKey ?? crypto.randomUUID() }
    return readJson(this.#send, { method: 'POST', path: '/api/shares', headers, ...sent }, options)
  }

  /**
   * Gets any user's share, with parsed `data`: numbers have JavaScript's precision. Use `raw` for the exact
   * bytes.
   */
  async get(id: string, options?: CallOptions): Promise<Share> {
    return readJson(this.#send, { method: 'GET', path: pathOf(id) }, options)
  }

  /** The bytes of any user's share, of one value in it, of some of its rows, or a range of bytes. */
  async raw(id: string, options?: RawOptions): Promise<RawData> {
    return readRaw(this.#send, `${pathOf(id)}/raw`, options)
  }

  /** Your shares, newest first. */
  list(filter: ShareFilter = {}, options?: CallOptions): Paged<ListedShare> {
    return paged(async (cursor) => {
      const query = { ...filter, cursor }
      const request = { method: 'GET', path: '/api/shares', query } as const
      const page = await readJson<SharePage>(this.#send, request, options)
      return { items: page.shares, nextCursor: page.next_cursor }
    })
  }

  /** Reports any user's share to the operator of the server; needs no credentials. */
  async report(report: CreateReportData['body'], options?: CallOptions): Promise<void> {
    const body = jsonBody(JSON.stringify(report))
    const response = await this.#send({ method: 'POST', path: '/api/reports', body }, options)
    await response.body?.cancel()
  }

  /** Deletes a share immediately. */
  async delete(id: string, options?: CallOptions & { readonly ifMatch?: string }): Promise<Deleted> {
    const headers = { 'If-Match': options?.ifMatch }
    return deleteResource(this.#send, id, { path: pathOf(id), headers }, options)
  }
}
