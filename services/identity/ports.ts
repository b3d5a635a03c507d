import type { Announced } from '#libs/core/announced.js'
import type { PlanName } from '#shared/core/plan.js'
import type { Account, AccountId, Identity, ProfileData } from './domain/account.js'
import type { ApiKey, ApiKeyDraft, ApiKeyId, DayOfUse, KeyDigest, KeyUse } from './domain/api-key.js'
import type { IdempotentRequest, SealedResponse } from './domain/idempotency.js'
import type { RevokedPart, SecretDraft } from './domain/rotation.js'

/** Keeps accounts. Its clock decides when an account was made. */
export interface AccountStore {
  /** The account of this identity, or `null`. */
  find(identity: Identity): Promise<Account | null>
  /**
   * Gives the account of this identity this profile, unless it has one of a token that was issued later, and makes it, on
   * the Free plan and with the given id, if there is none. Of two callers at once one makes it and both get the same.
   */
  upsert(id: AccountId, identity: Identity, profile: ProfileData, issuedAt: Date | null): Promise<Account>
  /**
   * Records a plan unless one of this or a later version is recorded already, in one step. The account as it is
   * afterwards and whether the plan was recorded; `null` when no account has this id.
   */
  setPlan(
    id: AccountId,
    plan: PlanName,
    version: number,
  ): Promise<{ account: Account; applied: boolean } | null>
  /** Notes a sign-in unless one of the last 24 hours is noted; whether it was. So an account is written once a day. */
  noteSignIn(id: AccountId): Promise<boolean>
}

/** What an operator is shown of an account. */
export interface AccountRecord {
  readonly account: Account
  readonly identity: Identity
  /** The last sign-in that was noted: up to a day before the last one there was. */
  readonly signedInAt: Date
  readonly suspensionReason: string | null
  /** How many API keys it holds. */
  readonly apiKeys: number
}

/** Accounts as an operator works with them, from a terminal. */
export interface OperatorAccounts {
  /** Suspends an account, or gives one that is suspended another reason, unless it is `null`; `null` for an unknown id. */
  suspend(id: AccountId, reason: string | null): Promise<AccountRecord | null>
  /** Ends a suspension; `null` for an unknown id. */
  resume(id: AccountId): Promise<AccountRecord | null>
  /** Up to `limit` accounts that have this id, this subject, or this e-mail address in whatever case; newest first. */
  search(text: string, limit: number): Promise<readonly AccountRecord[]>
}

/** What an operator's commands need. */
export interface OperatorPorts {
  readonly accounts: OperatorAccounts
  readonly callers: {
    /** Tells everybody who remembers callers that this one has changed. Never rejects. */
    announce(accountId: AccountId): Promise<Announced>
  }
}

/** Makes ids that nobody can guess. */
export interface AccountIds {
  next(): AccountId
}

/** Whom a key acts for. */
export interface KeyHolder {
  readonly account: Account
  readonly apiKey: Pick<ApiKey, 'id' | 'accountId' | 'scopes'>
  /** The number of the secret that was shown. */
  readonly secret: number
  /** Whether this is the first use of a new secret, by which the previous one may have got an end. */
  readonly overlapBegan: boolean
  /** Until the key or the secret expires, by the store's clock; `null` when it never does. */
  readonly timeLeftMs: number | null
  /** Since the owner's last noted sign-in, by the store's clock. */
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
  /** A request with this idempotency key came before. */
  | { readonly state: 'replayed'; readonly response: SealedResponse }

/** Keeps API keys by their keyed hashes, and how much they are used. Its clock decides what has expired. */
export interface ApiKeyStore {
  /**
   * Adds a key after `admit`, which is told the account's plan and how many keys it holds and may throw, and stores the
   * response that `seal` makes for the idempotency key of the request, all or nothing; nobody else adds a key to this
   * account meanwhile. A request whose idempotency key is known adds nothing.
   * @throws DomainError `not_found` when there is no such account; what `admit` throws.
   */
  add(
    draft: ApiKeyDraft,
    admit: (plan: PlanName, held: number) => void,
    request: SealingRequest | null,
  ): Promise<AddedKey>
  /**
   * Gives the account's key a new secret after `admit`, which is told the plan, the key and whether it has expired, and may
   * throw. The one that the key has goes on: it ends so long after the new secret's first use, or after now. A new secret
   * that nobody has used is replaced. No secret lives longer by this than it would have.
   * @throws DomainError `not_found` when the account has no such key; what `admit` throws.
   */
  rotate(
    draft: SecretDraft,
    admit: (plan: PlanName, apiKey: ApiKey, isExpired: boolean) => void,
    request: SealingRequest | null,
  ): Promise<AddedKey>
  /** Ends the older of two secrets; false when the account's key has only one, or there is no such key. */
  endPrevious(accountId: AccountId, id: ApiKeyId): Promise<boolean>
  /** Ends the secret with any of these hashes; whose it was and what ended with it, `null` for an unknown or expired one. */
  revoke(
    digests: readonly KeyDigest[],
  ): Promise<{ readonly accountId: AccountId; readonly id: ApiKeyId; readonly part: RevokedPart } | null>
  /** The account's keys, newest first. */
  list(accountId: AccountId): Promise<readonly ApiKey[]>
  /** The key, whosever it is, or `null`. */
  find(id: ApiKeyId): Promise<ApiKey | null>
  /** Removes the account's key with its counts; false when it has none of this id. */
  remove(accountId: AccountId, id: ApiKeyId): Promise<boolean>
  /**
   * Whom the secret with any of these hashes acts for, unless it has expired. One that is found by another hash than the
   * first is known by the first from then on. The first use of a new secret begins the overlap.
   */
  resolve(digests: readonly KeyDigest[]): Promise<KeyHolder | null>
  /** The days from `from` to `to`, both included, on which the key was used, oldest first. */
  usage(id: ApiKeyId, from: string, to: string): Promise<readonly DayOfUse[]>
  /** Adds counts, once for each batch; keys that are gone are passed over. False when the batch was known. */
  addUsage(batchId: string, uses: readonly KeyUse[]): Promise<boolean>
  /** Deletes batches, responses and secrets that have expired; how many they were. */
  forgetOld(): Promise<number>
}

/** Makes keys and what is kept of them, with secrets of its own. */
export interface KeySecrets {
  /** A new key. */
  create(): string
  /** The hashes by which this key may be kept, that of the newest secret first. */
  digests(key: string): readonly [KeyDigest, ...KeyDigest[]]
  /** A hash of an account's idempotency key, by which it is found; the same whatever the secrets are. */
  digestOf(accountId: AccountId, idempotencyKey: string): string
  /** Encrypts a text so that only who has the same idempotency key again can read it. */
  seal(accountId: AccountId, idempotencyKey: string, text: string): Uint8Array
  /** The text that `seal` was given; `null` when its secret is no longer there. */
  open(accountId: AccountId, idempotencyKey: string, sealed: Uint8Array): string | null
}

/** Makes ids of API keys. */
export interface ApiKeyIds {
  next(): ApiKeyId
}

/** Tells everybody who remembers callers that one of them has changed. */
export interface CallerInvalidation {
  /** Never rejects: whoever is not reached forgets by himself within seconds. */
  invalidate(accountId: AccountId): Promise<void>
}

/** Everything that identity needs from outside. */
export interface IdentityPorts {
  readonly accounts: AccountStore
  readonly ids: AccountIds
  readonly apiKeys: ApiKeyStore
  readonly apiKeyIds: ApiKeyIds
  readonly secrets: KeySecrets
  readonly invalidation: CallerInvalidation
}
