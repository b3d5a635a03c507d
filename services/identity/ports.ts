import type { PlanName } from '#libs/core/plan.js'
import type { Account, AccountId, Identity, ProfileData } from './domain/account.js'

/** Keeps accounts. Its clock decides when an account was made. */
export interface AccountStore {
  /** The account of this identity, or `null`. */
  find(identity: Identity): Promise<Account | null>
  /**
   * Gives the account of this identity this profile, and makes it, on the Free plan and with the given id, if there is
   * none. Of two callers at once one makes it and both get the same.
   */
  upsert(id: AccountId, identity: Identity, profile: ProfileData): Promise<Account>
  /**
   * Records a plan unless one of this or a later version is recorded already, in one step. The account as it is
   * afterwards and whether the plan was recorded; `null` when no account has this id.
   */
  setPlan(
    id: AccountId,
    plan: PlanName,
    version: number,
  ): Promise<{ account: Account; applied: boolean } | null>
}

/** Makes ids that nobody can guess. */
export interface AccountIds {
  next(): AccountId
}

/** Everything that identity needs from outside. */
export interface IdentityPorts {
  readonly accounts: AccountStore
  readonly ids: AccountIds
}
