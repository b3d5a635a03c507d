import { pointerTo } from '#engine/json-pointer.js'
import type { Branded } from '#libs/core/branded.js'
import { DomainError, type FieldError, validationFailed } from '#libs/core/domain-error.js'
import { textErrors, unprintable } from '#libs/core/field-rules.js'
import type { PlanLimits } from '#shared/core/plan.js'
import type { AccountId } from './account.js'
import type { ApiKeyScope } from './api-key.js'
import { type CiProvider, ciProviders, isEventForbidden } from './ci-provider.js'

/** The id of a rule; not secret, since it appears in public workflows. */
export type TrustedPublisherId = Branded<string, 'TrustedPublisherId'>

/** Claims with one value each, as text. */
export type Claims = Readonly<Record<string, string>>

/** The fields that a rule's owner sets. */
export interface TrustedPublisherFields {
  readonly name: string
  /**
   * The repository's name as the owner typed it; may be empty. It helps to find the ids and grants nothing.
   */
  readonly repository: string
  /** Claims that a token must have, with exactly these values. */
  readonly claims: Claims
  /** The events that may start a job; if empty, all except dangerous ones. */
  readonly events: readonly string[]
  readonly scopes: readonly ApiKeyScope[]
  /** The lifetime of its tokens. */
  readonly ttlSeconds: number
}

/** A rule: jobs of this repository may act for this account. */
export interface TrustedPublisher extends TrustedPublisherFields {
  readonly id: TrustedPublisherId
  readonly accountId: AccountId
  readonly issuer: string
  readonly provider: CiProvider
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  readonly requestCount: number
  readonly disabledAt: Date | null
}

/** A new rule; the store's clock sets its time. */
export interface TrustedPublisherDraft extends TrustedPublisherFields {
  readonly id: TrustedPublisherId
  readonly accountId: AccountId
  readonly issuer: string
  readonly provider: CiProvider
}

/** The fields to change; absent ones stay. */
export interface TrustedPublisherChange extends Partial<TrustedPublisherFields> {
  readonly disabled?: boolean
}

/** Requests made with a rule's tokens. */
export interface PublisherUse {
  readonly publisherId: TrustedPublisherId
  readonly requests: number
  readonly lastUsedAt: Date
}

export const ttlSecondsUnlessGiven = 900
const ttlSecondsMin = 60
const ttlSecondsMax = 3_600
const nameMax = 100
const repositoryMax = 255
const claimsMax = 20
const claimValueMax = 1_000
const eventsMax = 20
const idPattern = /^tp_[0-9A-Za-z]{22}$/
const claimPattern = /^[A-Za-z][A-Za-z0-9_.:/-]{0,99}$/
const eventPattern = /^[A-Za-z0-9_.-]{1,64}$/

/**
 * Claims that no rule may name: those every token has, which say nothing about the job, and `sub`, whose
 * format issuers change.
 */
const reservedClaims: readonly string[] = ['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti']
const allScopes: readonly ApiKeyScope[] = ['read', 'write']

const approvingJob: FieldError = {
  ...{ pointer: '/scopes', code: 'invalid_value' },
  detail: 'A trusted publisher cannot have the scope approve, so that no CI job approves what it made.',
}

/**
 * A rule's id from storage or from another process.
 * @throws DomainError `not_found` for an invalid id.
 */
export function trustedPublisherId(text: string): TrustedPublisherId {
  if (!idPattern.test(text)) throw trustedPublisherNotFound()
  return text as TrustedPublisherId
}

function claimErrors(claims: Claims, provider: CiProvider): FieldError[] {
  const names = Object.keys(claims)
  const errors: FieldError[] = []
  if (names.length > claimsMax)
    errors.push({
      pointer: '/claims',
      code: 'too_many',
      detail: `claims must have at most ${claimsMax} items.`,
    })
  const { event } = ciProviders[provider]
  for (const name of names) {
    const pointer = pointerTo(['claims', name])
    const value = claims[name] ?? ''
    if (!claimPattern.test(name) || reservedClaims.includes(name))
      errors.push({
        pointer,
        code: 'invalid',
        detail: `claims/${name.slice(0, 100)} cannot be part of a rule.`,
      })
    else if (name === event)
      errors.push({
        pointer,
        code: 'invalid',
        detail: `List what may start a job in events, not as ${name}.`,
      })
    else if (value === '' || value.length > claimValueMax || unprintable.test(value)) {
      const detail = `claims/${name} must be 1 to ${claimValueMax} characters without control characters.`
      errors.push({ pointer, code: 'invalid', detail })
    }
  }
  return errors
}

function eventErrors(events: readonly string[], provider: CiProvider): FieldError[] {
  if (events.length === 0) return []
  if (ciProviders[provider].event === null) {
    const detail = 'events are only known of GitHub and GitLab. Use claims instead.'
    return [{ pointer: '/events', code: 'invalid', detail }]
  }
  if (events.length > eventsMax)
    return [{ pointer: '/events', code: 'too_many', detail: `events must have at most ${eventsMax} items.` }]
  return events.flatMap((event, index) => {
    if (eventPattern.test(event) && !isEventForbidden(event)) return []
    const detail = isEventForbidden(event)
      ? `${event} can never be trusted: it runs with your rights on what strangers propose.`
      : 'An event has 1 to 64 characters from A-Z a-z 0-9 _ . -'
    return [{ pointer: `/events/${index}`, code: 'invalid', detail }]
  })
}

function repositoryErrors(
  { repository, claims }: TrustedPublisherFields,
  provider: CiProvider,
): FieldError[] {
  if (provider === 'other') {
    const isEmpty = Object.keys(claims).length === 0
    const detail =
      'claims must say which jobs are trusted: this issuer has no repositories that are known here.'
    return isEmpty ? [{ pointer: '/claims', code: 'required', detail }] : []
  }
  const errors = textErrors('/repository', repository, repositoryMax)
  if (errors.length > 0 || /^[^/\s]+(\/[^/\s]+)+$/.test(repository)) return errors
  const detail = 'repository must be its full name, such as acme/website.'
  return [{ pointer: '/repository', code: 'invalid_format', detail }]
}

/**
 * Valid fields, with scopes and events in a fixed order and without duplicates.
 * @throws DomainError `validation_failed` that lists every problem.
 */
export function checkTrustedPublisher<Fields extends TrustedPublisherFields>(
  fields: Fields,
  provider: CiProvider,
): Fields {
  const { name, claims, events, scopes, ttlSeconds } = fields
  const errors = [
    ...textErrors('/name', name, nameMax),
    ...repositoryErrors(fields, provider),
    ...claimErrors(claims, provider),
    ...eventErrors(events, provider),
    ...(scopes.includes('approve') ? [approvingJob] : []),
  ]
  if (!Number.isInteger(ttlSeconds) || ttlSeconds < ttlSecondsMin || ttlSeconds > ttlSecondsMax) {
    const detail = `ttl must be from ${ttlSecondsMin} to ${ttlSecondsMax} seconds.`
    errors.push({ pointer: '/ttl', code: ttlSeconds < ttlSecondsMin ? 'too_small' : 'too_large', detail })
  }
  if (errors.length > 0) throw validationFailed(errors)
  return {
    ...fields,
    events: [...new Set(events)],
    scopes: scopes.length === 0 ? allScopes : allScopes.filter((one) => scopes.includes(one)),
  }
}

/** Whether a rule names the ids without which it trusts no one. */
export function isPinned({ provider, claims }: Pick<TrustedPublisher, 'provider' | 'claims'>): boolean {
  return ciProviders[provider].pins.every((name) => Object.hasOwn(claims, name))
}

/**
 * The rule with a change applied.
 * @throws DomainError `validation_failed` that lists every problem.
 */
export function changeTrustedPublisher(
  publisher: TrustedPublisher,
  { disabled, ...fields }: TrustedPublisherChange,
  now: Date,
): TrustedPublisher {
  const disabledAt = disabled === undefined ? publisher.disabledAt : disabled ? now : null
  return checkTrustedPublisher({ ...publisher, ...fields, disabledAt }, publisher.provider)
}

/** Whether a change revokes the tokens issued before it. */
export function endsTokens({ claims, events, scopes, disabled }: TrustedPublisherChange): boolean {
  return claims !== undefined || events !== undefined || scopes !== undefined || disabled === true
}

/**
 * Checks that an account with `held` rules may have one more. Returns the limit.
 * @throws DomainError 403 `pro_required` if the plan has none; 409 `trusted_publisher_limit_reached`.
 */
export function checkTrustedPublisherLimit(
  { trustedPublishers: limit }: Pick<PlanLimits, 'trustedPublishers'>,
  held: number,
): number | null {
  if (limit === 0) {
    const message = 'Trusted publishers require Pro. Upgrade to use them.'
    throw new DomainError('forbidden', 'pro_required', message)
  }
  if (limit === null || held < limit) return limit
  const message = `You've reached the limit of ${limit} trusted publishers. Delete one you no longer use.`
  throw new DomainError('conflict', 'trusted_publisher_limit_reached', message, { limit })
}

/** 404: there is no such rule. */
export function trustedPublisherNotFound(): DomainError {
  return new DomainError('not-found', 'not_found', 'This trusted publisher does not exist.')
}
