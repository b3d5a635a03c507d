import { performance } from 'node:perf_hooks'

/** Tells whether this process got its turns in a time. */
export interface Strain {
  /** Whether it did not since `watch` was called, or had work to do for the most part. */
  wasStrained(): boolean
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
 * Watches from now on. The event loop knows how long it worked, but not how long the system let it wait for a processor;
 * ticks that come late tell that. They run only while somebody watches.
 */
export function watchStrain(): Strain {
  const since = performance.now()
  const before = performance.eventLoopUtilization()
  watches += 1
  if (watches === 1) start()
  let ended = false
  return {
    wasStrained() {
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
