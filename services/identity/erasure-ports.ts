import type { QueueState } from '#shared/core/audit-entry.js'
import type { Account, AccountId, AccountRecord } from './domain/account.js'
import type { AccountStep, DataService } from './domain/account-step.js'

/** An account after it was closed or restored. */
export interface ChangedAccount {
  readonly account: Account
  /** Grows with every change of whether its shares are shown. */
  readonly version: number
  /** False if it was so already. */
  readonly changed: boolean
}

/** What applying a ledger did. */
export interface AppliedLedger {
  /** The accounts whose erasure begins again. */
  readonly erasing: readonly AccountId[]
  /** How many closing accounts have their whole time again. */
  readonly renewed: number
}

/** A line of the ledger. */
export interface ErasedAccount {
  /** SHA-256 of the account's id, in hexadecimal. */
  readonly digest: string
  readonly erasedAt: Date
}

/**
 * Closes, restores and erases accounts. Its clock decides. Other services do their part by steps, which are stored with
 * the change that causes them; a later change of the account replaces its steps.
 */
export interface ErasureStore {
  /** Closes an account until `days` from now, with an event; a closing one keeps its time. `null` for an unknown id. */
  close(id: AccountId, days: number): Promise<ChangedAccount | null>
  /**
   * Opens a closing account again, with an event; an open one stays as it is. `null` for an unknown id.
   * @throws DomainError `account_erased` once its time is over.
   */
  restore(id: AccountId): Promise<ChangedAccount | null>
  /** Up to `limit` due steps of a service, leased for `leaseMs`. */
  claim(service: DataService, limit: number, leaseMs: number): Promise<readonly AccountStep[]>
  /** Removes a step that is done; of an erasure, keeps a receipt. Does nothing if a later one replaced it. */
  finish(step: AccountStep): Promise<void>
  /** Makes a step due in a second, or later after each failure, within a minute. */
  postpone(step: AccountStep, failed: boolean): Promise<void>
  /** Gives every service its step for up to `limit` closing accounts whose time is over; returns how many. */
  beginDue(limit: number): Promise<number>
  /**
   * Deletes up to `limit` accounts that every other service has erased, with a receipt and a line of the ledger;
   * returns how many.
   */
  eraseFinished(limit: number): Promise<number>
  /** The number of accounts in the ledger that a restored backup has brought back. */
  countRestored(): Promise<number>
  /** All lines of the ledger, oldest first. */
  ledger(): AsyncIterable<ErasedAccount>
  /**
   * Adds lines to the ledger, and begins the erasure of the accounts among them that exist. All other closing accounts
   * have at least `days` again, unless their erasure has begun: their owners may have restored them after the backup.
   */
  applyLedger(erased: readonly ErasedAccount[], days: number): Promise<AppliedLedger>
  /** Up to `limit` closing accounts, the next one to be erased first. */
  closing(limit: number): Promise<readonly AccountRecord[]>
  /** The steps that are due, and the accounts whose time is over. */
  queue(): Promise<QueueState>
}
