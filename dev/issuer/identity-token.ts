import { importJWK, SignJWT } from 'jose'
import { developmentAudience, userClaims } from './development-user.js'
import { signingAlgorithm, signingKey } from './signing-key.js'

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
