import type { HealthClient } from '#libs/grpc/health-client.js'
import type { TokenVerifier } from './credentials/verify-identity-token.js'
import type { CheckReadiness } from './routes/health-operations.js'

/** How long a part may take to say that it serves, and how long its answer counts, in milliseconds. */
const checkTimeoutMs = 1_000
const freshMs = 500

async function webAnswers(webUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${webUrl}/healthz`, { signal: AbortSignal.timeout(checkTimeoutMs) })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}

/** What must have answered once before the gateway takes requests. */
export interface ReadinessParts {
  readonly health: Readonly<Record<string, HealthClient>>
  readonly webUrl: string
  /** Its keys are needed once; afterwards an issuer may go away for a day. */
  readonly issuers: Pick<TokenVerifier, 'prepare' | 'isReady'>
  readonly isStopping: () => boolean
}

/**
 * Asks everything that the gateway needs at once; callers within half a second share the answer. A gateway is ready from
 * the moment when all of it has answered until it stops: a part that goes away later takes its own routes with it, and
 * must not have load balancers take the others away as well.
 */
export function createReadiness({ health, webUrl, issuers, isStopping }: ReadinessParts): CheckReadiness {
  let askedAt = Number.NEGATIVE_INFINITY
  let answer: ReturnType<CheckReadiness> | undefined
  let complete = false

  const ask = async (): ReturnType<CheckReadiness> => {
    const checks: [string, Promise<boolean>][] = [
      ...Object.entries(health).map(([name, client]): [string, Promise<boolean>] => [
        name,
        client.isServing(checkTimeoutMs),
      ]),
      ['web', webAnswers(webUrl)],
      ['issuers', issuers.prepare().then(issuers.isReady)],
    ]
    const answers = await Promise.all(checks.map(async ([name, check]) => [name, await check] as const))
    complete ||= answers.every(([, answered]) => answered)
    return { ready: complete, answering: Object.fromEntries(answers) }
  }

  return async () => {
    if (isStopping()) return { ready: false, answering: { gateway: false } }
    const now = performance.now()
    if (answer === undefined || now - askedAt > freshMs) {
      askedAt = now
      answer = ask()
    }
    return answer
  }
}
