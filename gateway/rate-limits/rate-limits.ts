import { LRUCache } from 'lru-cache'
import { DomainError } from '#libs/core/domain-error.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import { telemetry } from '#libs/telemetry/telemetry.js'
import type { Admission, RatePolicy } from '../request/counted-request.js'
import type { Caller, RequestContext } from '../request/request-context.js'
import type { RatePolicies, RateScope } from './policies.js'
import { createTakeInNetwork, type SlidingWindow } from './sliding-window.js'

export interface Limit {
  /** `null` for no limit. */
  readonly policy: RatePolicy | null
  readonly subject: string
}

/** For `Retry-After`: in whole seconds, at least one. */
export function waitSeconds(resetMs: number): number {
  return Math.max(1, Math.ceil(resetMs / 1_000))
}

/** The lines of the headers of draft-ietf-httpapi-ratelimit-headers, and of those for older clients. */
export function rateLines(
  { name, requests, seconds }: RatePolicy,
  { remaining, resetMs }: Pick<Admission, 'remaining' | 'resetMs'>,
): string {
  const reset = waitSeconds(resetMs)
  return `RateLimit-Policy: "${name}";q=${requests};w=${seconds}\r\nRateLimit: "${name}";r=${remaining};t=${reset}\r\nX-RateLimit-Limit: ${requests}\r\nX-RateLimit-Remaining: ${remaining}\r\nX-RateLimit-Reset: ${reset}\r\n`
}

/** 429 `rate_limited`. */
export class RateLimited extends DomainError {
  readonly policy: RatePolicy
  readonly resetMs: number

  /** @param what the plural of what is counted. */
  constructor(policy: RatePolicy, resetMs: number, what = 'requests') {
    const { name, requests, seconds } = policy
    const wait = waitSeconds(resetMs)
    const message = `Rate limit exceeded: ${requests} ${what} per ${seconds} s. Retry in ${wait} s.`
    const details = { policy: name, limit: requests, window_seconds: seconds, retry_after: wait }
    super('rate-limited', 'rate_limited', message, details)
    this.policy = policy
    this.resetMs = resetMs
  }
}

/** Does nothing if metrics are off. */
export function countDecision({ name }: RatePolicy, admitted: boolean): void {
  if (telemetry.metrics) metrics.rateLimitDecisions.series(name, admitted ? 'admitted' : 'refused').inc()
}

/** Which limit applies to a request. */
interface LimitsOf {
  /** A request without credentials, or to a public operation. */
  ofAnonymous(clientAddress: string): Limit
  /** A request whose credentials were rejected; counted separately from creates. */
  ofRejected(clientAddress: string): Limit
  /** A report of a share; counted separately from everything else. */
  ofReports(clientAddress: string): Limit
  /** A form that runs a tool for anyone; counted separately. */
  ofForms(clientAddress: string): Limit
  /** A request of an authenticated caller. */
  ofCaller(clientAddress: string, caller: LimitedCaller, creates: boolean): Limit
}

/** Counts requests, and rejects those beyond their limit. */
export interface RateLimits extends LimitsOf {
  /**
   * Counts a request, and stores the state of the limit in its context.
   * @throws RateLimited if the request is not admitted.
   */
  take(context: LimitedContext, limit: Limit): Promise<void>
  /**
   * Adds the state of the limit to the response. A 304 for an exact ETag counts as a tenth of a request; one for
   * `If-None-Match: *` counts in full.
   */
  report(context: LimitedContext): void
  /**
   * Counts a request that turns out to create something, if creates count separately for this caller.
   * @throws RateLimited
   */
  creates(context: LimitedContext, caller: LimitedCaller): Promise<void>
}

type LimitedContext = Pick<RequestContext, 'response' | 'clientAddress' | 'counted'>
type LimitedCaller = Pick<Caller, 'accountId' | 'plan' | 'provenBy'>

export interface RateLimitDependencies {
  readonly policies: RatePolicies
  readonly scope: RateScope
  readonly window: Pick<SlidingWindow, 'take'>
}

function limitsOf({ policies, scope }: Pick<RateLimitDependencies, 'policies' | 'scope'>): LimitsOf {
  const { strict, standard, fairUse } = policies
  return {
    ofAnonymous: (address) => ({ policy: scope === 'all' ? strict : standard, subject: address }),
    ofRejected: (address) => ({ policy: strict, subject: `refused ${address}` }),
    ofReports: (address) => ({ policy: strict, subject: `reports ${address}` }),
    ofForms: (address) => ({ policy: strict, subject: `form ${address}` }),
    ofCaller(address, { accountId, plan, provenBy }, creates) {
      if (plan === 'free' && scope === 'all') return { policy: strict, subject: address }
      if (provenBy.kind !== 'identity-token') return { policy: fairUse, subject: provenBy.id }
      if (plan === 'free' && creates) return { policy: strict, subject: address }
      return { policy: standard, subject: accountId }
    },
  }
}

export function createRateLimits(parts: RateLimitDependencies): RateLimits {
  const limits = limitsOf(parts)
  const tenths = createTenths()
  const takeInNetwork = createTakeInNetwork(parts.window)

  const take = async (context: LimitedContext, { policy, subject }: Limit): Promise<void> => {
    if (policy === null) return
    const admission = await takeInNetwork(subject, policy)
    countDecision(policy, admission.admitted)
    context.counted = { policy, subject, admission }
    if (!admission.admitted) throw new RateLimited(policy, admission.resetMs)
  }

  const report = ({ response, counted }: LimitedContext): void => {
    if (counted === null) return
    const { policy, subject, admission } = counted
    for (const line of rateLines(policy, admission).trimEnd().split('\r\n')) {
      const [name = '', value = ''] = line.split(': ')
      response.setHeader(name, value)
    }
    const known = response.req.headers['if-none-match']
    if (known === undefined || known.trim() === '*') return
    response.once('finish', () => {
      if (response.statusCode === 304 && !tenths.countsOneOfTen(`${policy.name} ${subject}`))
        admission.refund()
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

/** The subject of the limits on large documents. */
export interface DocumentReader {
  /** The account, or the client IP of an anonymous reader. */
  readonly subject: string
  readonly anonymous: boolean
}

/** The reader of a public share. */
export function anonymousReader({ clientAddress }: Pick<RequestContext, 'clientAddress'>): DocumentReader {
  return { subject: clientAddress, anonymous: true }
}

/** A caller who reads their own data. */
export function accountReader({ accountId }: Pick<Caller, 'accountId'>): DocumentReader {
  return { subject: accountId, anonymous: false }
}

const keysMax = 10_000

/**
 * Each gateway counts separately. An evicted key starts over with one that counts, so eviction never helps a client.
 */
export function createTenths(max = keysMax) {
  const counts = new LRUCache<string, number>({ max })
  return {
    /** True for the first of every ten with this key. */
    countsOneOfTen(key: string) {
      const count = counts.get(key) ?? 0
      counts.set(key, (count + 1) % 10)
      return count === 0
    },
  }
}

/** Decides which requests count if only every tenth does. */
export type Tenths = Readonly<ReturnType<typeof createTenths>>
