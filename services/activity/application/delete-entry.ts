import type { EntryId, OwnerId } from '../domain/ids.js'
import type { ActivityPorts } from '../ports.js'
import { whyNoEntry } from './why-no-entry.js'

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
  if (!(await ports.history.remove(ownerId, id, visible))) throw await whyNoEntry(ports, ownerId, id)
}
