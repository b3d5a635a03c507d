import type { EntryId, OwnerId } from '../domain/ids.js'
import type { ActivityPorts } from '../ports.js'
import { notFoundOrNotOwner } from './not-found-or-not-owner.js'

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
