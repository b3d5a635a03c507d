import { DomainError, isUnavailability } from '#libs/core/domain-error.js'
import { inlineBytesMax } from '#shared/core/data-size.js'
import type { ByteRate } from '../rate-limits/policies.js'
import { countDecision, type DocumentReader, waitSeconds } from '../rate-limits/rate-limits.js'
import type { SlidingWindow } from '../rate-limits/sliding-window.js'
import type { RatePolicy } from '../request/counted-request.js'

/** Limits how many bytes of large documents are searched by pointer, or compared. */
export interface PointerBudget {
  /**
   * Call before a document is searched or compared; the returned function gives the budget back.
   * @throws DomainError `rate_limited` if the reader's budget is used up.
   */
  spend(reader: DocumentReader, bytes: number): Promise<() => void>
}

/** One request of the window. */
const unitBytes = 262_144
/** How many times as much as an anonymous reader an account may search. */
const accountFactor = 4

function budgetSpent(policy: RatePolicy, resetMs: number): DomainError {
  const wait = waitSeconds(resetMs)
  const limit = policy.requests * unitBytes
  const message = `Rate limit exceeded: you may search or compare ${limit} bytes of large documents per ${policy.seconds} s. Retry in ${wait} s, or fetch whole documents.`
  const details = { policy: policy.name, limit, window_seconds: policy.seconds, retry_after: wait }
  return new DomainError('rate-limited', 'rate_limited', message, details)
}

/**
 * Every client IP without credentials has a budget, and every account one that is four times as large. A document
 * larger than the whole budget uses all of it.
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

/** What one request takes from its reader's budget: only what is large counts. */
export function spendingOf(budget: PointerBudget, reader: DocumentReader) {
  const refunds: (() => void)[] = []
  return {
    async spend(bytes: number): Promise<void> {
      if (bytes > inlineBytesMax) refunds.push(await budget.spend(reader, bytes))
    },
    /** Gives everything back if the request failed for want of a service. */
    refund(error: unknown): void {
      if (isUnavailability(error)) for (const takeBack of refunds) takeBack()
    },
  }
}
