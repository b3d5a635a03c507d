import type { PlanName } from '#shared/core/plan.js'
import type { AccountId } from './account.js'
import type { ApiKey } from './api-key.js'
import type { Judgement } from './judge-assertion.js'
import type { OverlapBegin, RevokedPart } from './rotation.js'
import type { Claims, TrustedPublisher } from './trusted-publisher.js'

/** Who caused an event. */
export interface EventPrincipal {
  /** `key_holder` held a key and showed no other credential; `system` is time, or a change of the plan. */
  readonly kind: 'owner' | 'api_key' | 'key_holder' | 'ci_job' | 'operator' | 'system'
  /** The id of the API key, or of the trusted publisher of the job; `null` for others. */
  readonly id: string | null
}

/** What an event is about. */
export interface EventSubject {
  readonly kind: 'api_key' | 'trusted_publisher' | 'account'
  readonly id: string
}

type EventDetail = Readonly<Record<string, string | number | null>>

/** An event that is to be recorded; the store gives it its time. */
export interface EventDraft {
  /** Of an event that may be recorded once in an account; others get one from the store. */
  readonly id?: string
  readonly accountId: AccountId
  /** A group and a verb, such as `key.rotated`. */
  readonly type: string
  readonly principal: EventPrincipal
  readonly subject: EventSubject
  /** At most 2 KiB as JSON; it holds no secret. */
  readonly detail: EventDetail
}

/** Something that happened in an account. */
export interface AccountEvent extends EventDraft {
  readonly id: string
  readonly createdAt: Date
}

/** How many days events are kept, by plan. */
export type EventDays = Readonly<Record<PlanName, number>>

/** An account has no more events than this; older ones go first. */
export const eventsMax = 10_000

/**
 * Days before the end of a key at which its owner is reminded; 0 is the end itself. A reminder that is late comes as long
 * as `until` days are left.
 */
export const reminders = [
  { days: 14, until: 3 },
  { days: 3, until: 0 },
  { days: 0, until: -7 },
] as const

const owner: EventPrincipal = { kind: 'owner', id: null }
const keyHolder: EventPrincipal = { kind: 'key_holder', id: null }
const system: EventPrincipal = { kind: 'system', id: null }
const operator: EventPrincipal = { kind: 'operator', id: null }

type EventKey = Pick<ApiKey, 'id' | 'accountId' | 'name'>

function ofKey(
  { id, accountId, name }: EventKey,
  type: string,
  principal: EventPrincipal,
  detail: EventDetail = {},
): EventDraft {
  return { accountId, type, principal, subject: { kind: 'api_key', id }, detail: { name, ...detail } }
}

function shown({ current: { prefix, last4 } }: Pick<ApiKey, 'current'>): EventDetail {
  return { prefix, last4 }
}

export function keyCreated(key: ApiKey): EventDraft {
  return ofKey(key, 'key.created', owner, { ...shown(key), scopes: key.scopes.join(' ') })
}

export function keyRotated(key: ApiKey, overlapSeconds: number, begins: OverlapBegin): EventDraft {
  const how = { overlap_seconds: overlapSeconds, begins: begins === 'now' ? 'now' : 'first_use' }
  return ofKey(key, 'key.rotated', owner, { ...shown(key), ...how })
}

/** The new secret was used for the first time. */
export function overlapBegan(key: ApiKey): EventDraft {
  const ends = key.previous?.expiresAt?.toISOString() ?? null
  const principal: EventPrincipal = { kind: 'api_key', id: key.id }
  return ofKey(key, 'key.overlap_began', principal, { ...shown(key), previous_ends_at: ends })
}

/** The previous secret was used although a new one is there. */
export function oldSecretUsed(key: EventKey): EventDraft {
  return ofKey(key, 'key.old_secret_used', { kind: 'api_key', id: key.id })
}

export function previousEnded(key: EventKey): EventDraft {
  return ofKey(key, 'key.previous_ended', owner)
}

/** A secret reached its end: the previous one, or a new one that nobody used. */
export function secretExpired(key: EventKey): EventDraft {
  return ofKey(key, 'key.secret_expired', system)
}

export function keyDeleted(key: EventKey): EventDraft {
  return ofKey(key, 'key.deleted', owner)
}

const revokedParts = { 'api-key': 'key', previous: 'previous_secret', unused: 'unused_secret' } as const

export function keyRevoked(key: EventKey, part: RevokedPart): EventDraft {
  return ofKey(key, 'key.revoked', keyHolder, { ended: revokedParts[part] })
}

/** A key ends in so many days; 0 says that it has ended. */
export function keyExpires(key: EventKey, days: number): EventDraft {
  return ofKey(key, days === 0 ? 'key.expired' : 'key.expires_soon', system, days === 0 ? {} : { days })
}

function ofAccount(
  accountId: AccountId,
  type: string,
  principal: EventPrincipal,
  detail: EventDetail = {},
): EventDraft {
  return { accountId, type, principal, subject: { kind: 'account', id: accountId }, detail }
}

type EventPublisher = Pick<TrustedPublisher, 'id' | 'accountId' | 'name'>

function ofPublisher(
  { id, accountId, name }: EventPublisher,
  type: string,
  principal: EventPrincipal,
  detail: EventDetail = {},
): EventDraft {
  return {
    accountId,
    type,
    principal,
    subject: { kind: 'trusted_publisher', id },
    detail: { name, ...detail },
  }
}

export function trustCreated(publisher: TrustedPublisher): EventDraft {
  const { repository, scopes } = publisher
  return ofPublisher(publisher, 'trust.created', owner, { repository, scopes: scopes.join(' ') })
}

function inOrder(claims: Claims): string {
  return JSON.stringify(Object.entries(claims).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** `null` when both are the same. */
export function trustChanged(before: TrustedPublisher, after: TrustedPublisher): EventDraft | null {
  const differs = {
    name: before.name !== after.name,
    repository: before.repository !== after.repository,
    claims: inOrder(before.claims) !== inOrder(after.claims),
    events: before.events.join(' ') !== after.events.join(' '),
    scopes: before.scopes.join(' ') !== after.scopes.join(' '),
    ttl: before.ttlSeconds !== after.ttlSeconds,
    disabled: (before.disabledAt === null) !== (after.disabledAt === null),
  }
  const changed = Object.entries(differs).flatMap(([name, isDifferent]) => (isDifferent ? [name] : []))
  return changed.length === 0
    ? null
    : ofPublisher(after, 'trust.changed', owner, { changed: changed.join(' ') })
}

export function trustDeleted(publisher: EventPublisher): EventDraft {
  return ofPublisher(publisher, 'trust.deleted', owner)
}

/** A job got a token by a rule that was not used before. */
export function trustFirstUsed(publisher: EventPublisher): EventDraft {
  const principal: EventPrincipal = { kind: 'ci_job', id: publisher.id }
  return { id: `${publisher.id}-first`, ...ofPublisher(publisher, 'trust.first_used', principal) }
}

/** A job was refused: once a day for each rule and reason, and once for all jobs of other repositories. */
export function trustRefused(
  publisher: EventPublisher,
  { reason, claim, ofRepository }: Judgement,
  now: Date,
): EventDraft {
  const day = now.toISOString().slice(0, 10)
  const principal: EventPrincipal = { kind: 'ci_job', id: publisher.id }
  return {
    id: `${publisher.id}-${ofRepository ? reason : 'other'}-${day}`,
    ...ofPublisher(publisher, 'trust.refused', principal, { reason, claim }),
  }
}

export function planChanged(accountId: AccountId, from: PlanName, to: PlanName): EventDraft {
  return ofAccount(accountId, 'account.plan_changed', system, { from, to })
}

export function accountSuspended(accountId: AccountId): EventDraft {
  return ofAccount(accountId, 'account.suspended', operator)
}

export function accountResumed(accountId: AccountId): EventDraft {
  return ofAccount(accountId, 'account.resumed', operator)
}
