import { importJWK, SignJWT } from 'jose'
import { developmentAudience, userClaims } from './development-user.js'
import { signingAlgorithm, signingKey } from './signing-key.js'

/**
 * An ID token for a user of the development issuer, good for 12 hours. It is signed with the issuer's key straight from
 * the data folder, whether or not the issuer runs.
 */
export async function identityToken(dataDir: string, issuer: string, name: string): Promise<string> {
  const jwk = await signingKey(dataDir)
  const { sub, ...claims } = userClaims(name)
  return new SignJWT(claims)
    .setProtectedHeader({ alg: signingAlgorithm, kid: jwk.kid, typ: 'JWT' })
    .setIssuer(issuer)
    .setAudience(developmentAudience)
    .setSubject(sub)
    .setIssuedAt()
    .setExpirationTime('12h')
    .sign(await importJWK(jwk, signingAlgorithm))
}
