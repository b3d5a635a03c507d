import type { Fetch } from '../fetch-key-set.js'
import type { SigningKey } from './signing-key.js'

/** An issuer that needs no network, so that hours of fake time pass in a moment. */
export interface MemoryIssuer {
  readonly url: string
  readonly fetch: Fetch
  /** What it publishes; may be changed at any time. */
  keys: readonly SigningKey[]
  isDown: boolean
  /** How often each document was requested, whether or not it was given. */
  readonly asked: { discovery: number; keySet: number; elsewhere: number }
}

/** An issuer at this address with these keys. */
export function memoryIssuer(url: string, keys: readonly SigningKey[]): MemoryIssuer {
  const asked = { discovery: 0, keySet: 0, elsewhere: 0 }
  const issuer: MemoryIssuer = {
    url,
    keys,
    isDown: false,
    asked,
    async fetch(address) {
      const document = documents.get(address)
      asked[document?.name ?? 'elsewhere']++
      if (issuer.isDown || document === undefined) throw new TypeError('fetch failed')
      return Response.json(document.read())
    },
  }
  const documents = new Map([
    [
      `${url}/.well-known/openid-configuration`,
      { name: 'discovery' as const, read: (): unknown => ({ issuer: url, jwks_uri: `${url}/keys` }) },
    ],
    [`${url}/keys`, { name: 'keySet' as const, read: () => ({ keys: issuer.keys.map((key) => key.jwk) }) }],
  ])
  return issuer
}
