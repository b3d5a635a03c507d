import { type MemoryAuditLog, memoryAuditLog } from '#shared/testing/memory-audit-log.js'
import type { Account, AccountId } from '../domain/account.js'
import type { AccountEvent } from '../domain/account-event.js'
import type { AccountStep } from '../domain/account-step.js'
import type { ApiKey, ApiKeyId, DayOfUse, KeySecret } from '../domain/api-key.js'
import type { PublisherEvent } from '../domain/authorize-job.js'
import type { TrustedPublisher, TrustedPublisherId } from '../domain/trusted-publisher.js'
import type { SealedResponse } from '../ports.js'

const dayMs = 86_400_000

export interface MemorySecret extends KeySecret {
  readonly digest: string
  /** `null` unless the overlap begins on first use. */
  readonly overlapSeconds: number | null
}

/** An API key with its stored details. */
export interface MemoryApiKey {
  readonly apiKey: Omit<ApiKey, 'current' | 'previous'>
  /** Oldest first; may include expired ones. */
  readonly secrets: readonly MemorySecret[]
  readonly days: ReadonlyMap<string, DayOfUse>
}

/** A step that a service has still to do. */
export interface MemoryStep {
  readonly step: AccountStep
  readonly createdAt: Date
  dueMs: number
  attempts: number
}

/** The state that identity's memory stores share, for tests. */
export interface MemoryState {
  readonly now: () => Date
  /** By issuer and subject. */
  readonly accounts: Map<string, Account>
  readonly signIns: Map<AccountId, Date>
  readonly suspensionReasons: Map<AccountId, string>
  readonly suspensionVersions: Map<AccountId, number>
  readonly audit: MemoryAuditLog
  /** By account and service. */
  readonly steps: Map<string, MemoryStep>
  /** The accounts whose erasure has begun. */
  readonly erasing: Set<AccountId>
  readonly apiKeys: Map<ApiKeyId, MemoryApiKey>
  readonly responses: Map<string, SealedResponse & { readonly createdAt: Date }>
  /** When each batch was applied. */
  readonly batches: Map<string, Date>
  readonly publishers: Map<TrustedPublisherId, TrustedPublisher>
  /** Newest first. */
  readonly publisherEvents: Map<TrustedPublisherId, readonly PublisherEvent[]>
  /** By digest. */
  readonly tokens: Map<string, { readonly publisherId: TrustedPublisherId; readonly expiresAt: Date }>
  /** When each expires. */
  readonly usedAssertions: Map<string, Date>
  /** By account and id. */
  readonly events: Map<string, AccountEvent>
  forgetEvent(event: AccountEvent): void
  eventsTrimmed(): number
}

/** The key of an event in the map. */
export function eventName({ accountId, id }: Pick<AccountEvent, 'accountId' | 'id'>): string {
  return JSON.stringify([accountId, id])
}

interface Created {
  readonly createdAt: Date
  readonly id: string
}

/** Newest first by (creation, id). */
export function newestFirst(one: Created, other: Created): number {
  const byTime = other.createdAt.getTime() - one.createdAt.getTime()
  return byTime === 0 ? Number(one.id < other.id) - Number(one.id > other.id) : byTime
}

/** An empty state with this clock. */
export function memoryState(now: () => Date): MemoryState {
  const events = new Map<string, AccountEvent>()
  let trimmed = 0
  return {
    events,
    forgetEvent(event) {
      if (events.delete(eventName(event))) trimmed += 1
    },
    eventsTrimmed: () => trimmed,
    now,
    accounts: new Map(),
    signIns: new Map(),
    suspensionReasons: new Map(),
    suspensionVersions: new Map(),
    audit: memoryAuditLog(now),
    steps: new Map(),
    erasing: new Set(),
    apiKeys: new Map(),
    responses: new Map(),
    batches: new Map(),
    publishers: new Map(),
    publisherEvents: new Map(),
    tokens: new Map(),
    usedAssertions: new Map(),
  }
}

/** The time since the last recorded sign-in. */
export function idleMs({ signIns, now }: MemoryState, { id, createdAt }: Account): number {
  return now().getTime() - (signIns.get(id) ?? createdAt).getTime()
}

export function asOfNow(state: MemoryState, account: Account): Account {
  return { ...account, signedInToday: idleMs(state, account) < dayMs }
}

export function accountOf(state: MemoryState, id: AccountId): Account | undefined {
  const found = [...state.accounts.values()].find((account) => account.id === id)
  return found === undefined ? undefined : asOfNow(state, found)
}

/** Replaces the step of a service for an account; it is due now. */
export function addStep({ steps, now }: MemoryState, step: AccountStep): void {
  const createdAt = now()
  steps.set(`${step.accountId} ${step.service}`, { step, createdAt, dueMs: createdAt.getTime(), attempts: 0 })
}
