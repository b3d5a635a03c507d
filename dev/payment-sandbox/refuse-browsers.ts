import type { IncomingHttpHeaders } from 'node:http'
import { jsonResponse, type SandboxResponse } from './sandbox-response.js'

/** The properties of a request that identify its sender. */
export interface Sender {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly hasBody: boolean
}

function refusal(status: number, error: string): SandboxResponse {
  return jsonResponse(status, { error })
}

/**
 * Whether the request names a host whose DNS anyone could have pointed here, as in DNS rebinding. That is impossible
 * for IP addresses, the names of this machine and names without a dot.
 */
function isForeignName({ host = '' }: IncomingHttpHeaders, publicUrl: string): boolean {
  const target = `http://${host}`
  if (!URL.canParse(target)) return true
  const { hostname } = new URL(target)
  const isOurs = hostname === new URL(publicUrl).hostname || hostname.endsWith('.localhost')
  return !isOurs && hostname.includes('.') && !/^[0-9.]+$/.test(hostname)
}

/** Our pages send no referrer, so their forms may have the origin `null`. */
function isFromOurPages({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders, publicUrl: string): boolean {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  return origin === undefined || origin === publicUrl || (origin === 'null' && site === 'same-origin')
}

/**
 * Rejects requests that a web page must not send; `null` for all others. Browsers always send `Origin` or
 * `Sec-Fetch-Site`, programs send neither. The API and the controls are for programs only, not even for our own pages;
 * the pages accept only the forms of our own pages.
 */
export function refuseBrowsers(
  { method, path, headers, hasBody }: Sender,
  publicUrl: string,
): SandboxResponse | null {
  if (isForeignName(headers, publicUrl)) return refusal(403, 'The sandbox has another name.')
  const isForPrograms = path.startsWith('/v1/') || path.startsWith('/sandbox/')
  const isFromBrowser = headers.origin !== undefined || headers['sec-fetch-site'] !== undefined
  if (isForPrograms && isFromBrowser) return refusal(403, 'This is for programs; a web page cannot use it.')
  if (method === 'POST' && !isForPrograms && !isFromOurPages(headers, publicUrl))
    return refusal(403, 'A page of another site cannot do this.')
  const isJson = /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')
  if (path.startsWith('/sandbox/') && hasBody && !isJson)
    return refusal(415, 'The body must be JSON; send Content-Type: application/json.')
  return null
}
