import type { Fetch } from '../fetch-key-set.js'
import type { SigningKey } from './signing-key.js'

/** An issuer without a network, so that tests can pass hours of fake time in a moment. */
export interface MemoryIssuer {
  readonly url: string
  readonly fetch: Fetch
  /** The published keys; may be changed at any time. */
  keys: readonly SigningKey[]
  isDown: boolean
  /** How often each document was requested, including failures. */
  readonly asked: { discovery: number; keySet: number; elsewhere: number }
}

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
