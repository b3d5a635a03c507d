import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import { developmentSecret } from '../../deploy/launcher/data-dir.js'

export const signingAlgorithm = 'ES256'

async function createKey(): Promise<string> {
  const { privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true })
  const jwk = await exportJWK(privateKey)
  return JSON.stringify({ ...jwk, kid: await calculateJwkThumbprint(jwk), alg: signingAlgorithm, use: 'sig' })
}

/** The private key, generated on first use and kept in the data folder. */
export async function signingKey(dataDir: string): Promise<JWK & { readonly kid: string }> {
  const jwk: unknown = JSON.parse(await developmentSecret(dataDir, 'issuer-key.json', createKey))
  if (typeof jwk !== 'object' || jwk === null || !('kid' in jwk) || typeof jwk.kid !== 'string')
    throw new Error(
      `the signing key in ${dataDir}/secrets/issuer-key.json is damaged; delete it to have a new one`,
    )
  return { ...jwk, kid: jwk.kid }
}
