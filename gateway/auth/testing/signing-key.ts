import { generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from 'node:crypto'

export interface SigningKey {
  readonly kid: string
  readonly algorithm: 'RS256' | 'ES256' | 'EdDSA'
  readonly publicKey: KeyObject
  /** The public key, as an issuer publishes it. */
  readonly jwk: JsonWebKey
  sign(input: string): Buffer
}

function pairFor(algorithm: SigningKey['algorithm'], modulusLength: number) {
  switch (algorithm) {
    case 'RS256':
      return generateKeyPairSync('rsa', { modulusLength })
    case 'ES256':
      return generateKeyPairSync('ec', { namedCurve: 'P-256' })
    case 'EdDSA':
      return generateKeyPairSync('ed25519')
    default:
      return algorithm satisfies never
  }
}

export function newSigningKey(
  kid: string,
  algorithm: SigningKey['algorithm'] = 'ES256',
  modulusLength = 2_048,
): SigningKey {
  const { publicKey, privateKey } = pairFor(algorithm, modulusLength)
  return {
    kid,
    algorithm,
    publicKey,
    jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: algorithm, use: 'sig' },
    sign: (input) =>
      sign(algorithm === 'EdDSA' ? null : 'sha256', Buffer.from(input), {
        key: privateKey,
        dsaEncoding: 'ieee-p1363',
      }),
  }
}
