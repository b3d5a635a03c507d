import type { ServerResponse } from 'node:http'

/** How slowly a client may read a response. Only time in which the response waits for the client counts. */
export interface ReaderPaceRules {
  /** The minimum average after `afterMs`; bytes in system buffers count as read. */
  readonly minBytesPerSecond: number
  readonly afterMs: number
}

/** Watches how fast a client reads its response, and ends the connection if it is too slow. */
export interface ReaderPace {
  /** So many bytes were written, and there is room for more. */
  took(bytes: number): void
  /** So many bytes were written, and there is no room for more. */
  waits(bytes: number): void
  /** There is room again. */
  resumes(): void
  stop(): void
}

/** As for request bodies: an average of 64 KB/s after 15 s. */
export const defaultReaderPace: ReaderPaceRules = { minBytesPerSecond: 64_000, afterMs: 15_000 }

/** A timer that fires this late says nothing about the client: this process was held up. */
const heldUpMs = 1_000

/** The maximum of a timer: 32 bits. */
const watchMsMax = 60_000

/**
 * The pace of the reader of this response. One timer serves the whole response: one for each chunk would take a sixth
 * of the time.
 */
export function createReaderPace(
  response: ServerResponse,
  { minBytesPerSecond, afterMs }: ReaderPaceRules,
): ReaderPace {
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

  /** While another response on its connection is sent, that one's reader is watched. */
  const isQueued = (): boolean => response.socket === null

  function check(): void {
    const now = performance.now()
    const lateMs = now - dueAt
    if (lateMs > heldUpMs) waitedMs -= Math.min(lateMs, waitedUntil(now))
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
    // Bytes that were read while the event loop was busy show one turn later.
    setImmediate(() => {
      if (timer === null) return
      if (suspect !== null && waitingSince === suspect && allowedMs() - waitedUntil(now) <= 0)
        response.destroy()
      else watch(heldUpMs)
    })
  }

  return {
    took(bytes) {
      written += bytes
    },
    waits(bytes) {
      written += bytes
      waitingSince = performance.now()
      if (timer === null) watch(afterMs)
    },
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
