import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import { developmentSecret } from '../../deploy/launcher/data-dir.js'
import { developmentAudience, userClaims } from './development-user.js'

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

/**
 * An ID token of the development issuer, valid for 12 hours. It is signed with the issuer's key in the data folder, so
 * the issuer need not run.
 */
export async function identityToken(dataDir: string, issuer: string, name: string): Promise<string> {
  const jwk = await signingKey(dataDir)
  const { sub, ...claims } = userClaims(name)
  return new SignJWT({ ...claims, auth_time: Math.floor(Date.now() / 1_000) })
    .setProtectedHeader({ alg: signingAlgorithm, kid: jwk.kid, typ: 'JWT' })
    .setIssuer(issuer)
    .setAudience(developmentAudience)
    .setSubject(sub)
    .setIssuedAt()
    .setExpirationTime('12h')
    .sign(await importJWK(jwk, signingAlgorithm))
}
