import { notOwner } from '#libs/core/domain-error.js'
import type { OwnerId, ShareId } from '../domain/ids.js'
import { shareNotFound } from '../domain/share.js'
import { checkIfMatch } from '../domain/stored-data.js'
import type { ContentPorts } from '../ports.js'

/**
 * Deletes an owner's share, live or expired; afterwards it is unknown.
 * @throws DomainError `not_found`, `not_owner`, `precondition_failed`.
 */
export async function deleteShare(
  { shares }: Pick<ContentPorts, 'shares'>,
  ownerId: OwnerId,
  id: ShareId,
  ifMatch: readonly string[],
): Promise<void> {
  const removed = await shares.remove(id, (share) => {
    if (share.ownerId !== ownerId) throw notOwner()
    checkIfMatch(share, ifMatch)
  })
  if (!removed) throw shareNotFound()
}
