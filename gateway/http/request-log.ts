import type { ServerResponse } from 'node:http'
import type { Logger } from '#libs/log/logger.js'
import { countRequest, type HttpEnd } from '#libs/telemetry/observe-http.js'
import type { UsageCounter } from '../features/api-keys/usage-counter.js'
import { countDecision } from '../rate-limits/count-decision.js'
import type { RatePolicy } from '../rate-limits/policies.js'
import { type AccessEnd, logAccess } from './access-log.js'
import { countProblem } from './count-problem.js'

/** An answer that is to be logged, and counted for the key that it was asked for with. */
export interface Ended extends AccessEnd, Omit<HttpEnd, 'tookMs'> {
  /** Has all fields of the line that are the same for each, or `fields` has them. */
  readonly log: Logger
  readonly fields?: object
  readonly apiKeyId: string | null
  /** The policy that refused it, where one did; for an answer that was admitted this has been counted. */
  readonly refusedBy: RatePolicy | null
}

/** As the app counts what it answers. */
function count(ended: Ended): void {
  if (ended.refusedBy !== null) {
    countDecision(ended.refusedBy, false)
    countProblem('rate_limited')
  }
  countRequest(ended)
}

/** What is done about answers after they were sent. */
export interface Bookkeeping {
  add(ended: Ended): void
  /** Does at once what is left. */
  flush(): void
}

/** Calls back when an answer has ended: mostly it has, as the system takes small ones at once. */
export function whenEnded(response: ServerResponse, ended: () => void): void {
  if (response.writableFinished || response.closed) ended()
  else response.once('close', ended)
}

const bookkeepingMs = 5

/**
 * Counts and logs answers together after some milliseconds. Done between two of them it cost several times as
 * much when it was measured, probably because its code had left the processor's caches by then.
 */
export function createBookkeeping(usage: Pick<UsageCounter, 'count'>): Bookkeeping {
  let waiting: Ended[] = []
  const flush = (): void => {
    const all = waiting
    waiting = []
    for (const ended of all) {
      if (ended.apiKeyId !== null) usage.count(ended.apiKeyId, ended.status >= 400)
      logAccess(ended.log, ended, ended.fields)
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
