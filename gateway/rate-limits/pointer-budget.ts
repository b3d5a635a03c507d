import { DomainError } from '#libs/core/domain-error.js'
import type { DocumentReader } from './document-reader.js'
import type { ByteRate, RatePolicy } from './policies.js'
import { countDecision, waitSeconds } from './rate-limits.js'
import type { SlidingWindow } from './sliding-window.js'

/** Limits the bytes of large documents that are searched for the value of a pointer, or compared. */
export interface PointerBudget {
  /**
   * Counts a document before it is searched or compared; the returned function reverts that.
   * @throws DomainError `rate_limited` if the reader's budget is used up.
   */
  spend(reader: DocumentReader, bytes: number): Promise<() => void>
}

/** The bytes that count as one request of the window. */
const unitBytes = 262_144
/** How much more an account may search than an anonymous reader. */
const accountFactor = 4

function budgetSpent(policy: RatePolicy, resetMs: number): DomainError {
  const wait = waitSeconds(resetMs)
  const limit = policy.requests * unitBytes
  const message = `Rate limit exceeded: you may search or compare ${limit} bytes of large documents per ${policy.seconds} s. Retry in ${wait} s, or fetch whole documents.`
  const details = { policy: policy.name, limit, window_seconds: policy.seconds, retry_after: wait }
  return new DomainError('rate-limited', 'rate_limited', message, details)
}

/**
 * A budget over this window, for each client IP without credentials and four times as large for each account. A
 * document that is larger than the whole budget uses all of it.
 * @param rate `null` for no limit.
 */
export function createPointerBudget(
  window: Pick<SlidingWindow, 'take'>,
  rate: ByteRate | null,
): PointerBudget {
  return {
    async spend(reader, bytes) {
      if (rate === null) return () => {}
      const allowed = rate.bytes * (reader.anonymous ? 1 : accountFactor)
      const policy = { name: 'pointer', requests: Math.ceil(allowed / unitBytes), seconds: rate.seconds }
      const units = Math.min(policy.requests, Math.ceil(bytes / unitBytes))
      const { admitted, resetMs, refund } = await window.take(reader.subject, policy, units)
      countDecision(policy, admitted)
      if (!admitted) throw budgetSpent(policy, resetMs)
      return refund
    },
  }
}
