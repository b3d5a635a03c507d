import { idempotencyKeyReused } from '#shared/core/idempotency-key.js'
import type { AccountId } from '../domain/account.js'
import { type ApiKey, apiKeyFromText, apiKeyToText } from '../domain/api-key.js'
import type { IdentityPorts, Issued, SealedResponse, SealingRequest } from '../ports.js'

/** A key with the only copy of its new secret. */
export interface IssuedKey {
  readonly apiKey: ApiKey
  readonly key: string
  /** Whether the response is a replay for the same idempotency key. */
  readonly replayed: boolean
}

/** A retryable request of an account. */
export interface RetryableRequest {
  readonly accountId: AccountId
  /** `null` for none. */
  readonly idempotencyKey: string | null
  /** Distinguishes the request from others with the same key. */
  readonly fingerprint: string
}

type Secrets = Pick<IdentityPorts, 'secrets'>

/**
 * The stored response of a request, for replays; `null` without an idempotency key.
 * @param textOf what a replay needs of the response.
 */
export function sealingRequest<Added>(
  { secrets }: Secrets,
  { accountId, idempotencyKey, fingerprint }: RetryableRequest,
  textOf: (added: Added) => string,
): SealingRequest<Added> | null {
  if (idempotencyKey === null) return null
  return {
    digest: secrets.digestOf(accountId, idempotencyKey),
    seal: (added) => ({ fingerprint, sealed: secrets.seal(accountId, idempotencyKey, textOf(added)) }),
  }
}

/**
 * The text of the first response for the idempotency key of a request.
 * @throws DomainError `idempotency_key_reused`.
 */
export function replayedText(
  { secrets }: Secrets,
  { accountId, idempotencyKey, fingerprint }: RetryableRequest,
  response: SealedResponse,
): string {
  if (response.fingerprint !== fingerprint || idempotencyKey === null) throw idempotencyKeyReused()
  const text = secrets.open(accountId, idempotencyKey, response.sealed)
  // The pepper that encrypted it was removed within the day: the first response cannot be decrypted any more.
  if (text === null) throw idempotencyKeyReused()
  return text
}

/** Issues a secret, or replays the first response for the idempotency key, including the secret. */
export async function issueKey(
  ports: Secrets,
  request: RetryableRequest,
  key: string,
  issue: (request: SealingRequest<ApiKey> | null) => Promise<Issued<ApiKey>>,
): Promise<IssuedKey> {
  const textOf = (apiKey: ApiKey): string => JSON.stringify([key, apiKeyToText(apiKey)])
  const issued = await issue(sealingRequest(ports, request, textOf))
  if (issued.state === 'added') return { apiKey: issued.added, key, replayed: false }
  const [first = '', text = ''] = JSON.parse(replayedText(ports, request, issued.response)) as string[]
  return { apiKey: apiKeyFromText(text), key: first, replayed: true }
}
