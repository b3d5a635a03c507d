import { DomainError, validationFailed } from '#libs/core/domain-error.js'
import type { PlanLimits } from '#shared/core/plan.js'
import type { AccountId } from './account.js'
import { type ApiKey, type ApiKeyId, type KeyDigest, proRequired } from './api-key.js'

/** When the overlap of a key's two secrets begins. */
export type OverlapBegin = 'first-use' | 'now'

/** An owner's options for a rotation. */
export interface RotationRequest {
  readonly overlapSeconds: number
  readonly begins: OverlapBegin
}

/** A new secret for a key; the store's clock sets its times. */
export interface SecretDraft extends RotationRequest {
  readonly apiKeyId: ApiKeyId
  readonly accountId: AccountId
  readonly prefix: string
  readonly last4: string
  readonly digest: KeyDigest
}

/**
 * A week: the longest overlap, and how long a new secret may stay unused before the rotation is cancelled.
 */
export const rotationDaysMax = 7
const overlapSecondsMax = rotationDaysMax * 86_400

/**
 * A valid request.
 * @throws DomainError `validation_failed`.
 */
export function checkRotation(request: RotationRequest): RotationRequest {
  const { overlapSeconds } = request
  if (overlapSeconds >= 0 && overlapSeconds <= overlapSecondsMax) return request
  const detail = `overlap_seconds must be from 0 to ${overlapSecondsMax}.`
  const code = overlapSeconds < 0 ? 'too_small' : 'too_large'
  throw validationFailed([{ pointer: '/overlap_seconds', code, detail }])
}

/**
 * Checks that a key may get a second secret, or replace a new one that is unused.
 * @throws DomainError 403 `pro_required`; 409 `api_key_expired`, `rotation_in_progress`.
 */
export function checkRotatable(
  { apiKeys }: Pick<PlanLimits, 'apiKeys'>,
  { current, previous }: Pick<ApiKey, 'current' | 'previous'>,
  isExpired: boolean,
): void {
  if (apiKeys === 0) throw proRequired()
  if (isExpired) {
    const message = 'This API key has expired. Create a new one.'
    throw new DomainError('conflict', 'api_key_expired', message)
  }
  if (previous !== null && current.firstUsedAt !== null) throw rotationInProgress()
}

/** 409: both secrets of the key are in use. */
function rotationInProgress(): DomainError {
  const message =
    'This API key is already being rotated, and both of its secrets are in use. Wait until the previous one ends, or end it now.'
  return new DomainError('conflict', 'rotation_in_progress', message)
}

/** 404: the key has only one secret. */
export function noPreviousSecret(): DomainError {
  return new DomainError('not-found', 'not_found', 'This API key has no previous secret.')
}

/** What ends when a holder revokes a secret. */
export type RevokedPart = 'api-key' | 'previous' | 'unused'

/** The result of a revocation by a secret's holder. */
export interface Revocation {
  readonly accountId: AccountId
  readonly id: ApiKeyId
  readonly part: RevokedPart
}

/**
 * Revoking the current secret deletes the key. During a rotation, revoking the previous secret ends only that
 * secret; so does revoking an unused new one while the previous one has no end. One of the two always
 * remains.
 */
export function revokedPart({ current, previous }: ApiKey, secret: number): RevokedPart {
  if (previous === null) return 'api-key'
  if (secret === previous.number) return 'previous'
  return current.firstUsedAt === null && previous.expiresAt === null ? 'unused' : 'api-key'
}
