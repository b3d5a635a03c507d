import type { HealthClient } from '#libs/grpc/health-client.js'
import type { Logger } from '#libs/log/logger.js'
import type { TokenVerifier } from '../../auth/verify-identity-token.js'
import type { CheckReadiness } from './health-operations.js'

/** How long a dependency may take to respond, and how long the result is reused, in milliseconds. */
const checkTimeoutMs = 1_000
const freshMs = 500

async function webResponds(webUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${webUrl}/healthz`, { signal: AbortSignal.timeout(checkTimeoutMs) })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}

/** Resolves within the time limit; the check itself goes on. */
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

/** What must have responded once before the gateway is ready. */
export interface ReadinessParts {
  readonly health: Readonly<Record<string, Pick<HealthClient, 'isServing'>>>
  readonly webUrl: string
  /** How long to wait for their keys. API keys, shares and pages need none; once fetched, keys serve for a day. */
  readonly issuers: Pick<TokenVerifier, 'prepare' | 'isReady'>
  readonly issuersWaitMs: number
  /** Whether callers learn which dependency is unreachable. */
  readonly details: boolean
  readonly isStopping: () => boolean
  /** A monotonic clock in milliseconds. */
  readonly now: () => number
  readonly log: Pick<Logger, 'info' | 'warn'>
}

function changeLogger(log: ReadinessParts['log']): (ready: boolean, unreachable: readonly string[]) => void {
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
 * Checks all dependencies at once; callers within half a second share the result. A gateway is ready once all have
 * responded (issuers: or their time is up), and stays so until it stops: an outage of one service affects only its
 * own routes and must not make load balancers take the others away.
 */
export function createReadiness(parts: ReadinessParts): CheckReadiness {
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
    complete ||= unreachable.every((name) => name === 'issuers' && waitedEnough)
    logChange(complete, unreachable)
    return { ready: complete, reachable: details ? Object.fromEntries(results) : {} }
  }

  return async () => {
    if (isStopping()) return { ready: false, reachable: details ? { gateway: false } : {} }
    const time = now()
    if (latest === undefined || time - askedAt > freshMs) {
      askedAt = time
      latest = ask()
    }
    return latest
  }
}
