import { setTimeout as sleep } from 'node:timers/promises'
import { awaitReply } from '#libs/redis/await-reply.js'
import type { EventLoopLag } from '#libs/redis/event-loop-lag.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import type { MemorySlidingWindow } from './memory-sliding-window.js'
import type { RatePolicy } from './policies.js'
import type { RedisSlidingWindow } from './redis-sliding-window.js'
import type { Admission, SlidingWindow } from './sliding-window.js'

/** A sliding window that works whatever Redis does. */
export interface Limiter extends SlidingWindow {
  close(): Promise<void>
}

/** The dependencies of such a window. */
export interface LimiterParts {
  readonly shared: RedisSlidingWindow
  readonly own: MemorySlidingWindow
  readonly lag: EventLoopLag
  readonly log: { warn(fields: object, line: string): void; info(fields: object, line: string): void }
}

/** How long a request waits for Redis at most, in milliseconds. */
const replyTimeoutMs = 40
const probeIntervalMs = 250
/** The probe does the same as requests, on a key of its own. */
const probe: RatePolicy = { name: 'probe', requests: 1_000, seconds: 1 }

/**
 * Limits by Redis as long as it responds within 40 ms, and by this process alone otherwise: then Redis is not queried
 * until a probe can write again. Every request is counted in this process first, so that one process never admits
 * more than the policy allows, whatever Redis has lost. A subject that Redis has rejected is rejected here for up to
 * a second without another query.
 */
export function createLimiterWithFallback({ shared, own, lag, log }: LimiterParts): Limiter {
  const closing = new AbortController()
  let probing: Promise<void> | null = null
  const fallbacks = metrics.rateLimitFallbacks.series()
  const stopReading = metrics.rateLimitFallback.observe(() => [[[], probing === null ? 0 : 1]])

  const probeUntilBack = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await sleep(probeIntervalMs, undefined, { signal: closing.signal, ref: false })
      try {
        await awaitReply(shared.take('probe', probe), replyTimeoutMs, lag)
        log.info({ event: 'rate_limits_shared' }, 'rate limits are shared through Redis again')
        return
      } catch {}
    }
  }

  const fallBack = (error: unknown): void => {
    if (probing !== null || closing.signal.aborted) return
    fallbacks.inc()
    log.warn(
      { event: 'rate_limits_per_process', err: error },
      'rate limits are per process until Redis is back',
    )
    probing = probeUntilBack()
      .catch(() => {})
      .finally(() => {
        probing = null
      })
  }

  /** Redis has the last word on a request that this process admits. */
  const confirm = async (
    subject: string,
    policy: RatePolicy,
    count: number,
    admission: Admission,
  ): Promise<Admission> => {
    const asked = shared.take(subject, policy, count)
    const refund = (): void => {
      admission.refund()
      // A response that came too late has counted there all the same.
      asked.then((late) => late.refund()).catch(() => {})
    }
    try {
      const response = await awaitReply(asked, replyTimeoutMs, lag)
      if (response.admitted) return { ...response, refund }
      admission.refund()
      // If a single request is rejected, all are; if a batch is, a smaller one may still be admitted.
      if (count === 1) own.refuse(subject, policy, response.resetMs)
      return response
    } catch (error) {
      fallBack(error)
      return { ...admission, refund }
    }
  }

  return {
    async take(subject, policy, count = 1) {
      const admission = own.takeNow(subject, policy, count)
      return admission.admitted && probing === null ? confirm(subject, policy, count, admission) : admission
    },
    async close() {
      stopReading()
      closing.abort()
      await probing
    },
  }
}
