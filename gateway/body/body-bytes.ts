import type { Readable } from 'node:stream'
import { afterPendingReads, lateTimerMs } from '../request/late-timer.js'
import { bodyTooSlow } from './body-errors.js'

/** How slowly a body may arrive. Only time spent waiting for the caller counts. */
export interface BodyTimeLimits {
  /** The longest time without a byte. */
  readonly idleMs: number
  /** The minimum average on the wire once `afterMs` have passed. */
  readonly minBytesPerSecond: number
  readonly afterMs: number
}

/** Bytes that are read chunk by chunk. */
export interface ByteSource {
  /** Resolves to `null` at the end. Call it again only after it has settled. */
  next(): Promise<Buffer | null>
  /** Stops reading, also at the end, to clean up; rejects a pending `next` with `reason`. */
  stop(reason: Error): void
}

interface Waiter {
  resolve(chunk: Buffer | null): void
  reject(error: Error): void
}

/**
 * The body of a request as received. Between calls of `next`, the request is paused, so that the sender has to wait;
 * after `stop` it stays paused, its rest unread.
 */
export function createRequestBytes(request: Readable, limits: BodyTimeLimits): ByteSource {
  const arrived: Buffer[] = []
  let ended = false
  let failure: Error | null = null
  let waiter: Waiter | null = null
  let timer: NodeJS.Timeout | undefined
  let waitedMs = 0
  let waitingSince = 0
  let timerMs = 0
  let received = 0

  function settle(act: (waiting: Waiter) => void): void {
    if (waiter === null) return
    const waiting = waiter
    waiter = null
    clearTimeout(timer)
    const waited = performance.now() - waitingSince
    if (waited < timerMs + lateTimerMs) waitedMs += waited
    act(waiting)
  }

  function fail(error: Error): void {
    failure ??= error
    settle((waiting) => waiting.reject(error))
  }

  function onData(chunk: Buffer): void {
    received += chunk.length
    if (waiter === null) {
      arrived.push(chunk)
      request.pause()
    } else settle((waiting) => waiting.resolve(chunk))
  }

  function onEnd(): void {
    ended = true
    settle((waiting) => waiting.resolve(null))
  }

  function onTimeout(): void {
    const suspect = waiter
    afterPendingReads(() => {
      if (waiter === suspect) fail(bodyTooSlow())
    })
  }

  function wait(resolve: Waiter['resolve'], reject: Waiter['reject']): void {
    waiter = { resolve, reject }
    waitingSince = performance.now()
    const allowedMs = Math.max(limits.afterMs, (received / limits.minBytesPerSecond) * 1000)
    timerMs = Math.max(1, Math.min(limits.idleMs, allowedMs - waitedMs))
    timer = setTimeout(onTimeout, timerMs)
    request.resume()
  }

  request.on('data', onData)
  request.on('end', onEnd)
  request.on('error', fail)
  request.pause()
  return {
    async next() {
      if (failure !== null) throw failure
      const chunk = arrived.shift()
      if (chunk !== undefined) return chunk
      return ended ? null : new Promise(wait)
    },
    stop(reason) {
      request.off('data', onData)
      request.off('end', onEnd)
      request.off('error', fail)
      if (!ended) request.pause()
      fail(reason)
    },
  }
}

/** Collects chunks into one contiguous buffer. */
export interface ByteBuffer {
  readonly length: number
  /** Appends a copy of `bytes`. */
  append(bytes: Uint8Array): void
  /** All bytes as a view, valid until the next `append` or `clear`. */
  view(): Buffer
  clear(): void
}

/** Copies the bytes, so that no small slice keeps a whole network buffer in memory. */
export function createByteBuffer(): ByteBuffer {
  return new CopiedBytes()
}

class CopiedBytes implements ByteBuffer {
  length = 0
  private kept: Buffer = Buffer.alloc(0)

  append(bytes: Uint8Array): void {
    const needed = this.length + bytes.length
    if (needed > this.kept.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.kept.length * 2, 128))
      larger.set(this.view())
      this.kept = larger
    }
    this.kept.set(bytes, this.length)
    this.length = needed
  }

  view(): Buffer {
    return this.kept.subarray(0, this.length)
  }

  clear(): void {
    this.length = 0
  }
}
