import type { Page } from '#libs/core/page.js'
import type { Check, CheckDecision, CheckDraft, CheckFilter } from './domain/check.js'
import type { Contract, ContractDraft, ContractQuota } from './domain/contract.js'
import type { Completion } from './domain/idempotency.js'
import type { CheckId, OwnerId, SnippetId } from './domain/ids.js'
import type { ChangeQuotas } from './domain/revision.js'
import type { SnippetKey } from './domain/snippet-reads.js'
import type { WithData } from './domain/stored-data.js'

/** Stores the contracts of snippets, each of which is deleted with its snippet. */
export interface ContractStore {
  /** The contract of a snippet, or `null`. */
  find(key: SnippetKey): Promise<Contract | null>
  /**
   * Creates or replaces a contract in one step; `check` sees the current one and may throw. `null` if the owner has no
   * such snippet.
   * @throws what `check` throws; the error of the quota, for a new one.
   */
  put(
    key: SnippetKey,
    draft: ContractDraft,
    check: (contract: Contract | null) => void,
    quota: ContractQuota,
  ): Promise<{ readonly contract: Contract; readonly created: boolean } | null>
  /** Deletes a contract after `check`; false if there is none. */
  remove(key: SnippetKey, check: (contract: Contract) => void): Promise<boolean>
  /** The owner's contracts after that of this snippet, without their rules, in the order of the snippets' ids. */
  list(ownerId: OwnerId, after: SnippetId | null, itemsMax: number): Promise<readonly Contract[]>
  /** The number of the owner's contracts. */
  count(ownerId: OwnerId): Promise<number>
}

/** What an approval may use up. */
export interface ApprovalQuotas {
  /** `null` for no limit. */
  readonly snippets: number | null
  /** Thrown beyond it. */
  readonly refuse: () => Error
  /** How many replaced versions of a snippet are kept. */
  readonly revisions: number
}

/**
 * Stores checks and the candidates of those that are pending. A candidate counts for the owner's storage until it is
 * dropped; one that becomes a version moves there. The breaks count until the check is deleted. Deleting a snippet deletes
 * its checks.
 */
export interface CheckStore {
  /**
   * Stores a judged candidate, or makes it the next version if it `isAccepted`, adds an event to the outbox if it breaks
   * the contract, and completes the request with its id, all or nothing. Expires the oldest pending checks of the snippet beyond
   * `pendingMax`. `null` if the owner has no snippet with this id.
   * @throws DomainError `storage_limit_reached` if a candidate does not fit with its breaks; `baseline_changed`: there is no longer, or already, a baseline, or an accepted candidate was not
   *   judged by the current version and contract; what `SnippetStore.change` throws.
   */
  add(draft: CheckDraft, completion: Completion | null, quotas: ChangeQuotas): Promise<Check | null>
  /**
   * A check, or `null`. Its data is the pending candidate, or the bytes of the version that it became, unless those are
   * not kept.
   */
  find(id: CheckId, includeData: boolean): Promise<WithData<Check> | null>
  /** A page of checks, newest first, without their breaks. */
  list(filter: CheckFilter): Promise<Page<Check>>
  /**
   * Makes a pending candidate the next version, or drops it, and adds the event to the outbox, in one step. `null` if
   * the owner has no such check. Never grows what the owner stores.
   * @throws DomainError `check_decided`, `baseline_changed`; the error of the quotas, for a new snippet.
   */
  decide(
    key: { readonly ownerId: OwnerId; readonly id: CheckId },
    decision: CheckDecision,
    quotas: ApprovalQuotas,
  ): Promise<Check | null>
  /** Expires up to `limit` checks that have been pending for `pendingDays`, and drops their candidates; returns how many. */
  expire(limit: number): Promise<number>
  /** Deletes up to `limit` checks older than `checkDays`; returns how many. */
  deleteOld(limit: number): Promise<number>
  /** The number of the owner's pending checks. */
  countPending(ownerId: OwnerId): Promise<number>
}
