import type { Admission, RatePolicy } from '../request/counted-request.js'
import type { SlidingWindow } from './sliding-window.js'

/** A sliding window in the memory of this process. */
export interface MemorySlidingWindow extends SlidingWindow {
  /** `take`, synchronously. */
  takeNow(subject: string, policy: RatePolicy, count?: number): Admission
  /** Rejects a subject for up to a second, as the shared window does; `resetMs` is when it admits again. */
  refuse(subject: string, policy: RatePolicy, resetMs: number): void
}

/** At least this many subjects are kept; beyond it, the least recently used are dropped. */
const subjectsMax = 100_000

/**
 * The longest time for which a rejection by the shared window is repeated without a query. A refund can free capacity
 * earlier than predicted, so it is short.
 */
const refusalMsMax = 1_000

interface Log {
  /** The times of admissions in whole milliseconds, oldest first; those before `head` have left the window. */
  readonly times: number[]
  /** How many were admitted at each time: a log is never longer than its window has milliseconds. */
  readonly counts: number[]
  head: number
  /** How many admissions are in the window. */
  used: number
  /** The last rejection by the shared window: its time, how long to repeat it, and when capacity was expected. */
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

/** The time by which at least this many of the oldest requests had been admitted. */
function admittedBy(log: Log, count: number): number | undefined {
  let index = log.head
  for (let seen = log.counts[index] ?? count; seen < count; seen += log.counts[index] ?? count) index += 1
  return log.times[index]
}

/**
 * Records an admission; the returned function reverts it. The time is rounded up, so that none leaves its window early.
 */
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
 * Keeps an exact log of admissions for each subject. Logs live in two generations: using a log moves it to the younger
 * one, and the older one is dropped as a whole once all its entries have left their windows, so expiry is free.
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
    let log = younger.get(key)
    if (log === undefined) {
      log = older.get(key) ?? newLog()
      younger.set(key, log)
    }
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
    // In this order: a sum with `at` would be rounded, and the wait would be a second too long.
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
