import type { Logger } from '#libs/log/logger.js'
import type { ShareViews } from '#proto/snipkeep/content/v1/share_service.js'

export interface ViewCounterDependencies {
  readonly deliver: (shares: readonly ShareViews[]) => Promise<void>
  readonly log: Pick<Logger, 'warn'>
  /** Milliseconds between two batches. */
  readonly intervalMs?: number
}

const defaultIntervalMs = 5_000
/** Between two batches, views of more shares than this are not counted. */
const sharesMax = 10_000
/** The maximum that content accepts at once. */
const batchMax = 1_000

/**
 * Counts in memory and delivers every five seconds. A failed batch is dropped: content may have counted it, and losing
 * views is better than counting them twice.
 */
export function createViewCounter({ deliver, log, intervalMs = defaultIntervalMs }: ViewCounterDependencies) {
  let open = new Map<string, number>()
  let delivering: Promise<void> = Promise.resolve()

  const handOver = async (taken: ReadonlyMap<string, number>): Promise<void> => {
    const shares = [...taken].map(([id, views]) => ({ id, views }))
    for (let at = 0; at < shares.length; at += batchMax) {
      const batch = shares.slice(at, at + batchMax)
      await deliver(batch).catch((error: unknown) => {
        const lost = batch.reduce((sum, { views }) => sum + views, 0)
        log.warn(
          { event: 'share_views_lost', err: error, shares: batch.length, views: lost },
          'views of shares were not counted',
        )
      })
    }
  }

  const flush = (): void => {
    if (open.size === 0) return
    const taken = open
    open = new Map()
    delivering = delivering.then(() => handOver(taken))
  }

  const timer = setInterval(flush, intervalMs)
  timer.unref()
  return {
    /** Counts one view; as cheap as one step in a map. */
    count(id: string) {
      const views = open.get(id)
      if (views !== undefined) open.set(id, views + 1)
      else if (open.size < sharesMax) open.set(id, 1)
    },
    /** Delivers the remaining counts and stops counting. */
    async stop() {
      clearInterval(timer)
      flush()
      await delivering
    },
  }
}

export type ViewCounter = Readonly<ReturnType<typeof createViewCounter>>
