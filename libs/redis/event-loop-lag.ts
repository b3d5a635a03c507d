import { performance } from 'node:perf_hooks'

/** Tells whether the event loop of this process was blocked. */
export interface EventLoopLag {
  /** Whether it was late, or busy for the most part, since the watch began. */
  wasBlocked(): boolean
  /** Ends the watch. */
  end(): void
}

const tickMs = 5
/** A tick that is later than this was held up. */
const lateMs = 5
/** The share of a time in which the event loop may have had work to do. */
const busyShare = 0.7

let watches = 0
let ticking: NodeJS.Timeout | undefined
let nextTickAt = 0
let lateAt = Number.NEGATIVE_INFINITY

function tick(): void {
  const now = performance.now()
  if (now - nextTickAt > lateMs) lateAt = now
  nextTickAt = now + tickMs
}

function start(): void {
  nextTickAt = performance.now() + tickMs
  ticking = setInterval(tick, tickMs)
  ticking.unref()
}

/**
 * Watches from now on. Node knows how long the event loop worked, but not how long it waited for a processor; late timer
 * ticks show that. They run only during a watch.
 */
export function watchEventLoopLag(): EventLoopLag {
  const since = performance.now()
  const before = performance.eventLoopUtilization()
  watches += 1
  if (watches === 1) start()
  let ended = false
  return {
    wasBlocked() {
      tick()
      return lateAt >= since || performance.eventLoopUtilization(before).utilization > busyShare
    },
    end() {
      if (ended) return
      ended = true
      watches -= 1
      if (watches === 0) clearInterval(ticking)
    },
  }
}
