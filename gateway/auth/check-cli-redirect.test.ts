import { expect, test } from 'vitest'
import { checkCliRedirect } from './check-cli-redirect.js'
import type { Fetch } from './fetch-key-set.js'

const issuer = 'https://issuer.example'
const back = 'https://snip.example/cli/callback'
const client = { issuer, clientId: 'cli', redirectUri: back }

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
  ['a redirect to another page', 302, 'https://snip.example/cli/callback/2?code=x', 'skipped'],
  ['a failure', 502, undefined, 'skipped'],
] as const)('%s means what it can mean', async (_name, status, location, verdict) => {
  const finding = await checkCliRedirect(client, responding(status, location))
  expect(finding.verdict).toBe(verdict)
  if (verdict === 'warning') expect(finding.remedy).toContain(`allow the redirect URI ${back}`)
})

test('an unreachable issuer, or one without sign-in, is left to the other checks', async () => {
  const away: Fetch = async () => {
    throw new TypeError('fetch failed')
  }
  expect(await checkCliRedirect(client, away)).toMatchObject({ verdict: 'skipped' })
  expect(await checkCliRedirect(client, responding(302, back, 7))).toMatchObject({ verdict: 'skipped' })
})
