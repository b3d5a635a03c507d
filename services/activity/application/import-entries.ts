import { validationFailed } from '#libs/core/domain-error.js'
import type { PlanCatalogue } from '#shared/core/plan.js'
import { draftEntry, type HistoryEntry } from '../domain/history-entry.js'
import type { OwnerId } from '../domain/ids.js'
import type { ActivityPorts, ImportedEntry, VersionedPlan } from '../ports.js'

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
  if (entries.length > entriesMax) {
    const detail = `entries must have at most ${entriesMax} items.`
    throw validationFailed([{ pointer: '/entries', code: 'too_many', detail }])
  }
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
