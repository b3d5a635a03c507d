import { randomUUID } from 'node:crypto'
import { DomainError } from '#libs/core/domain-error.js'
import { callUnary } from '#libs/grpc/call.js'
import type { HealthClient } from '#libs/grpc/health-client.js'
import type { Logger } from '#libs/log/logger.js'
import type { TokenVerifier } from '../../auth/verify-identity-token.js'
import type { Upstreams } from '../../upstreams.js'
import type { CheckReadiness } from './health-operations.js'

const checkTimeoutMs = 1_000
/** How long a result is reused, and how long until all dependencies have responded: nobody should wait for that. */
const [freshMs, freshAtStartMs] = [500, 50]

async function webResponds(webUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${webUrl}/healthz`, { signal: AbortSignal.timeout(checkTimeoutMs) })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}

/** Resolves to false after the timeout; the check itself continues. */
async function inTime(check: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), checkTimeoutMs)
  })
  try {
    return await Promise.race([check, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

export interface ReadinessDependencies {
  readonly health: Readonly<Record<string, Pick<HealthClient, 'isServing'>>>
  readonly webUrl: string
  readonly issuers: Pick<TokenVerifier, 'prepare' | 'isReady'>
  /** Whether every account that was erased after the backup of a restored database is erased again. */
  readonly erasuresDone: () => Promise<boolean>
  /** How long to wait for the issuers' keys, which only identity tokens need. */
  readonly issuersWaitMs: number
  /** Whether the response names unreachable dependencies. */
  readonly details: boolean
  readonly isStopping: () => boolean
  /** A monotonic clock in milliseconds. */
  readonly now: () => number
  readonly log: Pick<Logger, 'info' | 'warn'>
}

function changeLogger(
  log: ReadinessDependencies['log'],
): (ready: boolean, unreachable: readonly string[]) => void {
  let lastState = ''
  return (ready, unreachable) => {
    const state = `${ready} ${unreachable.join()}`
    if (state === lastState) return
    lastState = state
    if (!ready) log.info({ event: 'not_ready', unreachable }, 'not ready: waiting for dependencies')
    else if (unreachable.length === 0) log.info({ event: 'ready' }, 'ready')
    else if (unreachable.includes('issuers'))
      log.warn(
        { event: 'ready_without_issuers', unreachable },
        'ready without the keys of every issuer: their identity tokens get 503',
      )
    else log.warn({ event: 'ready_degraded', unreachable }, 'ready, but some dependencies are unreachable')
  }
}

/**
 * Checks all dependencies at once; callers within half a second share the result, at the start within a twentieth. A
 * gateway is ready once each has responded (for issuers, or once their time is up) and erasures are done again after a
 * restore, and stays ready until it stops: the outage of a service affects only its own routes, and must not make load
 * balancers remove the gateway.
 */
export function createReadiness(parts: ReadinessDependencies): CheckReadiness {
  const { health, webUrl, issuers, issuersWaitMs, details, isStopping, now } = parts
  const startedAt = now()
  const logChange = changeLogger(parts.log)
  let askedAt = Number.NEGATIVE_INFINITY
  let latest: ReturnType<CheckReadiness> | undefined
  let complete = false

  const ask = async (): ReturnType<CheckReadiness> => {
    const checks: [string, Promise<boolean>][] = [
      ...Object.entries(health).map(([name, client]): [string, Promise<boolean>] => [
        name,
        client.isServing(checkTimeoutMs),
      ]),
      ['web', webResponds(webUrl)],
      ['issuers', inTime(issuers.prepare().then(issuers.isReady))],
    ]
    const results = await Promise.all(checks.map(async ([name, check]) => [name, await check] as const))
    const unreachable = results.flatMap(([name, responded]) => (responded ? [] : [name]))
    const waitedEnough = now() - startedAt >= issuersWaitMs
    if (!complete && unreachable.every((name) => name === 'issuers' && waitedEnough)) {
      complete = await inTime(parts.erasuresDone())
      if (!complete) {
        results.push(['erasures', false])
        unreachable.push('erasures')
      }
    }
    logChange(complete, unreachable)
    return { ready: complete, reachable: details ? Object.fromEntries(results) : {} }
  }

  return async () => {
    if (isStopping()) return { ready: false, reachable: details ? { gateway: false } : {} }
    const time = now()
    if (latest === undefined || time - askedAt > (complete ? freshMs : freshAtStartMs)) {
      askedAt = time
      latest = ask()
    }
    return latest
  }
}

const timeoutMs = 1_000

/** Asks identity whether accounts that a restored backup has brought back are erased again. */
export function erasuresDone(erasures: Upstreams['erasures']): () => Promise<boolean> {
  return async () => {
    try {
      const context = { requestId: randomUUID(), timeoutMs }
      return (await callUnary(erasures, erasures.countRestored, {}, context)).accounts === 0
    } catch (error) {
      // Identity of the previous release does not know the call.
      return !(error instanceof DomainError && ['unavailable', 'timeout'].includes(error.kind))
    }
  }
}
