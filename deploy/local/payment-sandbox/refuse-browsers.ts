import type { IncomingHttpHeaders } from 'node:http'
import { jsonResponse, type SandboxResponse } from './sandbox-response.js'

/** What tells who sent a request. */
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
 * Whether the request was sent to a name that someone else's DNS may have pointed here, as a page does that wants to
 * pass for one of ours. Addresses, names of this machine and names without a dot cannot be given away like that.
 */
function isForeignName({ host = '' }: IncomingHttpHeaders, publicUrl: string): boolean {
  const target = `http://${host}`
  if (!URL.canParse(target)) return true
  const { hostname } = new URL(target)
  const isOurs = hostname === new URL(publicUrl).hostname || hostname.endsWith('.localhost')
  return !isOurs && hostname.includes('.') && !/^[0-9.]+$/.test(hostname)
}

/** A button on a page of ours: pages send no referrer, so their forms may come from the origin `null`. */
function isFromOurPages({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders, publicUrl: string): boolean {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  return origin === undefined || origin === publicUrl || (origin === 'null' && site === 'same-origin')
}

/**
 * The refusal of what a web page has no business with; `null` for what goes on. Programs send neither `Origin` nor
 * `Sec-Fetch-Site`, browsers cannot leave them out. The API and the controls are for programs alone, no page of ours
 * included; the pages take the forms of our own pages.
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
