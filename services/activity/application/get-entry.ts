import type { HistoryEntry } from '../domain/history-entry.js'
import type { EntryId, OwnerId } from '../domain/ids.js'
import type { ActivityPorts } from '../ports.js'
import { notFoundOrNotOwner } from './not-found-or-not-owner.js'

/**
 * The owner's entry, among the newest `visible`.
 * @throws DomainError `not_found`, `not_owner`.
 */
export async function getEntry(
  ports: Pick<ActivityPorts, 'history'>,
  ownerId: OwnerId,
  id: EntryId,
  visible: number | null,
): Promise<HistoryEntry> {
  const found = await ports.history.find(ownerId, id, visible)
  if (found === null) throw await notFoundOrNotOwner(ports, ownerId, id)
  return found
}
