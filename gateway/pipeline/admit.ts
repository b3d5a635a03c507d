import { DomainError, isCredentialRefusal } from '#libs/core/domain-error.js'
import type { PlanCatalogue } from '#shared/core/plan.js'
import type { UsageCounter } from '../features/api-keys/usage-counter.js'
import { shortCall } from '../http/call-context.js'
import type { Caller, Exchange } from '../http/exchange.js'
import type { Operation } from '../http/operation.js'
import { RateLimited } from '../rate-limits/rate-limited.js'
import type { Authenticate } from './authenticate.js'
import { authorize } from './authorize.js'
import type { Begun } from './begun.js'
import { type RateLimits, setRateHeaders } from './rate-limit.js'

/** What stands between a request and the handler of its operation. */
export interface AdmitParts {
  readonly authenticate: Authenticate
  readonly limits: RateLimits
  readonly usage: Pick<UsageCounter, 'count'>
  readonly plans: PlanCatalogue
}

/**
 * Counts a refusal of credentials; none at all are no refusal. Too many of them are told instead, also where they were
 * too many to look at another.
 */
async function countRefusal(limits: RateLimits, exchange: Exchange, error: unknown): Promise<void> {
  if (error instanceof RateLimited)
    setRateHeaders(exchange.response, error.policy, { remaining: 0, resetMs: error.resetMs })
  if (!isCredentialRefusal(error)) return
  if (error.code === 'missing_credentials') await limits.nobody(exchange)
  else await limits.refused(exchange)
}

/**
 * Counts a request whose signature was refused like one whose credentials were. What is signed is never limited, so it is
 * told apart first.
 * @throws RateLimited instead of the refusal once there were too many.
 */
export async function countForgery(
  limits: RateLimits,
  exchange: Exchange,
  handled: Promise<void>,
): Promise<void> {
  try {
    await handled
  } catch (error) {
    if (error instanceof DomainError && error.code === 'invalid_signature') await limits.refused(exchange)
    throw error
  }
}

/**
 * Lets a request through to an operation that needs a caller, in the order of the interface: who it is (401), how often
 * it comes (429), what it may do (403). Nothing of the body is read. Requests made with an API key are counted.
 * @param begun what is known of the request already.
 * @throws DomainError for each of these.
 */
export async function admitCaller(
  { authenticate, limits, usage, plans }: AdmitParts,
  operation: Operation,
  exchange: Exchange,
  begun?: Begun,
): Promise<Caller> {
  const { request, response } = exchange
  let caller: Caller
  try {
    caller = await (begun?.identified ?? authenticate(request, exchange.clientAddress, shortCall(exchange)))
  } catch (error) {
    await countRefusal(limits, exchange, error)
    throw error
  }
  const { provenBy } = caller
  if (provenBy.kind === 'api-key') {
    response.once('close', () => usage.count(provenBy.id, response.statusCode >= 400))
  }
  if (begun?.place === undefined) await limits.caller(exchange, caller, operation.rate === 'creates')
  else limits.enforce(response, begun.place.limit, begun.place.admission)
  authorize(operation, caller, plans)
  return caller
}
