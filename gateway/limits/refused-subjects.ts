import type { RatePolicy } from './policies.js'
import type { Admission } from './sliding-window.js'

/** A short memory of subjects that are beyond their limit. */
export interface RefusedSubjects {
  /** Notes a refusal that holds for so many milliseconds, though for a second at most. */
  add(subject: string, policy: RatePolicy, resetMs: number): void
  /** The refusal that holds now, or `null`. */
  find(subject: string, policy: RatePolicy): Admission | null
}

/** A given-back request makes room earlier than was foretold, so nobody is refused for longer without a question. */
const lifeMsMax = 1_000
const subjectsMax = 10_000

/**
 * A memory of at most 10,000 subjects, which makes a flood of refused requests cost Redis nothing.
 * @param now milliseconds that only grow.
 */
export function createRefusedSubjects(now: () => number): RefusedSubjects {
  const refusals = new Map<string, { readonly until: number; readonly freeAt: number }>()
  const keyOf = (subject: string, { name }: RatePolicy): string => `${name} ${subject}`
  return {
    add(subject, policy, resetMs) {
      const at = now()
      // What is forgotten is asked for once more.
      if (refusals.size >= subjectsMax) refusals.clear()
      const until = at + Math.min(resetMs, lifeMsMax)
      refusals.set(keyOf(subject, policy), { until, freeAt: at + resetMs })
    },
    find(subject, policy) {
      const key = keyOf(subject, policy)
      const refusal = refusals.get(key)
      if (refusal === undefined) return null
      const at = now()
      if (at < refusal.until) {
        return { admitted: false, remaining: 0, resetMs: refusal.freeAt - at, giveBack: () => {} }
      }
      refusals.delete(key)
      return null
    },
  }
}
