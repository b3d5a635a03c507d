import { type OperatorDecision, publicDetail } from '#shared/core/audit-entry.js'
import { becameNear, type PlanName } from '#shared/core/plan.js'
import type { AccountId } from './account.js'
import type { ApiKey } from './api-key.js'
import type { JobDecision } from './authorize-job.js'
import type { OverlapBegin, RevokedPart } from './rotation.js'
import type { Claims, TrustedPublisher } from './trusted-publisher.js'

/** Who caused an event. */
export interface EventPrincipal {
  /** `key_holder` showed only the key itself, `anyone` the link of a share; `system` is a timer, a limit or a plan change. */
  readonly kind: 'owner' | 'api_key' | 'key_holder' | 'ci_job' | 'anyone' | 'operator' | 'system'
  /** The id of the API key or the trusted publisher; `null` for others. */
  readonly id: string | null
}

/** What an event is about. */
export interface EventSubject {
  readonly kind: 'api_key' | 'trusted_publisher' | 'share' | 'snippet' | 'account'
  readonly id: string
}

type EventDetail = Readonly<Record<string, string | number | null>>

/** An event to record; the store sets its time unless it has one. */
export interface EventDraft {
  /** Set for an event that is recorded once per account; otherwise the store chooses it. */
  readonly id?: string
  readonly createdAt?: Date
  readonly accountId: AccountId
  /** A group and a verb, such as `key.rotated`. */
  readonly type: string
  readonly principal: EventPrincipal
  readonly subject: EventSubject
  /** At most 2 KiB as JSON, without secrets. */
  readonly detail: EventDetail
}

/** Something that happened in an account. */
export interface AccountEvent extends EventDraft {
  readonly id: string
  readonly createdAt: Date
}

/** How many days events are kept, by plan. */
export type EventDays = Readonly<Record<PlanName, number>>

/** The maximum number of events of an account; older ones are deleted. */
export const eventsMax = 10_000

/**
 * Days before a key's expiry when its owner is reminded; 0 is the expiry itself. A late reminder is still
 * recorded while at least `until` days are left.
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

/** The previous secret was used although there is a new one. */
export function oldSecretUsed(key: EventKey): EventDraft {
  return ofKey(key, 'key.old_secret_used', { kind: 'api_key', id: key.id })
}

export function previousEnded(key: EventKey): EventDraft {
  return ofKey(key, 'key.previous_ended', owner)
}

/** A secret expired: the previous one, or an unused new one. */
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

/** A key expires in this many days; 0 means it has expired. */
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

/** `null` if both are equal. */
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

/** A job got a token by a rule for the first time. */
export function trustFirstUsed(publisher: EventPublisher): EventDraft {
  const principal: EventPrincipal = { kind: 'ci_job', id: publisher.id }
  return { id: `${publisher.id}-first`, ...ofPublisher(publisher, 'trust.first_used', principal) }
}

/**
 * A job was rejected: recorded once a day for each rule and reason, with one reason for all other
 * repositories.
 */
export function trustRefused(
  publisher: EventPublisher,
  { reason, claim, ofRepository }: JobDecision,
  now: Date,
): EventDraft {
  const day = now.toISOString().slice(0, 10)
  const principal: EventPrincipal = { kind: 'ci_job', id: publisher.id }
  return {
    id: `${publisher.id}-${ofRepository ? reason : 'other'}-${day}`,
    ...ofPublisher(publisher, 'trust.refused', principal, { reason, claim }),
  }
}

/** Adding one more brought the account near to a limit; `null` if it did not. Recorded once a day. */
export function limitNear(
  accountId: AccountId,
  name: 'api_keys' | 'trusted_publishers',
  used: number,
  limit: number | null,
  now: Date,
): EventDraft | null {
  if (limit === null || !becameNear(limit, used)) return null
  const id = `near-${name}-${now.toISOString().slice(0, 10)}`
  return { id, ...ofAccount(accountId, 'limit.near', system, { limit: name, used, of: limit }) }
}

export function planChanged(accountId: AccountId, from: PlanName, to: PlanName): EventDraft {
  return ofAccount(accountId, 'account.plan_changed', system, { from, to })
}

type OperatorNotice = Pick<OperatorDecision, 'message' | 'shownAs'>

export function accountSuspended(accountId: AccountId, told: OperatorNotice): EventDraft {
  return ofAccount(accountId, 'account.suspended', operator, publicDetail(told))
}

export function accountResumed(accountId: AccountId, told: OperatorNotice): EventDraft {
  return ofAccount(accountId, 'account.resumed', operator, publicDetail(told))
}

/** Its owner closed it, and it will be erased. */
export function accountClosed(accountId: AccountId, erasedAfter: Date | null): EventDraft {
  return ofAccount(accountId, 'account.closed', owner, { erased_after: erasedAfter?.toISOString() ?? null })
}

export function accountRestored(accountId: AccountId): EventDraft {
  return ofAccount(accountId, 'account.restored', owner)
}

/** A plan that an operator gave by hand. */
export interface ManualPlan extends OperatorNotice {
  readonly until: Date
}

export function planGranted(
  accountId: AccountId,
  plan: PlanName,
  { until, ...told }: ManualPlan,
): EventDraft {
  const detail = { plan, until: until.toISOString(), ...publicDetail(told) }
  return ofAccount(accountId, 'plan.granted', operator, detail)
}
