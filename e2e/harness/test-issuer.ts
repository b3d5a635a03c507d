import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

/** An OpenID Connect issuer for tests: its keys over HTTP, and ID tokens on demand. */
export interface TestIssuer {
  readonly url: string
  readonly audience: string
  /** An ID token of this subject, valid for an hour, with additional claims. */
  token(subject: string, claims?: JWTPayload): Promise<string>
  /** Whether it drops every connection from now on. */
  away: boolean
  stop(): Promise<void>
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Starts an issuer on a free port of this machine. */
export async function startTestIssuer(): Promise<TestIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'test-key', alg: 'ES256', use: 'sig' }
  const audience = 'snipkeep-tests'
  let url = ''
  const server = createServer((request, response) => {
    if (issuer.away) {
      request.socket.destroy()
      return
    }
    const discovery = { issuer: url, jwks_uri: `${url}/jwks` }
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify(request.url === '/jwks' ? { keys: [jwk] } : discovery))
  })
  url = await listening(server)
  const issuer: TestIssuer = {
    url,
    audience,
    away: false,
    token: (subject, claims = {}) =>
      new SignJWT({ email: `${subject}@example.com`, email_verified: true, name: subject, ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: 'test-key', typ: 'JWT' })
        .setIssuer(url)
        .setAudience(audience)
        .setSubject(subject)
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(privateKey),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return issuer
}
