import { idempotencyKeyReused } from '#shared/core/idempotency-key.js'
import type { AccountId } from '../domain/account.js'
import type { ApiKey } from '../domain/api-key.js'
import { apiKeyFromText, apiKeyToText } from '../domain/api-key-text.js'
import type { SealedResponse } from '../domain/idempotency.js'
import type { AddedKey, IdentityPorts, SealingRequest } from '../ports.js'

/** A key with a secret that was made for it, of which this is the only copy. */
export interface IssuedKey {
  readonly apiKey: ApiKey
  readonly key: string
  /** Whether this is the response to an earlier request with the same idempotency key. */
  readonly replayed: boolean
}

/** A request that issues a secret and may be repeated. */
export interface IssuingRequest {
  readonly accountId: AccountId
  /** `null` for none. */
  readonly idempotencyKey: string | null
  /** Tells the request from others with the same key. */
  readonly fingerprint: string
  /** The secret that it issues unless it was repeated. */
  readonly key: string
}

type Secrets = Pick<IdentityPorts, 'secrets'>

/** What the store keeps of a request, so that a repetition gets the same secret; `null` for one without a key. */
export function sealingRequest({ secrets }: Secrets, request: IssuingRequest): SealingRequest | null {
  const { accountId, idempotencyKey, fingerprint, key } = request
  if (idempotencyKey === null) return null
  return {
    key: { digest: secrets.digestOf(accountId, idempotencyKey) },
    seal(apiKey): SealedResponse {
      const text = JSON.stringify([key, apiKeyToText(apiKey)])
      return { fingerprint, sealed: secrets.seal(accountId, idempotencyKey, text) }
    },
  }
}

/**
 * The response to a request: with its own secret, or the first response to its idempotency key.
 * @throws DomainError `idempotency_key_reused`.
 */
export function issuedKey({ secrets }: Secrets, request: IssuingRequest, added: AddedKey): IssuedKey {
  if (added.state === 'added') return { apiKey: added.apiKey, key: request.key, replayed: false }
  const { accountId, idempotencyKey, fingerprint } = request
  const { response } = added
  if (response.fingerprint !== fingerprint || idempotencyKey === null) throw idempotencyKeyReused()
  const sealed = secrets.open(accountId, idempotencyKey, response.sealed)
  // The secret behind it was taken out of use within the day: no one can read the first response any more.
  if (sealed === null) throw idempotencyKeyReused()
  const [key = '', text = ''] = JSON.parse(sealed) as string[]
  return { apiKey: apiKeyFromText(text), key, replayed: true }
}
