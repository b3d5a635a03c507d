import { notOwner } from '#libs/core/domain-error.js'
import type { AccountId } from '../domain/account.js'
import {
  type TrustedPublisher,
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
