import type { RatePolicy } from './policies.js'
import { createRefusalMemory, refusalLifeMsMax } from './rejection-cache.js'
import type { Admission } from './sliding-window.js'

/** A short memory of subjects that are beyond their limit. */
export interface RefusedSubjects {
  /** Notes a refusal that holds for so many milliseconds, though for a second at most. */
  add(subject: string, policy: RatePolicy, resetMs: number): void
  /** The refusal that holds now, or `null`. */
  find(subject: string, policy: RatePolicy): Admission | null
}

const subjectsMax = 10_000

/**
 * A memory of at most 10,000 subjects, which makes a flood of refused requests cost Redis nothing.
 * @param now milliseconds that only grow.
 */
export function createRefusedSubjects(now: () => number): RefusedSubjects {
  const refusals = createRefusalMemory<{ readonly until: number; readonly freeAt: number }>(now, subjectsMax)
  const keyOf = (subject: string, { name }: RatePolicy): string => `${name} ${subject}`
  return {
    add(subject, policy, resetMs) {
      const at = now()
      const holdsMs = Math.min(resetMs, refusalLifeMsMax)
      refusals.add(keyOf(subject, policy), { until: at + holdsMs, freeAt: at + resetMs }, holdsMs)
    },
    find(subject, policy) {
      const at = now()
      const refusal = refusals.find(keyOf(subject, policy), at)
      if (refusal === null) return null
      const { freeAt, until } = refusal
      return { admitted: false, remaining: 0, resetMs: freeAt - at, holdsMs: until - at, giveBack: () => {} }
    },
  }
}
