import { expect, test } from 'vitest'
import { checkLoopbackRedirect } from './check-loopback-redirect.js'
import type { Fetch } from './fetch-key-set.js'

const issuer = 'https://issuer.example'
const client = { issuer, clientId: 'cli' }
const back = 'http://127.0.0.1:49152/callback'

/** An issuer with this response to the command line's request. */
function responding(
  status: number,
  location?: string,
  endpoint: unknown = `${issuer}/authorize?tenant=1`,
): Fetch {
  return async (url, init) => {
    if (url.endsWith('/openid-configuration'))
      return Response.json({ issuer, authorization_endpoint: endpoint })
    const { searchParams } = new URL(url)
    expect([init.redirect, searchParams.get('tenant'), searchParams.get('prompt')]).toEqual([
      'manual',
      '1',
      'none',
    ])
    expect([searchParams.get('client_id'), searchParams.get('redirect_uri')]).toEqual(['cli', back])
    return new Response(null, { status, headers: location === undefined ? {} : { Location: location } })
  }
}

test.each([
  [
    'a redirect back because the user must sign in first',
    302,
    `${back}?error=login_required&state=doctor`,
    'ok',
  ],
  ['a redirect back with a code', 303, `${back}?code=x&state=doctor`, 'ok'],
  ['a redirect back with another error', 302, `${back}?error=unauthorized_client`, 'warning'],
  ['a refusal', 400, undefined, 'warning'],
  ['a redirect to its sign-in page', 302, '/login', 'skipped'],
  ['a page', 200, undefined, 'skipped'],
  ['a redirect to another port', 302, 'http://127.0.0.1:491520/callback', 'skipped'],
  ['a failure', 502, undefined, 'skipped'],
] as const)('%s means what it can mean', async (_name, status, location, verdict) => {
  const finding = await checkLoopbackRedirect(client, responding(status, location))
  expect(finding.verdict).toBe(verdict)
  if (verdict === 'warning') expect(finding.remedy).toContain('OIDC_CLI_CLIENT_ID')
})

test('an unreachable issuer, or one without sign-in, is left to the other checks', async () => {
  const away: Fetch = async () => {
    throw new TypeError('fetch failed')
  }
  expect(await checkLoopbackRedirect(client, away)).toMatchObject({ verdict: 'skipped' })
  expect(await checkLoopbackRedirect(client, responding(302, back, 7))).toMatchObject({ verdict: 'skipped' })
})
