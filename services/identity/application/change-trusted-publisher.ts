import { notOwner } from '#libs/core/domain-error.js'
import type { AccountId } from '../domain/account.js'
import {
  changeTrustedPublisher,
  endsTokens,
  type TrustedPublisher,
  type TrustedPublisherChange,
  type TrustedPublisherId,
  trustedPublisherNotFound,
} from '../domain/trusted-publisher.js'
import type { IdentityPorts } from '../ports.js'

/**
 * The account's rule.
 * @throws DomainError `not_found`; `not_owner` if it belongs to another account.
 */
export async function ownedTrustedPublisher(
  { trustedPublishers }: Pick<IdentityPorts, 'trustedPublishers'>,
  accountId: AccountId,
  id: TrustedPublisherId,
): Promise<TrustedPublisher> {
  const found = await trustedPublishers.find(id)
  if (found === null) throw trustedPublisherNotFound()
  if (found.accountId !== accountId) throw notOwner()
  return found
}

type Ports = Pick<IdentityPorts, 'trustedPublishers' | 'invalidation'>

/**
 * Changes a rule. If the conditions of trust change, its tokens are revoked, and cached callers are invalidated before
 * this resolves.
 * @throws DomainError `not_found`, `not_owner`, `validation_failed`.
 */
export async function updateTrustedPublisher(
  ports: Ports,
  accountId: AccountId,
  id: TrustedPublisherId,
  change: TrustedPublisherChange,
): Promise<TrustedPublisher> {
  await ownedTrustedPublisher(ports, accountId, id)
  const ends = endsTokens(change)
  const changed = await ports.trustedPublishers.update(
    id,
    (publisher, now) => changeTrustedPublisher(publisher, change, now),
    ends,
  )
  if (changed === null) throw trustedPublisherNotFound()
  if (ends) await ports.invalidation.invalidate(accountId)
  return changed
}

/**
 * Deletes a rule and its tokens, and invalidates cached callers before this resolves.
 * @throws DomainError `not_found`, `not_owner`.
 */
export async function deleteTrustedPublisher(
  ports: Ports,
  accountId: AccountId,
  id: TrustedPublisherId,
): Promise<void> {
  await ownedTrustedPublisher(ports, accountId, id)
  if (!(await ports.trustedPublishers.remove(accountId, id))) throw trustedPublisherNotFound()
  await ports.invalidation.invalidate(accountId)
}
