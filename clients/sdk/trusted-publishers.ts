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
import { type Fields, type Repeatable, Resource } from './resource.js'
import type { CallOptions } from './transport.js'

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
export class TrustedPublishers extends Resource {
  /** Creates a rule. */
  async create(
    rule: Fields<CreateTrustedPublisherData['body']>,
    options?: Repeatable,
  ): Promise<TrustedPublisher> {
    return this.postNew(path, rule, options)
  }

  /** All rules, and the issuers that rules may name on this server. */
  async list(options?: CallOptions): Promise<TrustedPublisherList> {
    return this.readAt(path, options)
  }

  async get(id: string, options?: CallOptions): Promise<TrustedPublisher> {
    return this.readAt(pathOf(id), options)
  }

  /** The latest attempts to get a token, with the reason and the ids that would let a refused one pass. */
  async events(id: string, options?: CallOptions): Promise<TrustedPublisherEvents['events']> {
    const request = { method: 'GET', path: `${pathOf(id)}/events` } as const
    return (await this.read<TrustedPublisherEvents>(request, options)).events
  }

  /** Changes a rule; changing claims, events or scopes revokes its tokens. */
  async update(
    id: string,
    change: Fields<UpdateTrustedPublisherData['body']>,
    options?: CallOptions,
  ): Promise<TrustedPublisher> {
    const body = jsonBody(JSON.stringify(change))
    return this.read({ method: 'PATCH', path: pathOf(id), body }, options)
  }

  /** Deletes a rule and revokes its tokens. */
  async delete(id: string, options?: CallOptions): Promise<Deleted> {
    return this.deleteAt(id, pathOf(id), options)
  }

  /**
   * Exchanges the ID token of a CI job; `githubActions` and `gitlab` do it for you. Each ID token works once.
   */
  async exchange(id: string, token: string, options?: CallOptions): Promise<ExchangedToken> {
    const body = bodyOf(exchangeForm(id, token), formType)
    return this.read({ method: 'POST', path: '/api/oauth/token', body, retry: 'never' }, options)
  }

  /** Revokes an access token. */
  async revoke(token: string, options?: CallOptions): Promise<void> {
    const body = bodyOf(new URLSearchParams({ token }).toString(), formType)
    const response = await this.send({ method: 'POST', path: '/api/oauth/revoke', body }, options)
    await response.body?.cancel()
  }
}
