import type { Caller, Exchange } from '../exchange.js'
import { countDecision } from '../limits/count-decision.js'
import type { RatePolicies, RatePolicy, RateScope } from '../limits/policies.js'
import { RateLimited, type RateLimitedCaller, rateHeaders } from '../limits/rate-limited.js'
import type { SlidingWindow } from '../limits/sliding-window.js'

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

/**
 * Limits over this window. Every answer tells how far its policy is used up, and an answer 304 is given back.
 * @throws RateLimited from each of its functions.
 */
export function createRateLimits({ policies, scope, window }: RateLimitParts): RateLimits {
  const take = async (
    { response }: LimitedExchange,
    policy: RatePolicy | null,
    subject: string,
    caller: RateLimitedCaller | null = null,
  ): Promise<void> => {
    if (policy === null) return
    const admission = await window.take(subject, policy)
    countDecision(policy, admission.admitted)
    for (const [name, value] of rateHeaders(policy, admission)) response.setHeader(name, value)
    if (!admission.admitted) throw new RateLimited(policy, admission, caller)
    // Only who says what it knows is ever answered 304.
    if (response.req.headers['if-none-match'] === undefined) return
    response.once('finish', () => {
      if (response.statusCode === 304) admission.giveBack()
    })
  }

  const byAddress = (
    exchange: LimitedExchange,
    policy: RatePolicy | null,
    caller: RateLimitedCaller | null = null,
  ): Promise<void> => take(exchange, policy, exchange.clientAddress, caller)

  return {
    nobody: (exchange) => byAddress(exchange, scope === 'all' ? policies.strict : policies.standard),
    refused: (exchange) => byAddress(exchange, policies.strict),
    caller(exchange, { accountId, plan, provenBy }, creates) {
      const apiKeyId = provenBy.kind === 'api-key' ? provenBy.id : null
      const who = { accountId, apiKeyId }
      if (plan === 'free' && scope === 'all') return byAddress(exchange, policies.strict, who)
      if (apiKeyId !== null) return take(exchange, policies.fairUse, apiKeyId, who)
      if (plan === 'free' && creates) return byAddress(exchange, policies.strict, who)
      return take(exchange, policies.standard, accountId, who)
    },
  }
}
