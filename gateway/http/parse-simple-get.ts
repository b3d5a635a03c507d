import type { IncomingMessage } from 'node:http'

/** What a plain head tells beside its address and its credentials. */
export interface SimpleGet {
  readonly host: string
  readonly requestId: string | undefined
  readonly forwardedFor: string | undefined
}

const headersMax = 64
/** What asks for more than the response itself, or must be looked at more closely. */
const unusual = /^(if-none-match|content-length|transfer-encoding|origin|expect)$/i
const wanted = /^(host|x-request-id|x-forwarded-for)$/i

/**
 * The head of a GET in which nothing is out of the ordinary, or `null`. It reads the raw list, as Node's own view of
 * the headers, made for each request, takes longer than all of a response from the cache.
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
