import { DomainError } from '#libs/core/domain-error.js'
import type { RatePolicy } from './policies.js'
import type { Admission } from './sliding-window.js'

/** Who was refused, where the request told it. */
export interface RateLimitedCaller {
  readonly accountId: string
  /** `null` when the caller came with an identity token. */
  readonly apiKeyId: string | null
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

/** 429 `rate_limited`, with what is needed to say it again. */
export class RateLimited extends DomainError {
  readonly policy: RatePolicy
  readonly resetMs: number
  /** For how long it may be said again without asking the window. */
  readonly holdsMs: number
  readonly caller: RateLimitedCaller | null

  constructor(
    policy: RatePolicy,
    { resetMs, holdsMs = resetMs }: Pick<Admission, 'resetMs' | 'holdsMs'>,
    caller: RateLimitedCaller | null,
  ) {
    const { name, requests, seconds } = policy
    const wait = waitSeconds(resetMs)
    const message = `Rate limit exceeded: ${requests} requests per ${seconds} s. Retry in ${wait} s.`
    const details = { policy: name, limit: requests, window_seconds: seconds, retry_after: wait }
    super('rate-limited', 'rate_limited', message, details)
    this.policy = policy
    this.resetMs = resetMs
    this.holdsMs = holdsMs
    this.caller = caller
  }
}
