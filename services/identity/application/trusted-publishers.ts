import { notOwner } from '#libs/core/domain-error.js'
import type { PlanCatalogue } from '#shared/core/plan.js'
import type { AccountId } from '../domain/account.js'
import {
  changeTrustedPublisher,
  checkTrustedPublisher,
  checkTrustedPublisherLimit,
  endsTokens,
  type TrustedPublisher,
  type TrustedPublisherChange,
  type TrustedPublisherDraft,
  type TrustedPublisherId,
  trustedPublisherId,
  trustedPublisherNotFound,
} from '../domain/trusted-publisher.js'
import type { IdentityPorts } from '../ports.js'
import { replayedText, sealingRequest } from './sealed-response.js'

interface CreatedTrustedPublisher {
  readonly publisher: TrustedPublisher
  /** Whether the response is a replay for the same idempotency key. */
  readonly replayed: boolean
}

/**
 * Creates a rule, or replays the first response for this idempotency key.
 * @throws DomainError `validation_failed`, `pro_required`, `trusted_publisher_limit_reached`, `idempotency_key_reused`;
 * `not_found` if the rule has been deleted since.
 */
export async function createTrustedPublisher(
  ports: Pick<IdentityPorts, 'trustedPublishers' | 'ids' | 'secrets'>,
  plans: PlanCatalogue,
  fields: Omit<TrustedPublisherDraft, 'id'>,
  idempotencyKey: string | null,
): Promise<CreatedTrustedPublisher> {
  const checked = checkTrustedPublisher(fields, fields.provider)
  const { accountId } = checked
  const draft = { ...checked, id: ports.ids.trustedPublisher() }
  const request = { accountId, idempotencyKey, fingerprint: JSON.stringify(['trusted publisher', checked]) }
  const issued = await ports.trustedPublishers.add(
    draft,
    (plan, held) => checkTrustedPublisherLimit(plans[plan], held),
    sealingRequest(ports, request, ({ id }) => id),
  )
  if (issued.state === 'added') return { publisher: issued.added, replayed: false }
  const id = trustedPublisherId(replayedText(ports, request, issued.response))
  const publisher = await ports.trustedPublishers.find(id)
  if (publisher === null) throw trustedPublisherNotFound()
  return { publisher, replayed: true }
}

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
