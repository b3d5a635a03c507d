import type { PlanCatalogue } from '#shared/core/plan.js'
import { isIdle } from '../domain/api-key.js'
import { type Assertion, authorizeJob, invalidGrant } from '../domain/authorize-job.js'
import type { TrustedPublisher, TrustedPublisherId } from '../domain/trusted-publisher.js'
import type { IdentityPorts } from '../ports.js'

export interface ExchangeRules {
  readonly plans: PlanCatalogue
  /** How long rules work without a sign-in of their owner; `null` if unlimited. */
  readonly idleDays: number | null
}

export interface IssuedToken {
  readonly token: string
  readonly publisher: TrustedPublisher
}

/**
 * Exchanges a CI job's assertion for a token, once.
 * @throws DomainError `invalid_grant` for every failure.
 */
export async function exchangeAssertion(
  { trustedPublishers, ids, secrets }: Pick<IdentityPorts, 'trustedPublishers' | 'ids' | 'secrets'>,
  { plans, idleDays }: ExchangeRules,
  id: TrustedPublisherId,
  assertion: Assertion,
): Promise<IssuedToken> {
  const token = ids.accessToken()
  const [digest] = secrets.digests(token)
  const exchanged = await trustedPublishers.exchange(
    id,
    assertion,
    (publisher, owner) =>
      authorizeJob(
        publisher,
        {
          isSuspended: owner.account.suspendedAt !== null || owner.account.erasedAfter !== null,
          hasPlan: plans[owner.account.plan].trustedPublishers !== 0,
          isAway: isIdle(owner.ownerIdleMs, idleDays),
        },
        assertion,
      ),
    { digest, eventId: ids.publisherEvent() },
  )
  if (exchanged?.state !== 'issued') throw invalidGrant()
  return { token, publisher: exchanged.publisher }
}
