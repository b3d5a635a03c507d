import { performance } from 'node:perf_hooks'

/** A time in which the event loop of this process is watched. */
export interface LagWatch {
  /** Whether it was late, or busy for the most part, since the watch began. */
  wasBlocked(): boolean
  /** Ends the watch. */
  end(): void
}

/** Tells whether the event loop of this process was blocked. */
export interface EventLoopLag {
  /** Watches from now on. */
  watch(): LagWatch
}

const tickMs = 5
/** A tick that is later than this was held up. */
const lateMs = 5
/** The share of a time in which the event loop may have had work to do. */
const busyShare = 0.7

/**
 * Node knows how long the event loop worked, but not how long it waited for a processor; late timer ticks
 * show that. They run only while something is watched, and are shared by all watches.
 */
export function createEventLoopLag(): EventLoopLag {
  let watches = 0
  let ticking: NodeJS.Timeout | undefined
  let nextTickAt = 0
  let lateAt = Number.NEGATIVE_INFINITY

  const tick = (): void => {
    const now = performance.now()
    if (now - nextTickAt > lateMs) lateAt = now
    nextTickAt = now + tickMs
  }
  const start = (): void => {
    nextTickAt = performance.now() + tickMs
    ticking = setInterval(tick, tickMs)
    ticking.unref()
  }

  return {
    watch() {
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
    },
  }
}
