import type { RatePolicy } from './policies.js'
import type { Admission, SlidingWindow } from './sliding-window.js'

/** A sliding window in the memory of this process. */
export interface MemorySlidingWindow extends SlidingWindow {
  /** The same at once. */
  takeNow(subject: string, policy: RatePolicy, count?: number): Admission
  /** Refuses a subject for up to a second, as a window that it shares with others does; the next place is in `resetMs`. */
  refuse(subject: string, policy: RatePolicy, resetMs: number): void
}

/** How many subjects are surely known; beyond it those that were not seen for longest are forgotten. */
const subjectsMax = 100_000

/**
 * How long a shared window is not asked again about a subject that it has refused, in milliseconds. A request that is
 * given back makes room earlier than foretold: nobody is refused for longer without a question.
 */
const refusalMsMax = 1_000

interface Log {
  /** When requests were admitted, oldest first; those before `head` have left the window. */
  readonly times: number[]
  head: number
  /** When a shared window refused it, for how long that is not asked again, and when a place was to be free. */
  refused: { readonly at: number; readonly forMs: number; readonly resetMs: number } | null
}

function expire(log: Log, from: number): void {
  while (log.head < log.times.length && (log.times[log.head] ?? from) <= from) log.head += 1
  if (log.head > 64 && log.head * 2 > log.times.length) {
    log.times.splice(0, log.head)
    log.head = 0
  }
}

/** Counts an admission; the function returned takes it back. */
function add(log: Log, at: number, count: number): () => void {
  let counted = true
  for (let index = 0; index < count; index += 1) log.times.push(at)
  return () => {
    const index = log.times.lastIndexOf(at) - count + 1
    if (counted && index >= log.head) log.times.splice(index, count)
    counted = false
  }
}

/**
 * An exact log of admissions for each subject. Logs live in two generations: one that is used moves to the younger, and
 * the older is dropped as a whole once nothing in it can still be in a window, so forgetting costs nothing.
 * @param now milliseconds that only grow.
 */
export function createMemorySlidingWindow(now: () => number, max = subjectsMax): MemorySlidingWindow {
  let younger = new Map<string, Log>()
  let older = new Map<string, Log>()
  let turnedAt = now()
  let longestMs = 0

  const turn = (at: number): void => {
    if (at - turnedAt < longestMs && younger.size < max) return
    older = younger
    younger = new Map()
    turnedAt = at
  }

  const logOf = (subject: string, { name, seconds }: RatePolicy, at: number): Log => {
    longestMs = Math.max(longestMs, seconds * 1_000)
    turn(at)
    const key = `${name} ${subject}`
    const log = younger.get(key) ?? older.get(key) ?? { times: [], head: 0, refused: null }
    younger.set(key, log)
    expire(log, at - seconds * 1_000)
    return log
  }

  const takeNow = (subject: string, policy: RatePolicy, count = 1): Admission => {
    const at = now()
    const log = logOf(subject, policy, at)
    const { refused } = log
    if (refused !== null && at - refused.at < refused.forMs)
      return {
        admitted: false,
        remaining: 0,
        resetMs: refused.resetMs - (at - refused.at),
        refund: () => {},
      }
    const used = log.times.length - log.head
    const room = policy.requests - used
    const freed = log.times[log.head + Math.max(0, count - room - 1)]
    // In this order: a sum with the time of day would be rounded, and a first request told to wait a second too long.
    const resetMs = policy.seconds * 1_000 - (at - (freed ?? at))
    if (count > room) return { admitted: false, remaining: 0, resetMs, refund: () => {} }
    return { admitted: true, remaining: room - count, resetMs, refund: add(log, at, count) }
  }

  return {
    take: async (subject, policy, count) => takeNow(subject, policy, count),
    takeNow,
    refuse(subject, policy, resetMs) {
      const at = now()
      logOf(subject, policy, at).refused = { at, forMs: Math.min(resetMs, refusalMsMax), resetMs }
    },
  }
}
