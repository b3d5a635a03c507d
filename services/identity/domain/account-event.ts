import type { PlanName } from '#shared/core/plan.js'
import type { AccountId } from './account.js'
import type { ApiKey } from './api-key.js'
import type { OverlapBegin, RevokedPart } from './rotation.js'

/** Who caused an event. */
export interface EventPrincipal {
  /** `key_holder` held a key and showed no other credential; `system` is time, or a change of the plan. */
  readonly kind: 'owner' | 'api_key' | 'key_holder' | 'operator' | 'system'
  /** The id of the API key; `null` for others. */
  readonly id: string | null
}

/** What an event is about. */
export interface EventSubject {
  readonly kind: 'api_key' | 'account'
  readonly id: string
}

type EventDetail = Readonly<Record<string, string | number | null>>

/** An event that is to be recorded; the store gives it its id and time. */
export interface EventDraft {
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

export function planChanged(accountId: AccountId, from: PlanName, to: PlanName): EventDraft {
  return ofAccount(accountId, 'account.plan_changed', system, { from, to })
}

export function accountSuspended(accountId: AccountId): EventDraft {
  return ofAccount(accountId, 'account.suspended', operator)
}

export function accountResumed(accountId: AccountId): EventDraft {
  return ofAccount(accountId, 'account.resumed', operator)
}
