import type { RatePolicy } from './policies.js'
import type { Admission, SlidingWindow } from './sliding-window.js'

/** A sliding window in the memory of this process. */
export interface MemorySlidingWindow extends SlidingWindow {
  /** The same, synchronously. */
  takeNow(subject: string, policy: RatePolicy, count?: number): Admission
  /** Rejects a subject for up to a second, as the shared window does; `resetMs` is when it admits again. */
  refuse(subject: string, policy: RatePolicy, resetMs: number): void
}

/** The number of subjects that are kept for sure; beyond it the least recently used are dropped. */
const subjectsMax = 100_000

/**
 * How long a shared window is not queried again about a subject that it has rejected, in milliseconds. A refund can
 * free capacity earlier than predicted, so no one is rejected for longer without a query.
 */
const refusalMsMax = 1_000

interface Log {
  /** When requests were admitted, oldest first; those before `head` have left the window. */
  readonly times: number[]
  head: number
  /** When a shared window rejected it, for how long that is not queried again, and when capacity was to be free. */
  refused: { readonly at: number; readonly forMs: number; readonly resetMs: number } | null
}

function expire(log: Log, from: number): void {
  while (log.head < log.times.length && (log.times[log.head] ?? from) <= from) log.head += 1
  if (log.head > 64 && log.head * 2 > log.times.length) {
    log.times.splice(0, log.head)
    log.head = 0
  }
}

/** Records an admission; the returned function reverts it. */
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
 * An exact log of admissions for each subject. Logs live in two generations: a log in use moves to the younger one,
 * and the older one is dropped as a whole once nothing in it can still be in a window, so expiry costs nothing.
 * @param now a monotonic clock in milliseconds.
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
    // In this order: a sum with the time of day would be rounded, and a first request would wait a second too long.
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
