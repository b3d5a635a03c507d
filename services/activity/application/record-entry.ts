import { invalidField } from '#libs/core/domain-error.js'
import { idempotencyKeyReused } from '#shared/core/idempotency-key.js'
import type { PlanCatalogue } from '#shared/core/plan.js'
import { draftEntry, type EntryDraft, entryFromText, type HistoryEntry } from '../domain/history-entry.js'
import type { OwnerId } from '../domain/ids.js'
import type { ActivityPorts, ImportedEntry, VersionedPlan } from '../ports.js'

/** An entry, and whether it is a replay of an earlier request. */
export interface RecordResult {
  readonly entry: HistoryEntry
  readonly replayed: boolean
}

/**
 * Adds an entry to an owner's history, or returns that of the first request with this idempotency key.
 * @throws DomainError `validation_failed`, `idempotency_key_reused`.
 */
export async function recordEntry(
  { history, ids, hashing }: ActivityPorts,
  plans: PlanCatalogue,
  fields: Omit<EntryDraft, 'id'>,
  plan: VersionedPlan,
  idempotencyKey: string | null,
): Promise<RecordResult> {
  const draft = draftEntry({ ...fields, id: ids.next() })
  const fingerprint = hashing.sha256(JSON.stringify([draft.tool, draft.action, draft.title, draft.metadata]))
  const request = idempotencyKey === null ? null : { key: idempotencyKey, fingerprint }
  const kept = { free: plans.free.history, pro: plans.pro.history }
  const recorded = await history.record(draft, plan, kept, request)
  if (recorded.state === 'recorded') return { entry: recorded.entry, replayed: false }
  if (recorded.fingerprint !== fingerprint) throw idempotencyKeyReused()
  return { entry: entryFromText(recorded.response), replayed: true }
}

const entriesMax = 100

/**
 * Adds entries of an archive to an owner's history.
 * @param dryRun only says which exist.
 * @throws DomainError `validation_failed`.
 */
export async function importEntries(
  { history }: Pick<ActivityPorts, 'history'>,
  plans: PlanCatalogue,
  ownerId: OwnerId,
  entries: readonly HistoryEntry[],
  plan: VersionedPlan,
  dryRun: boolean,
): Promise<readonly ImportedEntry[]> {
  if (entries.length > entriesMax)
    throw invalidField('/entries', 'too_many', `entries must have at most ${entriesMax} items.`)
  for (const entry of entries) draftEntry(entry)
  if (!dryRun) {
    const kept = { free: plans.free.history, pro: plans.pro.history }
    return history.importAll(ownerId, entries, plan, kept)
  }
  const known = await history.known(
    ownerId,
    entries.map(({ id }) => id),
  )
  return entries.map(({ id }) => (known.has(id) ? 'exists' : 'added'))
}
