import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { messageWithCauseOf } from '#libs/core/message-of.js'
import { readMembers } from '#libs/core/read-json.js'
import { type Finding, ok, problem, skipped, warning } from '#libs/doctor/finding.js'
import { sharesAreApart } from '#shared/config/share-address.js'
import { envelopeBytesMax } from './body/body-errors.js'

export interface PublicAddress {
  readonly publicBaseUrl: string
  readonly production: boolean
  /** The longest `data` of any plan. */
  readonly dataBytesMax: number
}

const check = 'public address'
const timeoutMs = 5_000
/** The id of a share that does not exist. */
const noShare = '0'.repeat(22)

async function fetchJson(url: string) {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'manual' })
  return { status: response.status, body: readMembers(await response.text()) }
}

function protocolFinding({ publicBaseUrl, production }: PublicAddress): Finding | null {
  if (new URL(publicBaseUrl).protocol === 'https:' || !production) return null
  return problem(
    check,
    `${publicBaseUrl} is plain text: tokens and keys can be read in transit`,
    'put a TLS proxy in front, and set PUBLIC_BASE_URL to its https:// address',
  )
}

async function checkReadiness(url: string): Promise<Finding> {
  const { status, body } = await fetchJson(`${url}/readyz`)
  const checks = body?.checks
  if (typeof checks !== 'object' || checks === null)
    return problem(
      check,
      `${url}/readyz returns ${status}, but not as Snipkeep does`,
      'fix PUBLIC_BASE_URL, or make the proxy forward every path to the gateway',
    )
  if (status === 200) return ok(check, `${url} responds and is ready`)
  const missing = Object.entries(checks).flatMap(([name, state]) => (state === 'ok' ? [] : [name]))
  if (missing.length === 0)
    return problem(check, `${url} is not ready, and does not say why`, 'see the log of the gateway')
  return problem(check, `${url} is not ready: ${missing.join(', ')}`, `start ${missing.join(', ')}`)
}

/** The OpenAPI document names the public address of its own installation. */
async function checkInstallationId(url: string): Promise<Finding> {
  const { body } = await fetchJson(`${url}/api/openapi.json`)
  const [server]: unknown[] = Array.isArray(body?.servers) ? body.servers : []
  const name: unknown = Object(server).url
  if (name === url) return ok(check, 'it leads to this installation')
  return problem(
    check,
    `it leads to a different installation, which calls itself ${typeof name === 'string' ? name : 'nothing'}`,
    'set PUBLIC_BASE_URL to the same address for every process, and point it at this gateway',
  )
}

/** The status for a body of this declared length; no byte of it is sent. */
async function statusForBody(url: string, bytes: number): Promise<number> {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest
  const request = send(`${url}/api/snippets`, {
    method: 'POST',
    agent: false,
    headers: { 'Content-Type': 'application/json', 'Content-Length': bytes, Expect: '100-continue' },
    signal: AbortSignal.timeout(timeoutMs),
  })
  request.flushHeaders()
  try {
    const [response]: IncomingMessage[] = await Promise.race([
      once(request, 'response'),
      once(request, 'continue').then(() => []),
    ])
    return response?.statusCode ?? 100
  } finally {
    request.on('error', () => {})
    request.destroy()
  }
}

/** Without credentials the gateway returns 401 before it reads a body; a 413 comes from a proxy in front. */
async function checkBodyLimit({ publicBaseUrl, dataBytesMax }: PublicAddress): Promise<Finding> {
  const bytes = dataBytesMax + envelopeBytesMax
  const name = 'body size'
  const status = await statusForBody(publicBaseUrl, bytes)
  if (status === 413)
    return problem(
      name,
      `something in front of the gateway rejects bodies of ${bytes} bytes, which Pro allows`,
      `raise its limit, for nginx: client_max_body_size ${Math.ceil(bytes / 1_048_576)}m;`,
    )
  if (status === 401) return ok(name, `bodies of ${bytes} bytes reach the gateway`)
  return skipped(name, `the response to a long body was ${status}, which says nothing about its length`)
}

/** Whether the share host leads to this installation, and only to shares. */
export async function checkShareAddress(
  publicBaseUrl: string,
  shareBaseUrl: string,
): Promise<readonly Finding[]> {
  const check = 'share address'
  if (!sharesAreApart(publicBaseUrl, shareBaseUrl))
    return [ok(check, 'shares have the same origin as dashboard and API; SHARE_BASE_URL would separate them')]
  const remedy = `point ${shareBaseUrl} at the gateway with its Host unchanged, or fix SHARE_BASE_URL`
  try {
    const { status: page } = await fetchJson(`${shareBaseUrl}/s/${noShare}`)
    const { status: plans, body } = await fetchJson(`${shareBaseUrl}/api/plans`)
    if (page === 404 && plans === 404 && body?.code === 'not_found')
      return [ok(check, `${shareBaseUrl} serves shares only`)]
    return [problem(check, `${shareBaseUrl} does not respond as the host of shares does`, remedy)]
  } catch (error) {
    return [
      problem(check, `${shareBaseUrl} cannot be reached from here: ${messageWithCauseOf(error)}`, remedy),
    ]
  }
}

/** Whether the public address leads here, is safe, and lets the largest bodies through. */
export async function checkPublicAddress(address: PublicAddress): Promise<readonly Finding[]> {
  const { publicBaseUrl } = address
  const protocol = protocolFinding(address)
  const before = protocol === null ? [] : [protocol]
  try {
    const readiness = await checkReadiness(publicBaseUrl)
    if (readiness.verdict === 'problem') return [...before, readiness]
    const installation = await checkInstallationId(publicBaseUrl)
    return [...before, readiness, installation, await checkBodyLimit(address)]
  } catch (error) {
    const message = `${publicBaseUrl} cannot be reached from here: ${messageWithCauseOf(error)}`
    const local = /^(localhost|127\.|\[::1\])/.test(new URL(publicBaseUrl).hostname)
    if (!local && !address.production)
      return [
        ...before,
        warning(check, message, 'check whether callers can reach it, and fix PUBLIC_BASE_URL'),
      ]
    return [...before, problem(check, message, 'start the gateway, or fix PUBLIC_BASE_URL')]
  }
}
