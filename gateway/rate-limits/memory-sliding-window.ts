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
  /** The milliseconds in which requests were admitted, oldest first; those before `head` have left the window. */
  readonly times: number[]
  /** How many were admitted in each: a busy log is as long as its window, not as the number of its requests. */
  readonly counts: number[]
  head: number
  /** How many are in the window. */
  used: number
  /** When a shared window rejected it, for how long that is not queried again, and when capacity was to be free. */
  refused: { readonly at: number; readonly forMs: number; readonly resetMs: number } | null
}

function newLog(): Log {
  return { times: [], counts: [], head: 0, used: 0, refused: null }
}

function expire(log: Log, from: number): void {
  const { times, counts } = log
  while (log.head < times.length && (times[log.head] ?? from) <= from) {
    log.used -= counts[log.head] ?? 0
    log.head += 1
  }
  if (log.head > 64 && log.head * 2 > times.length) {
    times.splice(0, log.head)
    counts.splice(0, log.head)
    log.head = 0
  }
}

/** When at least this many of the oldest requests were admitted. */
function admittedBy(log: Log, count: number): number | undefined {
  let index = log.head
  for (let seen = log.counts[index] ?? count; seen < count; seen += log.counts[index] ?? count) index += 1
  return log.times[index]
}

/** Records an admission; the returned function reverts it. Rounded up, no request leaves its window early. */
function add(log: Log, now: number, count: number): () => void {
  const at = Math.ceil(now)
  const { times, counts } = log
  const last = times.length - 1
  if (last >= log.head && times[last] === at) counts[last] = (counts[last] ?? 0) + count
  else {
    times.push(at)
    counts.push(count)
  }
  log.used += count
  let counted = true
  return () => {
    const index = times.lastIndexOf(at)
    if (counted && index >= log.head) {
      log.used -= count
      const left = (counts[index] ?? 0) - count
      if (left > 0) counts[index] = left
      else {
        times.splice(index, 1)
        counts.splice(index, 1)
      }
    }
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
    const log = younger.get(key) ?? older.get(key) ?? newLog()
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
    const room = policy.requests - log.used
    const freed = admittedBy(log, Math.max(1, count - room)) ?? at
    // In this order: a sum with the time of day would be rounded, and a first request would wait a second too long.
    const resetMs = policy.seconds * 1_000 - Math.max(0, at - freed)
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
