import { type DomainError, notOwner } from '#libs/core/domain-error.js'
import { entryNotFound, type HistoryEntry } from '../domain/history-entry.js'
import type { EntryId, OwnerId } from '../domain/ids.js'
import type { ActivityPorts } from '../ports.js'

/** Why a caller cannot see an entry: `not_owner` if it belongs to someone else, else `not_found`. */
export async function notFoundOrNotOwner(
  { history }: Pick<ActivityPorts, 'history'>,
  ownerId: OwnerId,
  id: EntryId,
): Promise<DomainError> {
  const owner = await history.ownerOf(id)
  return owner === null || owner === ownerId ? entryNotFound() : notOwner()
}

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

/**
 * Deletes the owner's entry, among the newest `visible`.
 * @throws DomainError `not_found`, `not_owner`.
 */
export async function deleteEntry(
  ports: Pick<ActivityPorts, 'history'>,
  ownerId: OwnerId,
  id: EntryId,
  visible: number | null,
): Promise<void> {
  if (!(await ports.history.remove(ownerId, id, visible))) throw await notFoundOrNotOwner(ports, ownerId, id)
}
