import { isGatedShareId } from '#shared/core/share-id.js'
import type { FoundGatedShare, FoundShare } from '../domain/found-share.js'
import type { OwnerId, ShareId } from '../domain/ids.js'
import { shareDisabled, shareExpired, shareNotFound } from '../domain/share.js'
import { shareUsedUp } from '../domain/share-gate.js'
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

/** Who wants to see a gated share. */
export interface GatedReader {
  /** Empty for none. */
  readonly grant: string
  readonly accountId: OwnerId | null
}

/**
 * Checks that a gated share has not ended. Its title is not for everyone, so the error does without.
 * @throws DomainError `not_found` while its owner is suspended; `share_disabled`, `share_used_up`, `share_expired`.
 */
export function checkNotEnded({ record, access, purged, expired, ownerSuspended }: FoundGatedShare): void {
  if (ownerSuspended) throw shareNotFound()
  if (record.disabledAt !== null) throw shareDisabled()
  const isOver = purged || expired
  if (record.gate?.viewsLeft === 0 && (isOver || access === null)) throw shareUsedUp()
  if (isOver) throw shareExpired('', record.expiresAt ?? record.createdAt)
}

/**
 * A live share with a gate. Without `access`, only its gate is for the reader, and there is no data.
 * @throws DomainError `not_found`; `checkNotEnded`'s.
 */
export async function getGatedShare(
  { gates, hashing }: Pick<ContentPorts, 'gates' | 'hashing'>,
  id: ShareId,
  { grant, accountId }: GatedReader,
  includeData: boolean,
): Promise<FoundGatedShare> {
  const accessGrantDigest = grant === '' ? null : hashing.sha256(grant)
  const found = isGatedShareId(id)
    ? await gates.find(id, { includeData, accessGrantDigest, accountId })
    : null
  if (found === null) throw shareNotFound()
  checkNotEnded(found)
  return verifyInline(found, hashing.sha256)
}
