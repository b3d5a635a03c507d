import type { HealthClient } from '#libs/grpc/health-client.js'
import type { Logger } from '#libs/log/logger.js'
import type { TokenVerifier } from '../../auth/verify-identity-token.js'
import type { CheckReadiness } from './health-operations.js'

/** How long a part may take to say that it serves, and how long its response counts, in milliseconds. */
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

/** Within the time that a part may take; what is asked goes on. */
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

/** What must have responded once before the gateway takes requests. */
export interface ReadinessParts {
  readonly health: Readonly<Record<string, Pick<HealthClient, 'isServing'>>>
  readonly webUrl: string
  /** Their keys are waited for so long, since API keys, shares and pages need none; afterwards they may go away for a day. */
  readonly issuers: Pick<TokenVerifier, 'prepare' | 'isReady'>
  readonly issuersWaitMs: number
  /** Whether callers are told which part does not respond. */
  readonly details: boolean
  readonly isStopping: () => boolean
  /** Milliseconds that only go up. */
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
 * Asks everything that the gateway needs at once; callers within half a second share the response. A gateway is ready from
 * the moment when all of it has responded, the issuers at the latest after their time, until it stops: a part that goes
 * away later takes its own routes with it, and must not have load balancers take the others away as well.
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
