import { setTimeout as sleep } from 'node:timers/promises'
import { awaitReply } from '#libs/redis/await-reply.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import type { MemorySlidingWindow } from './memory-sliding-window.js'
import type { RatePolicy } from './policies.js'
import type { RedisSlidingWindow } from './redis-sliding-window.js'
import type { Admission, SlidingWindow } from './sliding-window.js'

/** A sliding window that is there whatever Redis does. */
export interface Limiter extends SlidingWindow {
  close(): Promise<void>
}

/** What such a window is made of. */
export interface LimiterParts {
  readonly shared: RedisSlidingWindow
  readonly own: MemorySlidingWindow
  readonly log: { warn(fields: object, line: string): void; info(fields: object, line: string): void }
}

/** What a request waits for Redis at most, in milliseconds. */
const replyTimeoutMs = 40
const probeIntervalMs = 250
/** The probe does what requests do, on a key of its own. */
const probe: RatePolicy = { name: 'probe', requests: 1_000, seconds: 1 }

/**
 * Limits by Redis as long as it responds within 40 ms, and by this process alone otherwise: then Redis is left in peace
 * until a probe finds that it can write again. Every request takes its place in this process first, so that one process
 * never lets through more than the policy says, whatever Redis has forgotten meanwhile. A subject that Redis has refused
 * is refused here, without another question, for up to a second.
 */
export function createLimiterWithFallback({ shared, own, log }: LimiterParts): Limiter {
  const closing = new AbortController()
  let probing: Promise<void> | null = null
  const fallbacks = metrics.rateLimitFallbacks.series()
  const stopReading = metrics.rateLimitFallback.observe(() => [[[], probing === null ? 0 : 1]])

  const probeUntilBack = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await sleep(probeIntervalMs, undefined, { signal: closing.signal, ref: false })
      try {
        await awaitReply(shared.take('probe', probe), replyTimeoutMs)
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

  /** Redis has the last word on a request that has its place here. */
  const confirm = async (
    subject: string,
    policy: RatePolicy,
    count: number,
    admission: Admission,
  ): Promise<Admission> => {
    const asked = shared.take(subject, policy, count)
    const refund = (): void => {
      admission.refund()
      // A response that came too late counts there all the same.
      asked.then((late) => late.refund()).catch(() => {})
    }
    try {
      const response = await awaitReply(asked, replyTimeoutMs)
      if (response.admitted) return { ...response, refund }
      admission.refund()
      // Where one more is refused, all are; where many are, a few may still be admitted.
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
