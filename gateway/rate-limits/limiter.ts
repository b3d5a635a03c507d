import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '#libs/log/logger.js'
import { awaitReply } from '#libs/redis/await-reply.js'
import type { EventLoopLag } from '#libs/redis/event-loop-lag.js'
import type { RedisConnection } from '#libs/redis/redis-connection.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import type { Admission, RatePolicy } from '../request/counted-request.js'
import { createMemorySlidingWindow, type MemorySlidingWindow } from './memory-sliding-window.js'
import { createLeases, type LeasedWindow } from './redis-leases.js'
import { createRedisSlidingWindow } from './redis-sliding-window.js'
import type { SlidingWindow } from './sliding-window.js'

/** A sliding window that keeps working without Redis. */
export interface Limiter extends SlidingWindow {
  close(): Promise<void>
}

export interface LimiterDependencies {
  readonly shared: LeasedWindow
  readonly own: MemorySlidingWindow
  readonly lag: EventLoopLag
  readonly log: { warn(fields: object, line: string): void; info(fields: object, line: string): void }
}

/** The longest time that a request waits for Redis. */
const replyTimeoutMs = 40
const probeIntervalMs = 250
/** The probe runs the same script as requests, on its own key. */
const probe: RatePolicy = { name: 'probe', requests: 1_000, seconds: 1 }

/**
 * Limits through Redis while it responds within 40 ms, else in this process alone; then Redis is not queried until a
 * probe succeeds. Every request is first counted in this process, so that no process admits more than the policy
 * allows, even if Redis loses its data. A subject that Redis rejects is rejected here for up to a second without
 * another query.
 */
export function createLimiterWithFallback({ shared, own, lag, log }: LimiterDependencies): Limiter {
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

  /** Redis decides about a request that this process would admit. */
  const confirm = async (
    subject: string,
    policy: RatePolicy,
    count: number,
    admission: Admission,
  ): Promise<Admission> => {
    const held = count === 1 ? shared.takeHeld(subject, policy) : null
    if (held !== null) {
      const refundHeld = (): void => {
        admission.refund()
        held.refund()
      }
      return { ...held, refund: refundHeld }
    }
    const query = shared.take(subject, policy, count)
    const refund = (): void => {
      admission.refund()
      // Redis has counted the request even if its response came too late.
      query.then((late) => late.refund()).catch(() => {})
    }
    try {
      const response = await awaitReply(query, replyTimeoutMs, lag)
      if (response.admitted) return { ...response, refund }
      admission.refund()
      // A rejected batch says nothing about a smaller one.
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
      shared.close()
    },
  }
}

/** @param redis shares the limits between gateways; with `null`, each gateway limits on its own. */
export function createLimiter(redis: RedisConnection | null, log: Logger): Limiter {
  const now = performance.now.bind(performance)
  const own = createMemorySlidingWindow(now)
  if (redis === null) return { take: own.take, close: async () => {} }
  const shared = createLeases(createRedisSlidingWindow(redis), now)
  return createLimiterWithFallback({ shared, own, lag: redis.lag, log })
}

/** The limits of requests, and apart from them those of days: what they keep would make the others large. */
export function createLimiters(redis: RedisConnection | null, log: Logger) {
  const [window, days] = [createLimiter(redis, log), createLimiter(redis, log)]
  const closeLimiters = async (): Promise<void> => {
    await Promise.all([window.close(), days.close()])
    await redis?.close()
  }
  return { window, days, closeLimiters }
}
