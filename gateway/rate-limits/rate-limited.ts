import { DomainError } from '#libs/core/domain-error.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import { telemetry } from '#libs/telemetry/telemetry.js'
import type { RatePolicy } from './policies.js'
import type { Admission } from './sliding-window.js'

/** What a request counts for: a policy, and whom it is counted for. */
export interface Limit {
  /** `null` limits nothing. */
  readonly policy: RatePolicy | null
  readonly subject: string
}

/** What became of a request that counted for a limit. */
export interface Place {
  readonly policy: RatePolicy
  readonly subject: string
  readonly admission: Pick<Admission, 'remaining' | 'resetMs' | 'giveBack'>
}

/** Whole seconds in which an admission is possible again. */
export function waitSeconds(resetMs: number): number {
  return Math.max(1, Math.ceil(resetMs / 1_000))
}

/** The headers of draft-ietf-httpapi-ratelimit-headers, and those that older clients read. */
export function rateHeaders(
  { name, requests, seconds }: RatePolicy,
  { remaining, resetMs }: Pick<Admission, 'remaining' | 'resetMs'>,
): readonly (readonly [string, string | number])[] {
  const reset = waitSeconds(resetMs)
  return [
    ['RateLimit-Policy', `"${name}";q=${requests};w=${seconds}`],
    ['RateLimit', `"${name}";r=${remaining};t=${reset}`],
    ['X-RateLimit-Limit', requests],
    ['X-RateLimit-Remaining', remaining],
    ['X-RateLimit-Reset', reset],
  ]
}

/** 429 `rate_limited`. */
export class RateLimited extends DomainError {
  readonly policy: RatePolicy
  readonly resetMs: number

  constructor(policy: RatePolicy, resetMs: number) {
    const { name, requests, seconds } = policy
    const wait = waitSeconds(resetMs)
    const message = `Rate limit exceeded: ${requests} requests per ${seconds} s. Retry in ${wait} s.`
    const details = { policy: name, limit: requests, window_seconds: seconds, retry_after: wait }
    super('rate-limited', 'rate_limited', message, details)
    this.policy = policy
    this.resetMs = resetMs
  }
}

/** Counts what a policy decided, where metrics are on. */
export function countDecision({ name }: RatePolicy, admitted: boolean): void {
  if (telemetry.metrics) metrics.rateLimitDecisions.series(name, admitted ? 'admitted' : 'refused').inc()
}
