import { type KeySet, readKeySet } from './key-set.js'

/** The part of `fetch` that is used here. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** For both documents together. */
export const issuerTimeoutMs = 2_000

const documentBytesMax = 262_144

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The members of a JSON document that an issuer publishes. */
export type IssuerDocument = ReadonlyMap<string, unknown>

async function readBody(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    // Leaving the loop cancels the response.
    if (size > documentBytesMax) throw new Error('the issuer sends too much')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function fetchMembers(fetch: Fetch, url: string, signal: AbortSignal): Promise<IssuerDocument> {
  const response = await fetch(url, {
    headers: { Accept: 'application/json' },
    redirect: 'error',
    credentials: 'omit',
    signal,
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`the issuer returns ${response.status}`)
  }
  const document: unknown = JSON.parse(utf8.decode(await readBody(response)))
  if (typeof document !== 'object' || document === null) throw new Error('the issuer sends no JSON object')
  return new Map(Object.entries(document))
}

/** The discovery document, not validated. */
export function fetchDiscovery(issuer: string, fetch: Fetch, signal: AbortSignal): Promise<IssuerDocument> {
  return fetchMembers(fetch, `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, signal)
}

/** An https issuer must also serve its keys over https. */
function keySetUrl(issuer: string, discovery: IssuerDocument): string {
  if (discovery.get('issuer') !== issuer) throw new Error('the discovery document belongs to another issuer')
  const address = discovery.get('jwks_uri')
  const allowed = issuer.startsWith('https:') ? ['https:'] : ['https:', 'http:']
  if (typeof address !== 'string' || !URL.canParse(address) || !allowed.includes(new URL(address).protocol))
    throw new Error('the discovery document names no usable jwks_uri')
  return address
}

/**
 * Fetches the keys of an issuer through its discovery document (OpenID Connect Discovery §4). Follows no redirects, and
 * rejects documents over 256 KiB.
 * @throws Error if either document cannot be fetched within `timeoutMs` or is invalid.
 */
export async function fetchKeySet(
  issuer: string,
  fetch: Fetch,
  timeoutMs: number = issuerTimeoutMs,
): Promise<KeySet> {
  const signal = AbortSignal.timeout(timeoutMs)
  const discovery = await fetchDiscovery(issuer, fetch, signal)
  const document = await fetchMembers(fetch, keySetUrl(issuer, discovery), signal)
  return readKeySet(document.get('keys'))
}
