import { type DomainError, notOwner } from '#libs/core/domain-error.js'
import { entryNotFound } from '../domain/history-entry.js'
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
