import type { ServerResponse } from 'node:http'
import { DomainError } from '#libs/core/domain-error.js'
import type { Caller, Exchange } from '../exchange.js'
import type { RatePolicies, RatePolicy, RateScope } from '../limits/policies.js'
import type { Admission, SlidingWindow } from '../limits/sliding-window.js'

/** Counts requests, and refuses those beyond the policy that they fall under. */
export interface RateLimits {
  /** A request without credentials, or to an address that asks for none. */
  nobody(exchange: LimitedExchange): Promise<void>
  /** A request whose credentials were refused. */
  refused(exchange: LimitedExchange): Promise<void>
  /** A request of a known caller; `creates` when Free callers may make few of its kind. */
  caller(exchange: LimitedExchange, caller: LimitedCaller, creates: boolean): Promise<void>
}

type LimitedExchange = Pick<Exchange, 'response' | 'clientAddress'>
type LimitedCaller = Pick<Caller, 'accountId' | 'plan' | 'provenBy'>

/** What limits are made of; a policy that is `null` limits nothing. */
export interface RateLimitParts {
  readonly policies: RatePolicies
  readonly scope: RateScope
  readonly window: Pick<SlidingWindow, 'take'>
}

function seconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000))
}

/** The headers of draft-ietf-httpapi-ratelimit-headers, and those that older clients read. */
function setHeaders(response: ServerResponse, policy: RatePolicy, admission: Admission): void {
  const reset = seconds(admission.resetMs)
  response.setHeader('RateLimit-Policy', `"${policy.name}";q=${policy.requests};w=${policy.seconds}`)
  response.setHeader('RateLimit', `"${policy.name}";r=${admission.remaining};t=${reset}`)
  response.setHeader('X-RateLimit-Limit', policy.requests)
  response.setHeader('X-RateLimit-Remaining', admission.remaining)
  response.setHeader('X-RateLimit-Reset', reset)
}

function rateLimited({ name, requests, seconds: window }: RatePolicy, resetMs: number): DomainError {
  const wait = seconds(resetMs)
  const message = `Only ${requests} of these requests are possible in ${window} seconds; the next one is in ${wait}.`
  const details = { policy: name, limit: requests, window_seconds: window, retry_after: wait }
  return new DomainError('rate-limited', 'rate_limited', message, details)
}

/**
 * Limits over this window. Every answer tells how far its policy is used up, and an answer 304 is given back.
 * @throws DomainError 429 `rate_limited` from each of its functions.
 */
export function createRateLimits({ policies, scope, window }: RateLimitParts): RateLimits {
  const take = async (
    { response }: LimitedExchange,
    policy: RatePolicy | null,
    subject: string,
  ): Promise<void> => {
    if (policy === null) return
    const admission = await window.take(subject, policy)
    setHeaders(response, policy, admission)
    if (!admission.admitted) throw rateLimited(policy, admission.resetMs)
    response.once('finish', () => {
      if (response.statusCode === 304) admission.giveBack()
    })
  }

  const byAddress = (exchange: LimitedExchange, policy: RatePolicy | null): Promise<void> =>
    take(exchange, policy, exchange.clientAddress)

  return {
    nobody: (exchange) => byAddress(exchange, scope === 'all' ? policies.strict : policies.standard),
    refused: (exchange) => byAddress(exchange, policies.strict),
    caller(exchange, { accountId, plan, provenBy }, creates) {
      if (plan === 'free' && scope === 'all') return byAddress(exchange, policies.strict)
      if (provenBy.kind === 'api-key') return take(exchange, policies.fairUse, provenBy.id)
      if (plan === 'free' && creates) return byAddress(exchange, policies.strict)
      return take(exchange, policies.standard, accountId)
    },
  }
}
