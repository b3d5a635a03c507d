import type { Announced } from '#libs/core/announced.js'
import type { ListPosition } from '#libs/core/page.js'
import type { AuditEntry, AuditLogFilter, AuditLogPage, OperatorDecision } from '#shared/core/audit-entry.js'
import type { PlanName } from '#shared/core/plan.js'
import type { Account, AccountId, AccountRecord, Identity, ProfileData } from './domain/account.js'
import type { AccountEvent, EventDays, ManualPlan } from './domain/account-event.js'
import type { ApiKey, ApiKeyDraft, ApiKeyId, DayOfUse, KeyDigest, KeyUse } from './domain/api-key.js'
import type { Assertion, JobDecision, PublisherEvent } from './domain/authorize-job.js'
import type { RecordedEvent } from './domain/recorded-event.js'
import type { Revocation, SecretDraft } from './domain/rotation.js'
import type {
  PublisherUse,
  TrustedPublisher,
  TrustedPublisherDraft,
  TrustedPublisherId,
} from './domain/trusted-publisher.js'
import type { ErasureStore } from './erasure-ports.js'

/** Stores accounts. Its clock sets the time of creation. */
export interface AccountStore {
  /** The account of this identity, or `null`. */
  find(identity: Identity): Promise<Account | null>
  /**
   * Sets the profile of this identity's account, unless it has one from a later token. Creates the account, on the
   * Free plan and with the given id, if it does not exist. Of two concurrent calls one creates it and both get the
   * same.
   */
  upsert(id: AccountId, identity: Identity, profile: ProfileData, issuedAt: Date | null): Promise<Account>
  /**
   * Records a plan unless this or a later version is already recorded, in one step with the events of a change and of
   * a grant. Returns the account and whether the plan was recorded; `null` for an unknown id.
   */
  setPlan(
    id: AccountId,
    plan: PlanName,
    version: number,
    grant?: ManualPlan | null,
  ): Promise<{ account: Account; applied: boolean } | null>
  /** Records a sign-in, at most one in 24 hours; returns whether it did. */
  noteSignIn(id: AccountId): Promise<boolean>
}

/**
 * Accounts as operators see them, and what they do to them. A suspension or resumption records an event and an audit
 * entry in the same step; if there is nothing to change, it does nothing.
 */
export interface OperatorAccounts {
  /** Suspends an account, or gives a suspended one another reason, unless it is empty; `null` for an unknown id. */
  suspend(id: AccountId, decision: OperatorDecision): Promise<AccountRecord | null>
  /** Ends a suspension; `null` for an unknown id. */
  resume(id: AccountId, decision: OperatorDecision): Promise<AccountRecord | null>
  /** Up to `limit` accounts with this id, this subject, or this e-mail address in any case; newest first. */
  search(text: string, limit: number): Promise<readonly AccountRecord[]>
}

/** What operators did, in all services. An entry never changes, except that an erasure replaces an account by its digest. */
export interface AuditLog {
  /** Adds an entry that another service wrote down, unless it is there. */
  record(entry: AuditEntry): Promise<void>
  list(filter: AuditLogFilter): Promise<AuditLogPage>
}

/** The dependencies of operator commands. */
export interface OperatorPorts {
  readonly accounts: OperatorAccounts
  readonly callers: {
    /** Notifies all processes that cache callers that this one has changed. Never rejects. */
    announce(accountId: AccountId): Promise<Announced>
  }
}

/** Creates unguessable ids, and access tokens for CI jobs. */
export interface IdentityIds {
  account(): AccountId
  apiKey(): ApiKeyId
  trustedPublisher(): TrustedPublisherId
  publisherEvent(): string
  accessToken(): string
}

/** The account of a key. */
export interface KeyHolder {
  readonly account: Account
  readonly apiKey: Pick<ApiKey, 'id' | 'accountId' | 'name' | 'scopes'>
  /** The number of the secret that was used. */
  readonly secret: number
  /** Whether this is the first use of a new secret, which may have set an end to the previous one. */
  readonly overlapBegan: boolean
  /** Until the key or the secret expires, by the store's clock; `null` if neither does. */
  readonly timeLeftMs: number | null
  /** Since the owner's last recorded sign-in, by the store's clock. */
  readonly ownerIdleMs: number
}

/** The stored response of an idempotency key. */
export interface SealedResponse {
  /** Distinguishes the request from others with the same key. */
  readonly fingerprint: string
  /** The response, encrypted. */
  readonly sealed: Uint8Array
}

/** Identifies a retryable request, and encrypts its response. */
export interface SealingRequest<Added> {
  /** A hash of the idempotency key. */
  readonly digest: string
  seal(added: Added): SealedResponse
}

/** The outcome of a request for a new key, secret or rule. */
export type Issued<Added> =
  | { readonly state: 'added'; readonly added: Added }
  /** A replay of an earlier request with this idempotency key. */
  | { readonly state: 'replayed'; readonly response: SealedResponse }

/** Stores API keys by their keyed hashes, and their usage. Its clock decides what has expired. */
export interface ApiKeyStore {
  /**
   * Adds a key after `admit`, which gets the account's plan and number of keys and returns their limit or throws, and
   * stores the result of `seal` as the response for the idempotency key, all or nothing; no one else adds a key to
   * this account meanwhile. Adds events of the key, and of a limit that became near. A replayed request adds nothing.
   * @throws DomainError `not_found` if the account does not exist; what `admit` throws.
   */
  add(
    draft: ApiKeyDraft,
    admit: (plan: PlanName, held: number) => number | null,
    request: SealingRequest<ApiKey> | null,
  ): Promise<Issued<ApiKey>>
  /**
   * Gives the account's key a new secret after `admit`, which gets the plan, the key and whether it has expired, and
   * may throw. The existing secret ends a set time after the new one is first used, or after now. An unused new secret
   * is replaced. No secret lives longer than it would have.
   * @throws DomainError `not_found` if the account has no such key; what `admit` throws.
   */
  rotate(
    draft: SecretDraft,
    admit: (plan: PlanName, apiKey: ApiKey, isExpired: boolean) => void,
    request: SealingRequest<ApiKey> | null,
  ): Promise<Issued<ApiKey>>
  /** Ends the older of two secrets; false if there is only one. */
  endPrevious(accountId: AccountId, id: ApiKeyId): Promise<boolean>
  /** Ends the secret with one of these hashes; `null` for an unknown or expired one. */
  revoke(digests: readonly KeyDigest[]): Promise<Revocation | null>
  /** The account's keys, newest first. */
  list(accountId: AccountId): Promise<readonly ApiKey[]>
  /** The key of any account, or `null`. */
  find(id: ApiKeyId): Promise<ApiKey | null>
  /** Deletes the account's key and its counts; false if it has none with this id. */
  remove(accountId: AccountId, id: ApiKeyId): Promise<boolean>
  /**
   * The account that the secret with one of these hashes acts for, unless it has expired. A secret found by an older
   * hash is stored under the first from then on. The first use of a new secret starts the overlap.
   */
  resolve(digests: readonly KeyDigest[]): Promise<KeyHolder | null>
  /** The days from `from` to `to`, both included, on which the key was used, oldest first. */
  usage(id: ApiKeyId, from: string, to: string): Promise<readonly DayOfUse[]>
  /** Adds counts, once for each batch; deleted keys are skipped. False if the batch was already added. */
  addUsage(batchId: string, uses: readonly KeyUse[]): Promise<boolean>
  /** Deletes expired batches, responses and secrets, in batches until the signal is aborted; returns their number. */
  forgetOld(signal: AbortSignal): Promise<number>
}

/** Creates keys and their stored hashes. */
export interface KeySecrets {
  create(): string
  /** The possible hashes of this key, that of the newest pepper first. */
  digests(key: string): readonly [KeyDigest, ...KeyDigest[]]
  /** The hash by which an account's idempotency key is found; independent of the peppers. */
  digestOf(accountId: AccountId, idempotencyKey: string): string
  /** Encrypts a text so that only the holder of the same idempotency key can read it. */
  seal(accountId: AccountId, idempotencyKey: string, text: string): Uint8Array
  /** The decrypted text; `null` if its pepper is no longer configured. */
  open(accountId: AccountId, idempotencyKey: string, sealed: Uint8Array): string | null
}

/** The account that an access token acts for. */
export interface TokenHolder {
  readonly account: Account
  readonly publisher: TrustedPublisher
  /** Until the token expires, by the store's clock. */
  readonly timeLeftMs: number
  /** Since the owner's last recorded sign-in, by the store's clock. */
  readonly ownerIdleMs: number
}

/** What a rule judges an assertion by. */
export interface OwnerState {
  readonly account: Account
  readonly ownerIdleMs: number
}

/** The outcome for an assertion. */
export type Exchanged =
  | { readonly state: 'issued'; readonly publisher: TrustedPublisher }
  | { readonly state: 'refused' }

/** Stores the rules by which CI jobs act for accounts, hashes of their tokens, and used assertions. */
export interface TrustedPublisherStore {
  /** Like `ApiKeyStore.add`. */
  add(
    draft: TrustedPublisherDraft,
    admit: (plan: PlanName, held: number) => number | null,
    request: SealingRequest<TrustedPublisher> | null,
  ): Promise<Issued<TrustedPublisher>>
  /** The account's rules, newest first. */
  list(accountId: AccountId): Promise<readonly TrustedPublisher[]>
  /** The rule of any account, or `null`. */
  find(id: TrustedPublisherId): Promise<TrustedPublisher | null>
  /** Replaces a rule by the result of `change`, atomically with the end of its tokens; `null` for an unknown id. */
  update(
    id: TrustedPublisherId,
    change: (publisher: TrustedPublisher, now: Date) => TrustedPublisher,
    endsTokens: boolean,
  ): Promise<TrustedPublisher | null>
  /** Deletes the account's rule with its tokens and events; false if it has none with this id. */
  remove(accountId: AccountId, id: TrustedPublisherId): Promise<boolean>
  /**
   * Lets `judge` decide on an assertion, under the rule's lock. If accepted, the assertion is recorded as used and a
   * token stored under this hash; an assertion used before, for any rule, is rejected. Either way an event is recorded:
   * the newest 50 of the rule's own repository are kept, and 10 of others. `null` if there is no such rule.
   */
  exchange(
    id: TrustedPublisherId,
    assertion: Assertion,
    judge: (publisher: TrustedPublisher, owner: OwnerState) => JobDecision,
    token: { readonly digest: KeyDigest; readonly eventId: string },
  ): Promise<Exchanged | null>
  /** The rule's events, newest first. */
  events(id: TrustedPublisherId): Promise<readonly PublisherEvent[]>
  /** The account that the token with one of these hashes acts for, unless it has expired or its rule is disabled. */
  resolve(digests: readonly KeyDigest[]): Promise<TokenHolder | null>
  /** Deletes the token with one of these hashes; returns what it belonged to. */
  revoke(digests: readonly KeyDigest[]): Promise<AccountId | null>
  /** Adds counts, once for each batch; deleted rules are skipped. False if the batch was already added. */
  addUsage(batchId: string, uses: readonly PublisherUse[]): Promise<boolean>
  /** Deletes expired tokens and used assertions, in batches until the signal is aborted; returns their number. */
  forgetExpired(signal: AbortSignal): Promise<number>
}

/** Notifies all processes that cache callers that one has changed. */
export interface CallerInvalidation {
  /** Never rejects: caches that miss a message expire within seconds. */
  invalidate(accountId: AccountId): Promise<void>
}

/** Stores what happened in accounts. The other stores record events in the transaction of the change itself. */
export interface EventStore {
  /** A page of an account's events within its plan's retention, newest first. */
  list(filter: {
    readonly accountId: AccountId
    /** A type such as `key.created`, or a group such as `key`. */
    readonly type: string | null
    readonly subject: string | null
    readonly after: ListPosition | null
    readonly itemsMax: number
    readonly days: EventDays
  }): Promise<{ readonly items: readonly AccountEvent[]; readonly next: ListPosition | null }>
  /** Records what happened in other services, all or nothing; an account has each id once. */
  record(events: readonly RecordedEvent[]): Promise<void>
  /** Records once for each key that it expires in 14 and in 3 days, and that it has expired. */
  remind(signal: AbortSignal): Promise<void>
  /** Deletes all events beyond their plan's retention, in batches until the signal is aborted; returns their number. */
  trim(days: EventDays, signal: AbortSignal): Promise<number>
}

/** All dependencies of identity. */
export interface IdentityPorts {
  readonly accounts: AccountStore
  readonly ids: IdentityIds
  readonly apiKeys: ApiKeyStore
  readonly secrets: KeySecrets
  readonly invalidation: CallerInvalidation
  readonly trustedPublishers: TrustedPublisherStore
  readonly events: EventStore
  readonly erasures: ErasureStore
  readonly operatorAccounts: OperatorAccounts
  readonly auditLog: AuditLog
}
