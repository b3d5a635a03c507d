import type { IncomingMessage } from 'node:http'
import { memoize } from '#libs/runtime/memoize.js'

/** What a plain head tells beside its address and its credentials. */
export interface SimpleGet {
  readonly host: string
  readonly requestId: string | undefined
  readonly forwardedFor: string | undefined
}

const headersMax = 64
const namesMax = 1_000
/** What asks for more than the answer itself, or must be looked at more closely. */
const unusual: ReadonlySet<string> = new Set([
  'if-none-match',
  'content-length',
  'transfer-encoding',
  'origin',
  'expect',
])
const plainName = memoize(namesMax, (name) => {
  const lower = name.toLowerCase()
  if (unusual.has(lower)) return 'unusual'
  return lower === 'host' || lower === 'x-request-id' || lower === 'x-forwarded-for' ? lower : 'any'
})

/**
 * The head of a GET in which nothing is out of the ordinary, or `null`. It reads the raw list, as Node's own view of
 * the headers, made for each request, takes longer than all of an answer from memory.
 */
export function parseSimpleGet({ method, httpVersion, rawHeaders }: IncomingMessage): SimpleGet | null {
  if (method !== 'GET' || httpVersion !== '1.1' || rawHeaders.length > 2 * headersMax) return null
  const found: Partial<Record<'host' | 'x-request-id' | 'x-forwarded-for', string>> = {}
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = plainName(rawHeaders[index] ?? '')
    if (name === 'any') continue
    if (name === 'unusual' || found[name] !== undefined) return null
    found[name] = rawHeaders[index + 1] ?? ''
  }
  if (found.host === undefined) return null
  return { host: found.host, requestId: found['x-request-id'], forwardedFor: found['x-forwarded-for'] }
}
