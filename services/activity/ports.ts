import type { ListPosition, Page } from '#libs/core/page.js'
import type { StoredResponse } from '#libs/core/stored-response.js'
import type { PlanName } from '#shared/core/plan.js'
import type { EntryDraft, HistoryEntry, IdempotentRequest } from './domain/history-entry.js'
import type { EntryId, OwnerId } from './domain/ids.js'

/** An owner's plan, as the caller knows it. */
export interface VersionedPlan {
  readonly plan: PlanName
  /** Grows with every change, so that a message that arrives late is recognised. */
  readonly version: number
}

/** How many of an owner's newest entries each plan keeps; `null` for all. */
export type KeptByPlan = Readonly<Record<PlanName, number | null>>

/** The filter and page of a list. */
export interface EntryFilter {
  readonly ownerId: OwnerId
  /** How many of the owner's newest entries are visible; `null` for all. The tool filter applies to these. */
  readonly visible: number | null
  readonly tool: string | null
  readonly after: ListPosition | null
  readonly itemsMax: number
}

/** The outcome of recording an entry. */
export type RecordOutcome =
  | { readonly state: 'recorded'; readonly entry: HistoryEntry }
  /** A replay of an earlier request with this idempotency key. */
  | ({ readonly state: 'replayed' } & StoredResponse)

/**
 * Stores history, and counts the entries of each owner. Its clock, to the millisecond, sets the times of entries;
 * those of one owner all differ and grow in the order of recording.
 */
export interface HistoryStore {
  /**
   * Stores the plan, adds the entry, and removes those beyond the limit of the owner's plan, except those from before
   * a lapse, in one step. The newest plan counts: a message that arrives late removes nothing that a newer plan keeps. A replayed
   * request has no effect.
   */
  record(
    draft: EntryDraft,
    plan: VersionedPlan,
    kept: KeptByPlan,
    request: IdempotentRequest | null,
  ): Promise<RecordOutcome>
  /**
   * Adds entries with their ids and times, except those that exist, and removes those beyond the limit of the owner's
   * plan, as `record` does; times in the future become now. The results are in the order of the entries.
   */
  importAll(
    ownerId: OwnerId,
    entries: readonly HistoryEntry[],
    plan: VersionedPlan,
    kept: KeptByPlan,
  ): Promise<readonly ImportedEntry[]>
  /** Which of these entries the owner has, visible or not. */
  known(ownerId: OwnerId, ids: readonly EntryId[]): Promise<ReadonlySet<EntryId>>
  /** The owner's entry among the newest `visible`, or `null`. */
  find(ownerId: OwnerId, id: EntryId, visible: number | null): Promise<HistoryEntry | null>
  /** The owner of this entry, visible or not; `null` if there is none. */
  ownerOf(id: EntryId): Promise<OwnerId | null>
  /** A page of the list, with a position for the next one if there is more. */
  list(filter: EntryFilter): Promise<Page<HistoryEntry>>
  /** Removes the owner's entry if it is among the newest `visible`; false if it is not. */
  remove(ownerId: OwnerId, id: EntryId, visible: number | null): Promise<boolean>
  /** Removes all current entries of the owner, or of one tool; returns how many. */
  removeAll(ownerId: OwnerId, tool: string | null): Promise<number>
  /**
   * Deletes everything of an owner whose account was erased, in batches and then in one step, after which no write for
   * the owner succeeds. Safe to repeat.
   */
  eraseOwner(ownerId: OwnerId): Promise<void>
  /** The number of the owner's entries, visible or not. */
  count(ownerId: OwnerId): Promise<number>
  /** Stores only the plan. */
  notePlan(ownerId: OwnerId, plan: VersionedPlan): Promise<void>
  /**
   * Removes entries beyond the newest `kept` of owners whose lapse is past its grace period; returns how many. May
   * run concurrently; `signal` ends it after the current batch.
   */
  purgeLapsed(kept: number | null, signal: AbortSignal): Promise<number>
  /** Deletes expired responses of idempotency keys until the signal is aborted; returns how many. */
  deleteExpiredResponses(signal: AbortSignal): Promise<number>
}

/** What an import did with an entry: the plan may keep only newer ones. */
export type ImportedEntry = 'added' | 'exists' | 'not-kept'

/** Creates unguessable ids. */
export interface EntryIds {
  next(): EntryId
}

/** Computes SHA-256, in lower-case hexadecimal. */
export interface Hashing {
  sha256(text: string): string
}

/** All dependencies of activity. */
export interface ActivityPorts {
  readonly history: HistoryStore
  readonly ids: EntryIds
  readonly hashing: Hashing
}
