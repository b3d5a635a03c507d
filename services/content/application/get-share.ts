import { isGatedShareId } from '#shared/core/share-id.js'
import type { FoundShare } from '../domain/found-share.js'
import type { ShareId } from '../domain/ids.js'
import { shareDisabled, shareExpired, shareNotFound } from '../domain/share.js'
import { verifyInline } from '../domain/stored-data.js'
import type { ContentPorts } from '../ports.js'

/**
 * A live share without a gate, for anyone; small data comes with it, checked against its SHA-256.
 * @throws DomainError `not_found`, also while its owner is suspended; `share_disabled`, `share_expired`.
 */
export async function getShare(
  ports: Pick<ContentPorts, 'shares' | 'hashing'>,
  id: ShareId,
  includeData: boolean,
): Promise<FoundShare> {
  const found = isGatedShareId(id) ? null : await ports.shares.find(id, includeData)
  if (found === null || found.ownerSuspended) throw shareNotFound()
  const { title, expiresAt, disabledAt } = found.record
  if (disabledAt !== null) throw shareDisabled()
  if (found.expired && expiresAt !== null) throw shareExpired(title, expiresAt)
  return verifyInline(found, ports.hashing.sha256)
}
