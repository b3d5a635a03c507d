import { idempotencyKeyReused } from '#shared/core/idempotency-key.js'
import type { AccountId } from '../domain/account.js'
import type { ApiKey } from '../domain/api-key.js'
import { apiKeyFromText, apiKeyToText } from '../domain/api-key-text.js'
import type { SealedResponse } from '../domain/idempotency.js'
import type { AddedKey, IdentityPorts, SealingRequest } from '../ports.js'

/** A key with the only copy of its new secret. */
export interface IssuedKey {
  readonly apiKey: ApiKey
  readonly key: string
  /** Whether the response is a replay for the same idempotency key. */
  readonly replayed: boolean
}

/** A retryable request for a secret. */
export interface IssuingRequest {
  readonly accountId: AccountId
  /** `null` for none. */
  readonly idempotencyKey: string | null
  /** Distinguishes the request from others with the same key. */
  readonly fingerprint: string
  /** The secret to issue unless the request is a replay. */
  readonly key: string
}

type Secrets = Pick<IdentityPorts, 'secrets'>

/**
 * The stored response of a request, with which a replay returns the same secret; `null` without an
 * idempotency key.
 */
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
 * The response to a request: its own secret, or the first response for its idempotency key.
 * @throws DomainError `idempotency_key_reused`.
 */
export function issuedKey({ secrets }: Secrets, request: IssuingRequest, added: AddedKey): IssuedKey {
  if (added.state === 'added') return { apiKey: added.apiKey, key: request.key, replayed: false }
  const { accountId, idempotencyKey, fingerprint } = request
  const { response } = added
  if (response.fingerprint !== fingerprint || idempotencyKey === null) throw idempotencyKeyReused()
  const sealed = secrets.open(accountId, idempotencyKey, response.sealed)
  // The pepper that encrypted it was removed within the day: the first response cannot be decrypted any more.
  if (sealed === null) throw idempotencyKeyReused()
  const [key = '', text = ''] = JSON.parse(sealed) as string[]
  return { apiKey: apiKeyFromText(text), key, replayed: true }
}
