import type { Logger } from '#libs/log/logger.js'
import { countRequest } from '#libs/telemetry/observe-http.js'
import { countProblem } from '../count-problem.js'
import { countDecision } from '../limits/count-decision.js'
import type { UsageCounter } from '../usage/usage-counter.js'
import { type AccessEnd, logAccess } from './access-log.js'
import type { Refusal } from './prepare-refusal.js'

/** A refusal that is to be counted, if it was made with an API key, and logged. */
export interface Ended extends AccessEnd {
  readonly refusal: Pick<Refusal, 'policy' | 'route' | 'method'>
  readonly log: Logger
  readonly apiKeyId: string | null
}

/** As the app counts what it refuses. */
function count({ refusal: { policy, route, method }, tookMs }: Ended): void {
  countDecision(policy, false)
  countProblem('rate_limited')
  countRequest({ route, method, status: 429, tookMs })
}

/** What is done about refusals after they were sent. */
export interface Bookkeeping {
  add(ended: Ended): void
  /** Does at once what is left. */
  flush(): void
}

const bookkeepingMs = 5

/**
 * Counts and logs refusals together after some milliseconds. Done between two of them it cost several times as
 * much when it was measured, probably because its code had left the processor's caches by then.
 */
export function createBookkeeping(usage: Pick<UsageCounter, 'count'>): Bookkeeping {
  let waiting: Ended[] = []
  const flush = (): void => {
    const all = waiting
    waiting = []
    for (const ended of all) {
      if (ended.apiKeyId !== null) usage.count(ended.apiKeyId, true)
      logAccess(ended.log, ended)
      count(ended)
    }
  }
  return {
    add(ended) {
      if (waiting.length === 0) setTimeout(flush, bookkeepingMs)
      waiting.push(ended)
    },
    flush,
  }
}
