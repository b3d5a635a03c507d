import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { identityToken } from './identity-token.js'
import { createProvider } from './provider.js'
import { signingKey } from './signing-key.js'

let dataDir = ''
let issuer = ''
let server: Server
const publicBaseUrl = 'http://localhost:8080'
const callback = `${publicBaseUrl}/auth/callback`

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-issuer-'))
  server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const provider = createProvider({
    issuer,
    key: await signingKey(dataDir),
    cookieKey: 'test',
    publicBaseUrl,
  })
  server.on('request', provider.callback())
})
afterEach(async () => {
  server.close()
  server.closeAllConnections()
  await rm(dataDir, { recursive: true, force: true })
})

function verify(token: string) {
  return jwtVerify(token, createRemoteJWKSet(new URL(`${issuer}/jwks`)), { issuer, audience: 'snipkeep' })
}

test('a token made from the data folder verifies against the keys that the issuer publishes', async () => {
  const { payload, protectedHeader } = await verify(await identityToken(dataDir, issuer, 'ada'))
  expect(protectedHeader.alg).toBe('ES256')
  expect(payload).toMatchObject({ sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'ada' })
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(12 * 3_600)
})

test('the private half of the key is never published', async () => {
  const response = await fetch(`${issuer}/jwks`)
  expect(await response.text()).not.toContain('"d":')
})

/** A browser as far as this journey needs one: it keeps cookies and follows within the issuer. */
function browser() {
  const cookies = new Map<string, string>()
  return async (
    url: string,
    form?: Record<string, string>,
  ): Promise<{ location: string | null; page: string }> => {
    const response = await fetch(new URL(url, issuer), {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split(/=(.*)/s)
      cookies.set(name, value)
    }
    return { location: response.headers.get('location'), page: await response.text() }
  }
}

/** Signs in and agrees to whatever is asked, until the issuer sends the browser back. */
async function signIn(name: string, verifier: string): Promise<string> {
  const visit = browser()
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const request = new URLSearchParams({
    client_id: 'snipkeep',
    response_type: 'code',
    scope: 'openid email profile',
    redirect_uri: callback,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
  let next = `/auth?${request}`
  for (let steps = 0; steps < 12; steps += 1) {
    const { location, page } = await visit(next)
    if (location?.startsWith(callback)) return location
    if (location !== null) {
      next = location
      continue
    }
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? ''
    const form = prompt === 'login' ? { prompt, login: name, password: 'any' } : { prompt }
    const answer = await visit(/action="([^"]+)"/.exec(page)?.[1] ?? next, form)
    next = answer.location ?? ''
  }
  throw new Error(`the issuer never sent the browser back; it last asked for ${next}`)
}

/** What the token endpoint answers to the public client. */
async function token(grant: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'snipkeep', ...grant }),
  })
  return Object(await response.json())
}

async function signedIn(name: string): Promise<Record<string, unknown>> {
  const verifier = 'v'.repeat(64)
  const location = new URL(await signIn(name, verifier))
  return token({
    grant_type: 'authorization_code',
    code: location.searchParams.get('code') ?? '',
    redirect_uri: callback,
    code_verifier: verifier,
  })
}

test('anyone signs in by name with PKCE and gets an ID token with e-mail and name', async () => {
  const { payload } = await verify(String((await signedIn('grace')).id_token))
  expect(payload).toMatchObject({
    sub: 'grace',
    email: 'grace@example.com',
    email_verified: true,
    name: 'grace',
  })
})

test('a sign-in is renewed by its refresh token, which each renewal replaces', async () => {
  const first = await signedIn('grace')
  const renewed = await token({ grant_type: 'refresh_token', refresh_token: String(first.refresh_token) })
  expect((await verify(String(renewed.id_token))).payload.sub).toBe('grace')
  expect(renewed.refresh_token).not.toBe(first.refresh_token)
  const again = await token({ grant_type: 'refresh_token', refresh_token: String(first.refresh_token) })
  expect(again).toMatchObject({ error: 'invalid_grant' })
})
