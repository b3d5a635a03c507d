import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { issuerListener } from './issuer-listener.js'
import { createProvider } from './provider.js'
import { identityToken, signingKey } from './signing-key.js'

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
  server.on('request', issuerListener(provider, publicBaseUrl))
})
afterEach(async () => {
  server.close()
  server.closeAllConnections()
  await rm(dataDir, { recursive: true, force: true })
})

function verify(token: string) {
  return jwtVerify(token, createRemoteJWKSet(new URL(`${issuer}/jwks`)), { issuer, audience: 'snipkeep' })
}

test('a token created from the data folder verifies with the issuer’s published keys', async () => {
  const { payload, protectedHeader } = await verify(await identityToken(dataDir, issuer, 'ada'))
  expect(protectedHeader.alg).toBe('ES256')
  expect(payload).toMatchObject({ sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'ada' })
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(12 * 3_600)
})

test('the private key is never published', async () => {
  const response = await fetch(`${issuer}/jwks`)
  expect(await response.text()).not.toContain('"d":')
})

/** A minimal browser: it keeps cookies, and follows redirects within the issuer. */
function browser() {
  const cookies = new Map<string, string>()
  return async (
    url: string,
    form?: Record<string, string>,
  ): Promise<{ status: number; location: string | null; page: string; headers: Headers }> => {
    const response = await fetch(new URL(url, issuer), {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split(/=(.*)/s)
      cookies.set(name, value)
    }
    const { status, headers } = response
    return { status, location: headers.get('location'), page: await response.text(), headers }
  }
}

type Visit = ReturnType<typeof browser>

function authorizationPath(verifier: string, more: Readonly<Record<string, string>> = {}): string {
  const request = new URLSearchParams({
    client_id: 'snipkeep',
    response_type: 'code',
    scope: 'openid email profile',
    redirect_uri: callback,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  })
  return `/auth?${request}`
}

/** The address of the sign-in page for a new authorization request. */
async function signInPageOf(visit: Visit, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const { location } = await visit(authorizationPath('v'.repeat(64), more))
  if (!location?.startsWith('/sign-in/')) throw new Error(`the issuer led to ${location}`)
  return location
}

/** Signs in by name and follows the redirects; the issuer must not ask for anything else. */
async function signIn(
  name: string,
  visit = browser(),
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const sent = await visit(await signInPageOf(visit, more), { login: name })
  const back = await visit(sent.location ?? '')
  if (!back.location?.startsWith(callback))
    throw new Error(`the issuer led to ${back.location}: ${back.page}`)
  return back.location
}

/** The response of the token endpoint to the public client. */
async function token(grant: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'snipkeep', ...grant }),
  })
  return Object(await response.json())
}

async function signedIn(name: string): Promise<Record<string, unknown>> {
  const verifier = 'v'.repeat(64)
  const location = new URL(await signIn(name))
  return token({
    grant_type: 'authorization_code',
    code: location.searchParams.get('code') ?? '',
    redirect_uri: callback,
    code_verifier: verifier,
  })
}

test('anyone can sign in by name with PKCE and gets an ID token with e-mail and name', async () => {
  const { payload } = await verify(String((await signedIn('grace')).id_token))
  expect(payload).toMatchObject({
    sub: 'grace',
    email: 'grace@example.com',
    email_verified: true,
    name: 'grace',
  })
})

test('a refresh token renews a sign-in and is rotated each time', async () => {
  const first = await signedIn('grace')
  const renewed = await token({ grant_type: 'refresh_token', refresh_token: String(first.refresh_token) })
  expect((await verify(String(renewed.id_token))).payload.sub).toBe('grace')
  expect(renewed.refresh_token).not.toBe(first.refresh_token)
  const again = await token({ grant_type: 'refresh_token', refresh_token: String(first.refresh_token) })
  expect(again).toMatchObject({ error: 'invalid_grant' })
})

test('the sign-in page offers a free user, a Pro user and any name, and loads and runs nothing', async () => {
  const visit = browser()
  const { status, page, headers } = await visit(await signInPageOf(visit))
  expect(status).toBe(200)
  expect(page).toContain('For development only')
  expect([...page.matchAll(/<button[^>]*value="(\w+)"/g)].map(([, value]) => value)).toEqual(['free', 'pro'])
  expect(page).not.toMatch(/<script|<link rel="stylesheet|src=|@import|https?:|type="password"/)
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /)
  expect(policy).not.toMatch(/unsafe|script-src/)
  const style = /<style>([\s\S]*)<\/style>/.exec(page)?.[1] ?? ''
  expect(policy).toContain(createHash('sha256').update(style).digest('base64'))
})

test('an application that requests consent gets no consent screen either', async () => {
  expect(await signIn('grace', browser(), { prompt: 'consent login' })).toContain('code=')
})

test.each(['', 'a b', '"><script>', 'x'.repeat(65), 'x'.repeat(5_000)])(
  'the name %j is rejected, and no one is signed in',
  async (name) => {
    const visit = browser()
    const path = await signInPageOf(visit)
    const { status, page } = await visit(path, { login: name })
    expect(status).toBe(400)
    expect(page).toContain('role="alert"')
    expect(page).not.toContain('<script')
    expect((await visit(path, { login: 'grace' })).status).toBe(303)
  },
)

test('an unknown sign-in returns to the application', async () => {
  const { status, page } = await browser()('/sign-in/unknown', { login: 'grace' })
  expect(status).toBe(400)
  expect(page).toContain(`href="${publicBaseUrl}/dashboard"`)
})

test('a sign-in can only be completed in the browser that started it', async () => {
  const visit = browser()
  const path = await signInPageOf(visit)
  const forged = await browser()(path, { login: 'mallory' })
  expect([forged.status, forged.location]).toEqual([400, null])
  expect((await visit(path)).page).toContain('value="free"')
  expect((await visit(path, { login: 'grace' })).status).toBe(303)
})

test('an invalid request gets our error page', async () => {
  const { status, page, headers } = await browser()(
    authorizationPath('v'.repeat(64), { redirect_uri: 'https://elsewhere.example' }),
  )
  expect(status).toBe(400)
  expect(page).toContain('Sign-in failed')
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
})

test('signing out asks for confirmation once, on our page', async () => {
  const visit = browser()
  await signIn('grace', visit)
  const { page, headers } = await visit('/session/end')
  expect(page).toContain('>Sign out</button>')
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
  const xsrf = /name="xsrf" value="(\w+)"/.exec(page)?.[1] ?? ''
  const confirmed = await visit('/session/end/confirm', { xsrf, logout: 'yes' })
  const done = await visit(confirmed.location ?? '')
  expect(done.page).toContain('You are signed out')
  expect((await visit(authorizationPath('v'.repeat(64)))).location).toMatch(/^\/sign-in\//)
})

test.each([
  [`${publicBaseUrl}/cli/callback`, 303],
  [`${publicBaseUrl}/cli/elsewhere`, 400],
  ['http://localhost:8081/cli/callback', 400],
  ['http://127.0.0.1:8080/cli/callback', 400],
  ['http://127.0.0.1:49152/callback', 400],
])('the command line may only redirect through the installation: %s is %i', async (redirect, status) => {
  const path = authorizationPath('v'.repeat(64), { redirect_uri: redirect })
  expect((await fetch(`${issuer}${path}`, { redirect: 'manual' })).status).toBe(status)
})

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** Starts a sign-in with a device code, like the command line. */
async function newCode(): Promise<Record<string, string>> {
  const discovery = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()
  const { device_authorization_endpoint: endpoint } = discovery as Record<string, string>
  const response = await fetch(endpoint ?? '', {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'snipkeep', scope: 'openid email profile' }),
  })
  return Object(await response.json())
}

/** The fields of a page's form. */
function fieldsOf(page: string): Record<string, string> {
  const found = [...page.matchAll(/name="(\w+)" value="([^"]*)"/g)]
  return Object.fromEntries(found.map(([, name = '', value = '']) => [name, value]))
}

test('a device code signs in a program without a browser, after confirmation', async () => {
  const code = await newCode()
  const grant = { grant_type: deviceGrant, device_code: code.device_code ?? '' }
  expect(await token(grant)).toMatchObject({ error: 'authorization_pending' })
  const visit = browser()
  const first = await visit(code.verification_uri ?? '')
  expect(first.headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
  expect(first.page).not.toMatch(/onfocus|<script|@import/)
  const asked = await visit('/device', { ...fieldsOf(first.page), user_code: code.user_code ?? '' })
  expect(asked.page).toContain(`<code>${code.user_code}</code>`)
  const { abort: _abort, ...yes } = fieldsOf(asked.page)
  const opened = await visit('/device', yes)
  const sent = await visit(opened.location ?? '', { login: 'grace' })
  const done = await visit(sent.location ?? '')
  expect([done.status, done.page]).toEqual([200, expect.stringContaining('You are signed in')])
  const { payload } = await verify(String((await token(grant)).id_token))
  expect(payload).toMatchObject({ sub: 'grace', email: 'grace@example.com' })
})

test('unknown and rejected device codes sign no one in', async () => {
  const code = await newCode()
  const visit = browser()
  const { page } = await visit('/device')
  const wrong = await visit('/device', { ...fieldsOf(page), user_code: 'BBBB-BBBB' })
  expect([wrong.status, wrong.page]).toEqual([400, expect.stringContaining('role="alert"')])
  const asked = await visit('/device', { ...fieldsOf(wrong.page), user_code: code.user_code ?? '' })
  await visit('/device', { ...fieldsOf(asked.page), abort: 'yes' })
  const grant = { grant_type: deviceGrant, device_code: code.device_code ?? '' }
  expect(await token(grant)).toMatchObject({ error: 'access_denied' })
})
