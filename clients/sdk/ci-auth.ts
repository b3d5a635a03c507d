import { type Auth, type AuthCall, earlyMs, type Grant, renewable } from './auth.js'
import type { ExchangedToken } from './generated/types.js'
import { ConnectionError, problemOf, refuseRedirect, SnipkeepError } from './problem-error.js'
import { exchangeForm } from './trusted-publishers.js'

/** How a CI job authenticates. */
export interface CiAuthOptions {
  /** The id of the trusted publisher (`tp_…`). */
  readonly trust: string
}

type Environment = Readonly<Record<string, string | undefined>>

function environment(): Environment {
  return (globalThis as { process?: { env?: Environment } }).process?.env ?? {}
}

async function reach(call: AuthCall, url: string, init: RequestInit): Promise<Response> {
  const { origin } = new URL(url)
  const signal = AbortSignal.timeout(30_000)
  const response = await call.fetch(url, { ...init, redirect: 'manual', signal }).catch((cause: unknown) => {
    throw new ConnectionError(`${origin} could not be reached.`, { cause })
  })
  await refuseRedirect(response, origin)
  return response
}

async function exchange(call: AuthCall, trust: string, idToken: string): Promise<Grant> {
  const response = await reach(call, `${call.server.replace(/\/+$/, '')}/api/oauth/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: exchangeForm(trust, idToken),
  })
  if (!response.ok) throw await problemOf(response)
  const { access_token: token, expires_in: seconds } = (await response.json()) as ExchangedToken
  const lifeMs = seconds * 1_000
  // A short-lived one is renewed in the last third of its lifetime.
  return { token, staleAt: Date.now() + lifeMs - Math.min(earlyMs, lifeMs / 3) }
}

/**
 * Authenticates as a CI job, with an access token exchanged on the first request. Concurrent requests share one
 * exchange.
 * @param idToken returns the job's ID token for this audience.
 * @param isRepeatable whether it can be called again for a new token: each is valid for one exchange.
 */
export function ciJob(
  { trust }: CiAuthOptions,
  idToken: (call: AuthCall) => string | Promise<string>,
  isRepeatable: boolean,
): Auth {
  const kept = renewable(async (call: AuthCall) => {
    const granted = await exchange(call, trust, await idToken(call))
    return isRepeatable ? granted : { ...granted, staleAt: Number.POSITIVE_INFINITY }
  })
  return {
    async headers(call) {
      if (call === undefined) throw new SnipkeepError('A CI job needs to know which server it calls.')
      return { Authorization: `Bearer ${await kept.token(call)}` }
    },
    renew() {
      if (isRepeatable) kept.discard()
      return isRepeatable
    },
  }
}

/**
 * Authenticates as a job of GitHub Actions, without a secret. The workflow needs `permissions: { id-token:
 * write }`; jobs of pull requests from forks never get a token.
 */
export function githubActions(options: CiAuthOptions): Auth {
  const ask = async (call: AuthCall): Promise<string> => {
    const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: bearer } = environment()
    if (url === undefined || bearer === undefined)
      throw new SnipkeepError(
        'This is not a job of GitHub Actions that may have an ID token. Add permissions: { id-token: write } to it.',
      )
    const address = new URL(url)
    address.searchParams.set('audience', call.server.replace(/\/+$/, ''))
    const response = await reach(call, address.href, { headers: { Authorization: `Bearer ${bearer}` } })
    if (!response.ok) throw await problemOf(response)
    return ((await response.json()) as { readonly value: string }).value
  }
  return ciJob(options, ask, true)
}

/**
 * Authenticates as a job of GitLab CI, with the ID token in `SNIPKEEP_ID_TOKEN` by default. Its `aud` must be
 * the address of the server. It is valid for one exchange, so share one client in the job.
 */
export function gitlab(options: CiAuthOptions & { readonly idToken?: string | undefined }): Auth {
  const ask = (): string => {
    const token = options.idToken ?? environment().SNIPKEEP_ID_TOKEN
    if (token === undefined || token === '')
      throw new SnipkeepError(
        'SNIPKEEP_ID_TOKEN is not set. Add it to id_tokens of the job, with the address of the server as aud.',
      )
    return token
  }
  return ciJob(options, ask, false)
}

/** The page of this job of GitHub Actions or GitLab CI; `undefined` elsewhere. */
export function jobUrl(env: Environment = environment()): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env
  if (server && repository && run) return `${server}/${repository}/actions/runs/${run}`
  return env.CI_JOB_URL || undefined
}
