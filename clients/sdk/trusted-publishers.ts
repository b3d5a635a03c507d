import { bodyOf, jsonBody } from './content.js'
import type {
  CreateTrustedPublisherData,
  Deleted,
  ExchangedToken,
  TrustedPublisher,
  TrustedPublisherEvents,
  TrustedPublisherList,
  UpdateTrustedPublisherData,
} from './generated/types.js'
import type { CallOptions, Transport } from './transport.js'

const path = '/api/trusted-publishers'
const formType = 'application/x-www-form-urlencoded'

function pathOf(id: string): string {
  return `${path}/${encodeURIComponent(id)}`
}

/** The form of an exchange (RFC 8693). */
export function exchangeForm(trust: string, token: string): string {
  return new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    trusted_publisher: trust,
  }).toString()
}

/** Rules that let CI jobs act for you without a key. All but `exchange` and `revoke` need an ID token. */
export class TrustedPublishers {
  readonly #send: Transport

  constructor(send: Transport) {
    this.#send = send
  }

  /** Creates a rule. */
  async create(
    rule: CreateTrustedPublisherData['body'],
    options?: CallOptions & { readonly idempotencyKey?: string | undefined },
  ): Promise<TrustedPublisher> {
    const headers = { 'Idempotency-Key': options?.idempotencyKey ?? crypto.randomUUID() }
    const request = { method: 'POST', path, headers, body: jsonBody(JSON.stringify(rule)) } as const
    return (await (await this.#send(request, options)).json()) as TrustedPublisher
  }

  /** All rules, and the issuers that rules may name on this server. */
  async list(options?: CallOptions): Promise<TrustedPublisherList> {
    return (await (await this.#send({ method: 'GET', path }, options)).json()) as TrustedPublisherList
  }

  async get(id: string, options?: CallOptions): Promise<TrustedPublisher> {
    const request = { method: 'GET', path: pathOf(id) } as const
    return (await (await this.#send(request, options)).json()) as TrustedPublisher
  }

  /** The latest attempts to get a token, with the reason and the ids that would let a refused one pass. */
  async events(id: string, options?: CallOptions): Promise<TrustedPublisherEvents['events']> {
    const request = { method: 'GET', path: `${pathOf(id)}/events` } as const
    return ((await (await this.#send(request, options)).json()) as TrustedPublisherEvents).events
  }

  /** Changes a rule; changing claims, events or scopes revokes its tokens. */
  async update(
    id: string,
    change: UpdateTrustedPublisherData['body'],
    options?: CallOptions,
  ): Promise<TrustedPublisher> {
    const body = jsonBody(JSON.stringify(change))
    const request = { method: 'PATCH', path: pathOf(id), body } as const
    return (await (await this.#send(request, options)).json()) as TrustedPublisher
  }

  /** Deletes a rule and revokes its tokens. */
  async delete(id: string, options?: CallOptions): Promise<Deleted> {
    const response = await this.#send({ method: 'DELETE', path: pathOf(id) }, options)
    return response.ok ? ((await response.json()) as Deleted) : { id, deleted: true }
  }

  /**
   * Exchanges the ID token of a CI job; `githubActions` and `gitlab` do it for you. Each ID token works once.
   */
  async exchange(id: string, token: string, options?: CallOptions): Promise<ExchangedToken> {
    const body = bodyOf(exchangeForm(id, token), formType)
    const request = { method: 'POST', path: '/api/oauth/token', body, retry: 'never' } as const
    return (await (await this.#send(request, options)).json()) as ExchangedToken
  }

  /** Revokes an access token. */
  async revoke(token: string, options?: CallOptions): Promise<void> {
    const body = bodyOf(new URLSearchParams({ token }).toString(), formType)
    await this.#send({ method: 'POST', path: '/api/oauth/revoke', body }, options)
  }
}
