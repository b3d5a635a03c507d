import type { ServerResponse } from 'node:http'
import type { Caller, Exchange } from '../http/exchange.js'
import { wideNetworkOf } from '../rate-limits/client-address.js'
import { countDecision } from '../rate-limits/count-decision.js'
import type { RatePolicies, RatePolicy, RateScope } from '../rate-limits/policies.js'
import { RateLimited, type RateLimitedCaller, rateHeaders } from '../rate-limits/rate-limited.js'
import type { Admission, SlidingWindow } from '../rate-limits/sliding-window.js'
import { createTenths } from '../rate-limits/tenths.js'

/** The policy that a request falls under, and whom it is counted for. */
export interface Limit {
  /** `null` limits nothing. */
  readonly policy: RatePolicy | null
  readonly subject: string
  readonly caller: RateLimitedCaller | null
}

/** Which limit holds for whom; each takes the address of the client. */
interface LimitsOf {
  /** A request without credentials, or to an address that asks for none. */
  ofNobody(clientAddress: string): Limit
  /** A request whose credentials were refused; it has a window of its own, beside that of creating requests. */
  ofRefused(clientAddress: string): Limit
  /** A request of a known caller; `creates` when Free callers may make few of its kind. */
  ofCaller(clientAddress: string, caller: LimitedCaller, creates: boolean): Limit
}

/** Counts requests, and refuses those beyond the limit that they fall under. */
export interface RateLimits extends LimitsOf {
  /** Asks for a place; `null` where nothing is limited. */
  take(limit: Limit): Promise<Admission | null>
  /**
   * Has the answer tell how far its limit is used up. A 304 for an exact tag counts a tenth; `If-None-Match: *` names
   * none, and counts like any read.
   * @throws RateLimited for a request that was not admitted.
   */
  enforce(response: ServerResponse, limit: Limit, admission: Admission | null): void
  /** `take` and `enforce` for a request without credentials, or to an address that asks for none. */
  nobody(exchange: LimitedExchange): Promise<void>
  /** The same for a request whose credentials were refused. */
  refused(exchange: LimitedExchange): Promise<void>
  /** The same for a request of a known caller. */
  caller(exchange: LimitedExchange, caller: LimitedCaller, creates: boolean): Promise<void>
  /** Counts a request of a known caller that turns out to create something, where creating is counted apart. */
  creates(exchange: LimitedExchange, caller: LimitedCaller): Promise<void>
}

type LimitedExchange = Pick<Exchange, 'response' | 'clientAddress'>
type LimitedCaller = Pick<Caller, 'accountId' | 'plan' | 'provenBy'>

/** What limits are made of; a policy that is `null` limits nothing. */
export interface RateLimitParts {
  readonly policies: RatePolicies
  readonly scope: RateScope
  readonly window: Pick<SlidingWindow, 'take'>
}

function limitsOf({ policies, scope }: Pick<RateLimitParts, 'policies' | 'scope'>): LimitsOf {
  const byAddress = (subject: string, policy: RatePolicy | null, caller: Limit['caller'] = null): Limit => ({
    policy,
    subject,
    caller,
  })
  return {
    ofNobody: (address) => byAddress(address, scope === 'all' ? policies.strict : policies.standard),
    ofRefused: (address) => byAddress(`refused ${address}`, policies.strict),
    ofCaller(address, { accountId, plan, provenBy }, creates) {
      const apiKeyId = provenBy.kind === 'api-key' ? provenBy.id : null
      const caller = { accountId, apiKeyId }
      if (plan === 'free' && scope === 'all') return byAddress(address, policies.strict, caller)
      if (apiKeyId !== null) return { policy: policies.fairUse, subject: apiKeyId, caller }
      if (plan === 'free' && creates) return byAddress(address, policies.strict, caller)
      return { policy: policies.standard, subject: accountId, caller }
    },
  }
}

/** Has an answer tell how far a policy is used up. */
export function setRateHeaders(
  response: ServerResponse,
  policy: RatePolicy,
  state: Pick<Admission, 'remaining' | 'resetMs'>,
): void {
  for (const [name, value] of rateHeaders(policy, state)) response.setHeader(name, value)
}

/** How many times as much an IPv6 /48 may as one /64 of it. */
const wideFactor = 10

/** Limits over this window. */
export function createRateLimits(parts: RateLimitParts): RateLimits {
  const limits = limitsOf(parts)
  const tenths = createTenths()

  /** First the /48, so that one that is used up has nothing noted for the 65,536 subjects in it. */
  const takeWithin = async (network: string, subject: string, policy: RatePolicy): Promise<Admission> => {
    const wide = await parts.window.take(network, { ...policy, requests: policy.requests * wideFactor })
    if (!wide.admitted) return wide
    const admission = await parts.window.take(subject, policy)
    const giveBack = (): void => {
      admission.giveBack()
      wide.giveBack()
    }
    if (!admission.admitted) wide.giveBack()
    return { ...admission, giveBack, remaining: Math.min(admission.remaining, wide.remaining) }
  }

  const take = async ({ policy, subject }: Limit): Promise<Admission | null> => {
    if (policy === null) return null
    const network = subject.endsWith('/64') ? wideNetworkOf(subject) : null
    const admission = await (network === null
      ? parts.window.take(subject, policy)
      : takeWithin(network, subject, policy))
    countDecision(policy, admission.admitted)
    return admission
  }

  const enforce = (response: ServerResponse, limit: Limit, admission: Admission | null): void => {
    if (limit.policy === null || admission === null) return
    setRateHeaders(response, limit.policy, admission)
    if (!admission.admitted) throw new RateLimited(limit.policy, admission, limit.caller)
    const known = response.req.headers['if-none-match']
    if (known === undefined || known.trim() === '*') return
    const key = `${limit.policy.name} ${limit.subject}`
    response.once('finish', () => {
      if (response.statusCode === 304 && !tenths.keepsPlace(key)) admission.giveBack()
    })
  }

  const hold = async ({ response }: LimitedExchange, limit: Limit): Promise<void> =>
    enforce(response, limit, await take(limit))

  return {
    ...limits,
    take,
    enforce,
    nobody: (exchange) => hold(exchange, limits.ofNobody(exchange.clientAddress)),
    refused: (exchange) => hold(exchange, limits.ofRefused(exchange.clientAddress)),
    caller: (exchange, caller, creates) =>
      hold(exchange, limits.ofCaller(exchange.clientAddress, caller, creates)),
    async creates(exchange, caller) {
      const limit = limits.ofCaller(exchange.clientAddress, caller, true)
      const counted = limits.ofCaller(exchange.clientAddress, caller, false)
      if (limit.policy === counted.policy) return
      const admission = await take(limit)
      // Another request with the same head may create nothing: this refusal is not repeated without a look.
      enforce(exchange.response, limit, admission === null ? null : { ...admission, holdsMs: 0 })
    },
  }
}
