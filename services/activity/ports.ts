import type { ListPosition, Page } from '#libs/core/page.js'
import type { StoredResponse } from '#libs/core/stored-response.js'
import type { PlanName } from '#shared/core/plan.js'
import type { EntryDraft, HistoryEntry } from './domain/history-entry.js'
import type { IdempotentRequest } from './domain/idempotency.js'
import type { EntryId, OwnerId } from './domain/ids.js'

/** A plan that an owner holds, as whoever calls knows it. */
export interface PlanNews {
  readonly plan: PlanName
  /** Grows with every change, so that what comes late is known as such. */
  readonly version: number
}

/** How many of an owner's newest entries each plan keeps; `null` for all. */
export type KeptByPlan = Readonly<Record<PlanName, number | null>>

/** What to list of an owner's entries, and how much. */
export interface EntryFilter {
  readonly ownerId: OwnerId
  /** How many of the owner's newest entries can be seen; `null` for all. The tool is looked for among these. */
  readonly visible: number | null
  readonly tool: string | null
  readonly after: ListPosition | null
  readonly itemsMax: number
}

/** What became of a request to record an entry. */
export type RecordOutcome =
  | { readonly state: 'recorded'; readonly entry: HistoryEntry }
  /** A request with this idempotency key came before. */
  | ({ readonly state: 'replayed' } & StoredResponse)

/**
 * Keeps history, and counts the entries of each owner. Its clock, to the millisecond, gives entries their times; those of
 * one owner are all different and grow in the order of recording.
 */
export interface HistoryStore {
  /**
   * Notes the plan, adds the entry, and removes those beyond the newest that the owner's plan keeps, save those from
   * before a lapse, all in one step. What counts is the plan that is known then: news that comes late removes nothing
   * that its successor keeps. With a request that is known nothing is done.
   */
  record(
    draft: EntryDraft,
    news: PlanNews,
    kept: KeptByPlan,
    request: IdempotentRequest | null,
  ): Promise<RecordOutcome>
  /** The owner's entry among the newest `visible`, or `null`. */
  find(ownerId: OwnerId, id: EntryId, visible: number | null): Promise<HistoryEntry | null>
  /** Whose entry this is, seen or not; `null` when there is none. */
  ownerOf(id: EntryId): Promise<OwnerId | null>
  /** What the filter asks for; a page that ends before the list does says where to go on. */
  list(filter: EntryFilter): Promise<Page<HistoryEntry>>
  /** Removes the owner's entry if it is among the newest `visible`; false when there is none. */
  remove(ownerId: OwnerId, id: EntryId, visible: number | null): Promise<boolean>
  /** Removes all that the owner has now, of one tool where it is named; how many they were. */
  removeAll(ownerId: OwnerId, tool: string | null): Promise<number>
  /** How many entries the owner has, seen or not. */
  count(ownerId: OwnerId): Promise<number>
  /** Notes the plan alone. */
  notePlan(ownerId: OwnerId, news: PlanNews): Promise<void>
  /**
   * Removes entries beyond the newest `kept` of owners whose lapse is over its grace; how many they were. Several may do
   * it at once, and `signal` ends it after the batch under way.
   */
  purgeLapsed(kept: number | null, signal: AbortSignal): Promise<number>
  /** Deletes expired responses of idempotency keys until the signal is aborted; how many they were. */
  deleteExpiredResponses(signal: AbortSignal): Promise<number>
}

/** Makes ids that nobody can guess. */
export interface EntryIds {
  next(): EntryId
}

/** Computes SHA-256, in lower-case hexadecimal. */
export interface Hashing {
  sha256(text: string): string
}

/** Everything that activity needs from outside. */
export interface ActivityPorts {
  readonly history: HistoryStore
  readonly ids: EntryIds
  readonly hashing: Hashing
}
