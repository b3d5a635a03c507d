import type { Caller, RequestContext } from '../http/request-context.js'
import { wideNetworkOf } from '../rate-limits/client-address.js'
import type { RatePolicies, RatePolicy, RateScope } from '../rate-limits/policies.js'
import { countDecision, type Limit, RateLimited, rateHeaders } from '../rate-limits/rate-limited.js'
import type { Admission, SlidingWindow } from '../rate-limits/sliding-window.js'
import { createTenths } from '../rate-limits/tenths.js'

/** Which limit holds for whom; each takes the address of the client. */
interface LimitsOf {
  /** A request without credentials, or to an address that asks for none. */
  ofAnonymous(clientAddress: string): Limit
  /** A request whose credentials were refused; it has a window of its own, beside that of creating requests. */
  ofRejected(clientAddress: string): Limit
  /** A request of a known caller; `creates` when Free callers may make few of its kind. */
  ofCaller(clientAddress: string, caller: LimitedCaller, creates: boolean): Limit
}

/** Counts requests, and refuses those beyond the limit that they fall under. */
export interface RateLimits extends LimitsOf {
  /**
   * Counts a request, and notes in its context how far the limit is used up.
   * @throws RateLimited for a request that was not admitted.
   */
  take(context: LimitedContext, limit: Limit): Promise<void>
  /**
   * Has the response tell how far the limit of its request is used up. A 304 for an exact tag counts a tenth;
   * `If-None-Match: *` names none, and counts like any read.
   */
  report(context: LimitedContext): void
  /**
   * Counts a request of a known caller that turns out to create something, where creating is counted apart.
   * @throws RateLimited
   */
  creates(context: LimitedContext, caller: LimitedCaller): Promise<void>
}

type LimitedContext = Pick<RequestContext, 'response' | 'clientAddress' | 'place'>
type LimitedCaller = Pick<Caller, 'accountId' | 'plan' | 'provenBy'>

/** What limits are made of; a policy that is `null` limits nothing. */
export interface RateLimitParts {
  readonly policies: RatePolicies
  readonly scope: RateScope
  readonly window: Pick<SlidingWindow, 'take'>
}

function limitsOf({ policies, scope }: Pick<RateLimitParts, 'policies' | 'scope'>): LimitsOf {
  const { strict, standard, fairUse } = policies
  return {
    ofAnonymous: (address) => ({ policy: scope === 'all' ? strict : standard, subject: address }),
    ofRejected: (address) => ({ policy: strict, subject: `refused ${address}` }),
    ofCaller(address, { accountId, plan, provenBy }, creates) {
      if (plan === 'free' && scope === 'all') return { policy: strict, subject: address }
      if (provenBy.kind === 'api-key') return { policy: fairUse, subject: provenBy.id }
      if (plan === 'free' && creates) return { policy: strict, subject: address }
      return { policy: standard, subject: accountId }
    },
  }
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

  const take = async (context: LimitedContext, { policy, subject }: Limit): Promise<void> => {
    if (policy === null) return
    const network = subject.endsWith('/64') ? wideNetworkOf(subject) : null
    const admission = await (network === null
      ? parts.window.take(subject, policy)
      : takeWithin(network, subject, policy))
    countDecision(policy, admission.admitted)
    context.place = { policy, subject, admission }
    if (!admission.admitted) throw new RateLimited(policy, admission.resetMs)
  }

  const report = ({ response, place }: LimitedContext): void => {
    if (place === null) return
    const { policy, subject, admission } = place
    for (const [name, value] of rateHeaders(policy, admission)) response.setHeader(name, value)
    const known = response.req.headers['if-none-match']
    if (known === undefined || known.trim() === '*') return
    response.once('finish', () => {
      if (response.statusCode === 304 && !tenths.keepsPlace(`${policy.name} ${subject}`)) admission.giveBack()
    })
  }

  return {
    ...limits,
    take,
    report,
    async creates(context, caller) {
      const limit = limits.ofCaller(context.clientAddress, caller, true)
      const counted = limits.ofCaller(context.clientAddress, caller, false)
      if (limit.policy === counted.policy) return
      await take(context, limit).finally(() => report(context))
    },
  }
}
