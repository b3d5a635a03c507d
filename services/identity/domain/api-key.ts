import type { Branded } from '#libs/core/branded.js'
import { DomainError, invalidField, validationFailed } from '#libs/core/domain-error.js'
import { isDate, textErrors } from '#libs/core/field-rules.js'
import type { PlanLimits } from '#shared/core/plan.js'
import type { AccountId } from './account.js'

/** The id of an API key; not the key, and not secret. */
export type ApiKeyId = Branded<string, 'ApiKeyId'>

export type ApiKeyScope = 'read' | 'write' | 'approve'

const allScopes: readonly ApiKeyScope[] = ['read', 'write', 'approve']
/** Approving is only for keys that ask for it. */
const usualScopes: readonly ApiKeyScope[] = ['read', 'write']
const nameMax = 100
const minute = 60
const century = 3_153_600_000

/** One of a key's secrets, of which there are at most two; only its holder knows the secret itself. */
export interface KeySecret {
  /** The number of the key's secrets so far, from 1. */
  readonly number: number
  /** The first characters of the secret, so that its holder can recognise it. */
  readonly prefix: string
  readonly last4: string
  readonly createdAt: Date
  /** When a secret created by a rotation was first used. */
  readonly firstUsedAt: Date | null
  readonly lastUsedAt: Date | null
  /** When it ends, regardless of the key; `null` while that is undecided. */
  readonly expiresAt: Date | null
}

/** A key with which a program acts for an account. */
export interface ApiKey {
  readonly id: ApiKeyId
  readonly accountId: AccountId
  readonly name: string
  readonly scopes: readonly ApiKeyScope[]
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly lastUsedAt: Date | null
  readonly requestCount: number
  /** The newest secret. */
  readonly current: KeySecret
  /** The previous one, while both work. */
  readonly previous: KeySecret | null
}

/** For the stored response of an idempotency key. */
export function apiKeyToText(apiKey: ApiKey): string {
  return JSON.stringify(apiKey)
}

/** The inverse of `apiKeyToText`. */
export function apiKeyFromText(text: string): ApiKey {
  const withTimes = (name: string, value: unknown): unknown =>
    typeof value === 'string' && name.endsWith('At') ? new Date(value) : value
  return JSON.parse(text, withTimes) as ApiKey
}

/** The keyed hash of a key, and the version of its pepper. */
export interface KeyDigest {
  /** HMAC-SHA-256, in lower-case hexadecimal. */
  readonly digest: string
  readonly pepperVersion: number
}

/** A new key; the store's clock sets its times. */
export interface ApiKeyDraft {
  readonly id: ApiKeyId
  readonly accountId: AccountId
  readonly name: string
  readonly scopes: readonly ApiKeyScope[]
  readonly expiresInSeconds: number | null
  readonly prefix: string
  readonly last4: string
  readonly digest: KeyDigest
}

/** A key's requests on one UTC day. */
export interface DayOfUse {
  /** YYYY-MM-DD. */
  readonly date: string
  readonly requests: number
  /** The requests whose status was 400 or above. */
  readonly errors: number
}

/** Counts to add to one day of a key. */
export interface KeyUse extends DayOfUse {
  readonly apiKeyId: ApiKeyId
  /** The number of the secret that was used. */
  readonly secret: number
  readonly lastUsedAt: Date
}

const idPattern = /^[0-9A-Za-z]{22}$/

/**
 * An API key id from storage or from another process.
 * @throws DomainError `not_found` for an invalid id.
 */
export function apiKeyId(text: string): ApiKeyId {
  if (!idPattern.test(text)) throw apiKeyNotFound()
  return text as ApiKeyId
}

/** The owner's choices for a new key. */
export interface ApiKeyRequest {
  readonly name: string
  /** Reading and writing if empty. */
  readonly scopes: readonly ApiKeyScope[]
  readonly expiresInSeconds: number | null
}

/**
 * A valid request, with scopes in their fixed order.
 * @throws DomainError `validation_failed` that lists every problem.
 */
export function checkApiKeyRequest(request: ApiKeyRequest): ApiKeyRequest {
  const errors = textErrors('/name', request.name, nameMax)
  const seconds = request.expiresInSeconds
  if (seconds !== null && (seconds < minute || seconds > century)) {
    const detail = `expires_in must be from ${minute} to ${century} seconds.`
    errors.push({ pointer: '/expires_in', code: seconds < minute ? 'too_small' : 'too_large', detail })
  }
  if (errors.length > 0) throw validationFailed(errors)
  const scopes =
    request.scopes.length === 0 ? usualScopes : allScopes.filter((one) => request.scopes.includes(one))
  return { ...request, scopes }
}

/** The visible characters of the key: enough to distinguish it, too few to guess it. */
export function shownParts(key: string): { readonly prefix: string; readonly last4: string } {
  return { prefix: key.slice(0, 8), last4: key.slice(-4) }
}

/**
 * Checks that an account with `held` keys may have one more. Returns the limit.
 * @throws DomainError 403 `pro_required` if the plan has no keys; 409 `api_key_limit_reached`.
 */
export function checkApiKeyLimit({ apiKeys }: Pick<PlanLimits, 'apiKeys'>, held: number): number | null {
  if (apiKeys === 0) throw proRequired()
  if (apiKeys !== null && held >= apiKeys) throw apiKeyLimitReached(apiKeys)
  return apiKeys
}

/**
 * A UTC day as YYYY-MM-DD.
 * @throws DomainError `validation_failed` for anything else.
 */
export function checkDate(name: string, text: string): string {
  if (isDate(text)) return text
  throw invalidField(name, 'invalid_format', `${name} must be a date such as 2030-01-31.`)
}

/** 401: no account has this key. */
export function invalidApiKey(): DomainError {
  const message = 'Invalid API key: it is unknown, expired or deleted.'
  return new DomainError('unauthenticated', 'invalid_api_key', message)
}

/** 404: the key does not exist. */
export function apiKeyNotFound(): DomainError {
  return new DomainError('not-found', 'not_found', 'This API key does not exist.')
}

/** 403: the account's plan has no API keys. */
export function proRequired(): DomainError {
  return new DomainError('forbidden', 'pro_required', 'API keys require Pro. Upgrade to use them.')
}

/** 409: the account has the maximum number of keys. */
export function apiKeyLimitReached(limit: number): DomainError {
  const message = `You've reached the limit of ${limit} API keys. Delete one you no longer use.`
  return new DomainError('conflict', 'api_key_limit_reached', message, { limit })
}

const dayMs = 86_400_000

/**
 * Whether keys are disabled because their owner's last recorded sign-in was this long ago. Sign-ins are recorded once
 * a day, so keys are disabled up to a day late and never early.
 */
export function isIdle(ownerIdleMs: number, idleDays: number | null): boolean {
  return idleDays !== null && ownerIdleMs >= (idleDays + 1) * dayMs
}
