import type { ServerResponse } from 'node:http'
import { afterPendingReads, lateTimerMs } from '../request/late-timer.js'

/** How slowly a client may read a response. Only time spent waiting for the client counts. */
export interface ReaderPaceRules {
  /** The minimum average once `afterMs` have passed; bytes in system buffers count as read. */
  readonly minBytesPerSecond: number
  readonly afterMs: number
}

/** As for request bodies: an average of 64 KB/s after 15 s. */
export const defaultReaderPace: ReaderPaceRules = { minBytesPerSecond: 64_000, afterMs: 15_000 }

/** Far below the 32 bits of a timer. */
const watchMsMax = 60_000

/** One timer serves the whole response: a timer per chunk would take a sixth of the total time. */
export function createReaderPace(response: ServerResponse, { minBytesPerSecond, afterMs }: ReaderPaceRules) {
  let written = 0
  let waitedMs = 0
  let waitingSince: number | null = null
  let timer: NodeJS.Timeout | null = null
  let dueAt = 0

  const allowedMs = (): number =>
    Math.max(afterMs, ((written - response.writableLength) / minBytesPerSecond) * 1_000)
  const waitedUntil = (now: number): number => waitedMs + (waitingSince === null ? 0 : now - waitingSince)

  const watch = (inMs: number): void => {
    dueAt = performance.now() + inMs
    timer = setTimeout(check, inMs)
    timer.unref()
  }

  /** A pipelined response behind another one is not sent yet, so its reader cannot be slow. */
  const isQueued = (): boolean => response.socket === null

  function check(): void {
    const now = performance.now()
    const lateMs = now - dueAt
    if (lateMs > lateTimerMs) waitedMs -= Math.min(lateMs, waitedUntil(now))
    if (isQueued() && waitingSince !== null) {
      waitedMs = 0
      waitingSince = now
    }
    const leftMs = allowedMs() - waitedUntil(now)
    if (leftMs > 0) {
      watch(Math.min(Math.max(leftMs, 1), watchMsMax))
      return
    }
    const suspect = waitingSince
    afterPendingReads(() => {
      if (timer === null) return
      if (suspect !== null && waitingSince === suspect && allowedMs() - waitedUntil(now) <= 0)
        response.destroy()
      else watch(lateTimerMs)
    })
  }

  return {
    /** Records a write that left room for more. */
    took(bytes: number) {
      written += bytes
    },
    /** Records a write that filled the buffer. */
    waits(bytes: number) {
      written += bytes
      waitingSince = performance.now()
      if (timer === null) watch(afterMs)
    },
    /** Records that the buffer has room again. */
    resumes() {
      if (waitingSince !== null) waitedMs += performance.now() - waitingSince
      waitingSince = null
    },
    stop() {
      if (timer !== null) clearTimeout(timer)
      timer = null
    },
  }
}

/** Watches how fast a client reads, and closes the connection if it is too slow. */
export type ReaderPace = Readonly<ReturnType<typeof createReaderPace>>
