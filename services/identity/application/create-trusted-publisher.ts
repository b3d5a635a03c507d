import { idempotencyKeyReused } from '#shared/core/idempotency-key.js'
import type { PlanCatalogue } from '#shared/core/plan.js'
import type { AccountId } from '../domain/account.js'
import type { SealedResponse } from '../domain/idempotency.js'
import {
  admitTrustedPublisher,
  checkTrustedPublisher,
  type TrustedPublisher,
  type TrustedPublisherDraft,
  trustedPublisherId,
  trustedPublisherNotFound,
} from '../domain/trusted-publisher.js'
import type { IdentityPorts } from '../ports.js'

type Ports = Pick<IdentityPorts, 'trustedPublishers' | 'trustedPublisherIds' | 'secrets'>

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
  { trustedPublishers, trustedPublisherIds, secrets }: Ports,
  plans: PlanCatalogue,
  fields: Omit<TrustedPublisherDraft, 'id'>,
  idempotencyKey: string | null,
): Promise<CreatedTrustedPublisher> {
  const checked = checkTrustedPublisher(fields, fields.provider)
  const { accountId } = checked
  const draft = { ...checked, id: trustedPublisherIds.next() }
  const fingerprint = JSON.stringify(['trusted publisher', checked])
  const request =
    idempotencyKey === null
      ? null
      : {
          key: { digest: secrets.digestOf(accountId, idempotencyKey) },
          seal: ({ id }: TrustedPublisher): SealedResponse => ({
            fingerprint,
            sealed: secrets.seal(accountId, idempotencyKey, id),
          }),
        }
  const admit = (plan: keyof PlanCatalogue, held: number): number | null =>
    admitTrustedPublisher(plans[plan], held)
  const added = await trustedPublishers.add(draft, admit, request)
  if (added.state === 'added') return { publisher: added.publisher, replayed: false }
  const id = replayedId(secrets, accountId, idempotencyKey ?? '', added.response, fingerprint)
  const publisher = await trustedPublishers.find(trustedPublisherId(id))
  if (publisher === null) throw trustedPublisherNotFound()
  return { publisher, replayed: true }
}

function replayedId(
  secrets: Ports['secrets'],
  accountId: AccountId,
  idempotencyKey: string,
  { fingerprint, sealed }: SealedResponse,
  wanted: string,
): string {
  const id = fingerprint === wanted ? secrets.open(accountId, idempotencyKey, sealed) : null
  if (id === null) throw idempotencyKeyReused()
  return id
}
