import type { IncomingMessage } from 'node:http'

/** A plain GET besides its address and credentials. */
export interface SimpleGet {
  readonly host: string
  readonly requestId: string | undefined
  readonly forwardedFor: string | undefined
}

const headersMax = 64
/** Headers that ask for more than the plain response, or need a closer look. */
const unusual = /^(if-none-match|content-length|transfer-encoding|origin|expect)$/i
const wanted = /^(host|x-request-id|x-forwarded-for)$/i

/**
 * The head of a GET without anything unusual, or `null`. It reads the raw list, because Node's own view of the
 * headers, created for each request, takes longer than a whole response from the cache.
 */
export function parseSimpleGet({ method, httpVersion, rawHeaders }: IncomingMessage): SimpleGet | null {
  if (method !== 'GET' || httpVersion !== '1.1' || rawHeaders.length > 2 * headersMax) return null
  const found: Partial<Record<string, string>> = {}
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (unusual.test(name)) return null
    if (!wanted.test(name)) continue
    const lower = name.toLowerCase()
    if (found[lower] !== undefined) return null
    found[lower] = rawHeaders[index + 1] ?? ''
  }
  const { host, 'x-request-id': requestId, 'x-forwarded-for': forwardedFor } = found
  return host === undefined ? null : { host, requestId, forwardedFor }
}
