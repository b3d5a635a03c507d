import type { PlanCatalogue } from '#shared/core/plan.js'
import {
  checkTrustedPublisher,
  checkTrustedPublisherLimit,
  type TrustedPublisher,
  type TrustedPublisherDraft,
  trustedPublisherId,
  trustedPublisherNotFound,
} from '../domain/trusted-publisher.js'
import type { IdentityPorts } from '../ports.js'
import { replayedText, sealingRequest } from './sealed-response.js'

type Ports = Pick<IdentityPorts, 'trustedPublishers' | 'ids' | 'secrets'>

export interface CreatedTrustedPublisher {
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
  ports: Ports,
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
