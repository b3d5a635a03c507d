import { DomainError } from '#libs/core/domain-error.js'
import { RateLimited } from '../../rate-limits/rate-limits.js'
import type { SlidingWindow } from '../../rate-limits/sliding-window.js'
import type { RatePolicy } from '../../request/counted-request.js'

export type ArchiveTask = 'export' | 'import'

/** An export or import that is running. */
export interface RunningTask {
  /** @param counts whether it counts for the day. */
  end(counts: boolean): void
}

/** Limits exports and imports: of each kind one at a time per account, and few a day; exact across gateways with Redis. */
export interface ArchiveQuota {
  /** @throws DomainError `rate_limited`. */
  start(task: ArchiveTask, accountId: string): Promise<RunningTask>
}

const perDay: Readonly<Record<ArchiveTask, RatePolicy>> = {
  export: { name: 'export', requests: 4, seconds: 86_400 },
  import: { name: 'import', requests: 20, seconds: 86_400 },
}

/** A task of a gateway that died blocks the next one for this long. */
const leaseSeconds = 120
const renewMs = 40_000
const retrySeconds = 30

function stillRunning(task: ArchiveTask): DomainError {
  const message = `An ${task} of your account is already running. Wait until it finishes.`
  const details = { policy: `${task}-running`, limit: 1, retry_after: retrySeconds }
  return new DomainError('rate-limited', 'rate_limited', message, details)
}

/** @param window one that keeps days, apart from that of requests. */
export function createArchiveQuota(window: Pick<SlidingWindow, 'take'>): ArchiveQuota {
  return {
    async start(task, accountId) {
      const running: RatePolicy = { name: `${task}-running`, requests: 1, seconds: leaseSeconds }
      let lease = await window.take(accountId, running)
      if (!lease.admitted) throw stillRunning(task)
      const today = await window.take(accountId, perDay[task])
      if (!today.admitted) {
        lease.refund()
        throw new RateLimited(perDay[task], today.resetMs)
      }
      let ended = false
      // The next lease is taken before this one is given up, so that nobody can come between.
      const renew = async (): Promise<void> => {
        const next = await window.take(accountId, { ...running, requests: 2 })
        if (!next.admitted) return
        ;(ended ? next : lease).refund()
        if (!ended) lease = next
      }
      const timer = setInterval(() => void renew().catch(() => {}), renewMs)
      timer.unref()
      return {
        end(counts) {
          ended = true
          clearInterval(timer)
          if (!counts) today.refund()
          lease.refund()
        },
      }
    },
  }
}
