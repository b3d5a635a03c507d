import type { Announced } from '#libs/core/announced.js'
import type { ListPosition } from '#libs/core/page.js'
import type { PlanName } from '#shared/core/plan.js'
import type { Account, AccountId, Identity, ProfileData } from './domain/account.js'
import type { AccountEvent, EventDays } from './domain/account-event.js'
import type { ApiKey, ApiKeyDraft, ApiKeyId, DayOfUse, KeyDigest, KeyUse } from './domain/api-key.js'
import type { IdempotentRequest, SealedResponse } from './domain/idempotency.js'
import type { Assertion, Judgement, RefusalReason } from './domain/judge-assertion.js'
import type { Revocation, SecretDraft } from './domain/rotation.js'
import type {
  PublisherUse,
  TrustedPublisher,
  TrustedPublisherDraft,
  TrustedPublisherId,
} from './domain/trusted-publisher.js'

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
   * Records a plan unless this or a later version is already recorded, in one step. Returns the account and whether
   * the plan was recorded; `null` for an unknown id.
   */
  setPlan(
    id: AccountId,
    plan: PlanName,
    version: number,
  ): Promise<{ account: Account; applied: boolean } | null>
  /**
   * Records a sign-in unless one of the last 24 hours is recorded; returns whether it did. So an account is written
   * at most once a day.
   */
  noteSignIn(id: AccountId): Promise<boolean>
}

/** An account as operators see it. */
export interface AccountRecord {
  readonly account: Account
  readonly identity: Identity
  /** The last recorded sign-in: up to a day before the actual one. */
  readonly signedInAt: Date
  readonly suspensionReason: string | null
  /** The number of its API keys. */
  readonly apiKeys: number
}

/** Accounts for operator commands. */
export interface OperatorAccounts {
  /** Suspends an account, or gives a suspended one another reason, unless it is `null`; `null` for an unknown id. */
  suspend(id: AccountId, reason: string | null): Promise<AccountRecord | null>
  /** Ends a suspension; `null` for an unknown id. */
  resume(id: AccountId): Promise<AccountRecord | null>
  /** Up to `limit` accounts with this id, this subject, or this e-mail address in any case; newest first. */
  search(text: string, limit: number): Promise<readonly AccountRecord[]>
}

/** The dependencies of operator commands. */
export interface OperatorPorts {
  readonly accounts: OperatorAccounts
  readonly callers: {
    /** Notifies all processes that cache callers that this one has changed. Never rejects. */
    announce(accountId: AccountId): Promise<Announced>
  }
}

/** Creates unguessable ids. */
export interface AccountIds {
  next(): AccountId
}

/** The account of a key. */
export interface KeyHolder {
  readonly account: Account
  readonly apiKey: Pick<ApiKey, 'id' | 'accountId' | 'name' | 'scopes'>
  /** The number of the secret that was shown. */
  readonly secret: number
  /** Whether this is the first use of a new secret, by which the previous one may have got an end. */
  readonly overlapBegan: boolean
  /** Until the key or the secret expires, by the store's clock; `null` when it never does. */
  readonly timeLeftMs: number | null
  /** Since the owner's last recorded sign-in, by the store's clock. */
  readonly ownerIdleMs: number
}

/** What a request is known by that may be repeated, and how its response is kept. */
export interface SealingRequest {
  readonly key: IdempotentRequest
  seal(apiKey: ApiKey): SealedResponse
}

/** What became of a request for a new key or secret. */
export type AddedKey =
  | { readonly state: 'added'; readonly apiKey: ApiKey }
  /** A replay of an earlier request with this idempotency key. */
  | { readonly state: 'replayed'; readonly response: SealedResponse }

/** Stores API keys by their keyed hashes, and their usage. Its clock decides what has expired. */
export interface ApiKeyStore {
  /**
   * Adds a key after `admit`, which gets the account's plan and number of keys and may throw, and stores the result
   * of `seal` as the response for the idempotency key, all or nothing; no one else adds a key to this account
   * meanwhile. A replayed request adds nothing.
   * @throws DomainError `not_found` if the account does not exist; what `admit` throws.
   */
  add(
    draft: ApiKeyDraft,
    admit: (plan: PlanName, held: number) => void,
    request: SealingRequest | null,
  ): Promise<AddedKey>
  /**
   * Gives the account's key a new secret after `admit`, which is told the plan, the key and whether it has expired, and may
   * throw. The one that the key has goes on: it ends so long after the new secret's first use, or after now. A new secret
   * that no one has used is replaced. No secret lives longer by this than it would have.
   * @throws DomainError `not_found` when the account has no such key; what `admit` throws.
   */
  rotate(
    draft: SecretDraft,
    admit: (plan: PlanName, apiKey: ApiKey, isExpired: boolean) => void,
    request: SealingRequest | null,
  ): Promise<AddedKey>
  /** Ends the older of two secrets; false when there is none. */
  endPrevious(accountId: AccountId, id: ApiKeyId): Promise<boolean>
  /** Ends the secret with any of these hashes; whose it was and what ended with it, `null` for an unknown or expired one. */
  revoke(digests: readonly KeyDigest[]): Promise<Revocation | null>
  /** The account's keys, newest first. */
  list(accountId: AccountId): Promise<readonly ApiKey[]>
  /** The key of any account, or `null`. */
  find(id: ApiKeyId): Promise<ApiKey | null>
  /** Deletes the account's key and its counts; false if it has none with this id. */
  remove(accountId: AccountId, id: ApiKeyId): Promise<boolean>
  /**
   * Whom the secret with any of these hashes acts for, unless it has expired. One that is found by another hash than the
   * first is known by the first from then on. The first use of a new secret begins the overlap.
   */
  resolve(digests: readonly KeyDigest[]): Promise<KeyHolder | null>
  /** The days from `from` to `to`, both included, on which the key was used, oldest first. */
  usage(id: ApiKeyId, from: string, to: string): Promise<readonly DayOfUse[]>
  /** Adds counts, once for each batch; deleted keys are skipped. False if the batch was already added. */
  addUsage(batchId: string, uses: readonly KeyUse[]): Promise<boolean>
  /** Deletes batches, responses and secrets that have expired; how many they were. */
  forgetOld(): Promise<number>
}

/** Creates keys and their stored hashes. */
export interface KeySecrets {
  /** A new key. */
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

/** Whom an access token acts for. */
export interface TokenHolder {
  readonly account: Account
  readonly publisher: TrustedPublisher
  /** Until the token expires, by the store's clock. */
  readonly timeLeftMs: number
  /** Since the owner's last noted sign-in, by the store's clock. */
  readonly ownerIdleMs: number
}

/** What became of a request for a new rule. */
export type AddedPublisher =
  | { readonly state: 'added'; readonly publisher: TrustedPublisher }
  /** A request with this idempotency key came before. */
  | { readonly state: 'replayed'; readonly response: SealedResponse }

/** One attempt to get a token of a rule. */
export interface PublisherEvent extends Omit<Judgement, 'reason'> {
  readonly id: string
  readonly at: Date
  /** `null` when a token was issued. */
  readonly reason: RefusalReason | null
}

/** What a rule decides an assertion by. */
export interface OwnerState {
  readonly account: Account
  readonly ownerIdleMs: number
}

/** What became of an assertion. */
export type Exchanged =
  | { readonly state: 'issued'; readonly publisher: TrustedPublisher }
  | { readonly state: 'refused' }

/** Keeps rules by which CI jobs act for accounts, their tokens by keyed hashes, and which assertions were used. */
export interface TrustedPublisherStore {
  /** As `ApiKeyStore.add` does with a key. */
  add(
    draft: TrustedPublisherDraft,
    admit: (plan: PlanName, held: number) => void,
    request: {
      readonly key: IdempotentRequest
      seal(publisher: TrustedPublisher): SealedResponse
    } | null,
  ): Promise<AddedPublisher>
  /** The account's rules, newest first. */
  list(accountId: AccountId): Promise<readonly TrustedPublisher[]>
  /** The rule, whosever it is, or `null`. */
  find(id: TrustedPublisherId): Promise<TrustedPublisher | null>
  /** Replaces a rule by what `change` makes of it, and deletes its tokens if told so, in one step; `null` without it. */
  update(
    id: TrustedPublisherId,
    change: (publisher: TrustedPublisher, now: Date) => TrustedPublisher,
    endsTokens: boolean,
  ): Promise<TrustedPublisher | null>
  /** Removes the account's rule with its tokens and events; false when it has none of this id. */
  remove(accountId: AccountId, id: TrustedPublisherId): Promise<boolean>
  /**
   * Has `judge` decide over an assertion, with the rule locked so that no one changes it meanwhile. Unless it refuses, the
   * assertion is noted as used and a token stored under this hash; an assertion that was used before, for whatever rule,
   * is refused. Either way an event is noted: the newest 50 of the rule's own repository are kept, and 10 of others. `null`
   * without such a rule.
   */
  exchange(
    id: TrustedPublisherId,
    assertion: Assertion,
    judge: (publisher: TrustedPublisher, owner: OwnerState) => Judgement,
    token: { readonly digest: KeyDigest; readonly eventId: string },
  ): Promise<Exchanged | null>
  /** The rule's events, newest first. */
  events(id: TrustedPublisherId): Promise<readonly PublisherEvent[]>
  /** Whom the token with any of these hashes acts for, unless it has expired or its rule is out of force. */
  resolve(digests: readonly KeyDigest[]): Promise<TokenHolder | null>
  /** Deletes the token with any of these hashes; whose it was. */
  revoke(digests: readonly KeyDigest[]): Promise<AccountId | null>
  /** Adds counts, once for each batch; rules that are gone are passed over. False when the batch was known. */
  addUsage(batchId: string, uses: readonly PublisherUse[]): Promise<boolean>
  /** Deletes tokens and used assertions that have expired; how many they were. */
  forgetExpired(): Promise<number>
}

/** Makes ids of rules and of their events. */
export interface TrustedPublisherIds {
  next(): TrustedPublisherId
  nextEvent(): string
}

/** Makes access tokens for CI jobs. */
export interface AccessTokens {
  /** A new token. */
  create(): string
}

/** Creates ids of API keys. */
export interface ApiKeyIds {
  next(): ApiKeyId
}

/** Notifies all processes that cache callers that one has changed. */
export interface CallerInvalidation {
  /** Never rejects: caches that miss a message expire within seconds. */
  invalidate(accountId: AccountId): Promise<void>
}

/** Keeps what happened in accounts. The other stores record it in the step of the change itself. */
export interface EventStore {
  /** A page of an account's events that its plan keeps, newest first. */
  list(filter: {
    readonly accountId: AccountId
    /** A type such as `key.created`, or a group such as `key`. */
    readonly type: string | null
    readonly subject: string | null
    readonly after: ListPosition | null
    readonly itemsMax: number
    readonly days: EventDays
  }): Promise<{ readonly items: readonly AccountEvent[]; readonly next: ListPosition | null }>
  /** Records once for each key that it ends in 14 and in 3 days, and that it has ended. */
  remind(): Promise<void>
  /** Deletes events that plans no longer keep, some at a time; how many they were. */
  trim(days: EventDays): Promise<number>
}

/** All dependencies of identity. */
export interface IdentityPorts {
  readonly accounts: AccountStore
  readonly ids: AccountIds
  readonly apiKeys: ApiKeyStore
  readonly apiKeyIds: ApiKeyIds
  readonly secrets: KeySecrets
  readonly invalidation: CallerInvalidation
  readonly trustedPublishers: TrustedPublisherStore
  readonly trustedPublisherIds: TrustedPublisherIds
  readonly accessTokens: AccessTokens
  readonly events: EventStore
}
