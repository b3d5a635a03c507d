import { DomainError } from '#libs/core/domain-error.js'
import { unprintable } from '#libs/core/field-rules.js'
import { ciProviders, isEventAllowed } from './ci-provider.js'
import { type Claims, isPinned, type TrustedPublisher } from './trusted-publisher.js'

/** Why a genuine token was rejected. Its owner is told, its bearer is not. */
export type RefusalReason =
  | 'disabled'
  | 'account_suspended'
  | 'pro_required'
  | 'owner_away'
  | 'other_issuer'
  | 'other_repository'
  | 'other_audience'
  | 'expired'
  | 'not_yet_valid'
  | 'not_pinned'
  | 'claim_mismatch'
  | 'event_not_allowed'
  | 'assertion_used'

/** The verified ID token of a CI job. */
export interface Assertion {
  readonly issuer: string
  readonly claims: Claims
  readonly fault: Extract<RefusalReason, 'other_audience' | 'expired' | 'not_yet_valid'> | null
  /** Unique per issuer. */
  readonly digest: string
  /** When it expires. */
  readonly expiresAt: Date
}

/** Further conditions on a rule's owner. */
export interface PublisherOwner {
  readonly isSuspended: boolean
  readonly hasPlan: boolean
  readonly isAway: boolean
}

/** The verdict on an assertion, and what the rule's owner sees. */
export interface JobDecision {
  /** `null` if it is accepted. */
  readonly reason: RefusalReason | null
  /** The claim that did not match. */
  readonly claim: string | null
  readonly shown: Claims
  /** Whether it is from the repository that the rule names or pins. */
  readonly ofRepository: boolean
  /** The ids with which the rule would trust this repository. */
  readonly pin: Claims
}

const shownValueMax = 300

function picked(claims: Claims, names: readonly string[]): Claims {
  const found: [string, string][] = []
  for (const name of new Set(names)) {
    const value = Object.hasOwn(claims, name) ? claims[name] : undefined
    if (value !== undefined && !unprintable.test(value)) found.push([name, value.slice(0, shownValueMax)])
  }
  return Object.fromEntries(found)
}

function has(claims: Claims, name: string, value: string | undefined): boolean {
  return value !== undefined && Object.hasOwn(claims, name) && claims[name] === value
}

/** The first of these claims of the rule that the token does not match. */
function mismatch(publisher: TrustedPublisher, claims: Claims, names: readonly string[]): string | null {
  return names.find((name) => !has(claims, name, publisher.claims[name])) ?? null
}

function isOfRepository(publisher: TrustedPublisher, { issuer, claims }: Assertion): boolean {
  if (issuer !== publisher.issuer) return false
  const { name, pins } = ciProviders[publisher.provider]
  if (name === null) return Object.entries(publisher.claims).some(([one, value]) => has(claims, one, value))
  if (isPinned(publisher) && mismatch(publisher, claims, pins) === null) return true
  // Both providers compare names case-insensitively.
  return Object.hasOwn(claims, name) && claims[name]?.toLowerCase() === publisher.repository.toLowerCase()
}

function refusal(
  publisher: TrustedPublisher,
  owner: PublisherOwner,
  assertion: Assertion,
  ofRepository: boolean,
): Pick<JobDecision, 'reason' | 'claim'> {
  const { issuer, claims, fault } = assertion
  const { pins, event } = ciProviders[publisher.provider]
  const because = (reason: RefusalReason, claim: string | null = null) => ({ reason, claim })
  if (issuer !== publisher.issuer) return because('other_issuer')
  if (fault !== null) return because(fault)
  if (owner.isSuspended) return because('account_suspended')
  if (!owner.hasPlan) return because('pro_required')
  if (publisher.disabledAt !== null) return because('disabled')
  if (owner.isAway) return because('owner_away')
  if (!isPinned(publisher)) return because(ofRepository ? 'not_pinned' : 'other_repository')
  const otherId = mismatch(publisher, claims, pins)
  if (otherId !== null) return because('other_repository', otherId)
  if (event !== null && !isEventAllowed(claims[event], publisher.events))
    return because('event_not_allowed', event)
  // An issuer that imitates a provider's claims is held to the provider's restrictions.
  if (claims.event_name === 'pull_request_target') return because('event_not_allowed', 'event_name')
  const other = mismatch(publisher, claims, Object.keys(publisher.claims))
  return other === null ? { reason: null, claim: null } : because('claim_mismatch', other)
}

/** Whether a rule accepts an assertion. The store checks whether it was used before. */
export function authorizeJob(
  publisher: TrustedPublisher,
  owner: PublisherOwner,
  assertion: Assertion,
): JobDecision {
  const { claims } = assertion
  const { name, pins, event, shown } = ciProviders[publisher.provider]
  const ofRepository = isOfRepository(publisher, assertion)
  const known = [...(name === null ? [] : [name]), ...pins, ...(event === null ? [] : [event]), ...shown]
  const ids = picked(claims, pins)
  const isComplete = pins.length > 0 && Object.keys(ids).length === pins.length
  const isNew = mismatch(publisher, claims, pins) !== null
  return {
    ...refusal(publisher, owner, assertion, ofRepository),
    shown: picked(claims, [...known, ...Object.keys(publisher.claims)]),
    ofRepository,
    pin: ofRepository && isComplete && isNew && assertion.fault === null ? ids : {},
  }
}

/** 400 `invalid_grant`: the same for every failure, so that it reveals nothing to strangers. */
export function invalidGrant(): DomainError {
  const message =
    'The token was not accepted. The owner of the trusted publisher sees why in the dashboard or with: snipkeep trust events.'
  return new DomainError('invalid', 'invalid_grant', message)
}

/** 401: the access token is unknown, expired or revoked. */
export function invalidAccessToken(): DomainError {
  const message = 'Invalid access token: it is unknown, expired or revoked. Get a new one.'
  return new DomainError('unauthenticated', 'invalid_token', message)
}

/** One attempt to get a token of a rule. */
export interface PublisherEvent extends Omit<JobDecision, 'reason'> {
  readonly id: string
  readonly at: Date
  /** `null` when a token was issued. */
  readonly reason: RefusalReason | null
}
