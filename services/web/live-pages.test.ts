import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { CspEvaluator } from 'csp_evaluator/dist/evaluator.js'
import { Severity } from 'csp_evaluator/dist/finding.js'
import { CspParser } from 'csp_evaluator/dist/parser.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLogger } from '#libs/log/logger.js'
import { createPageServer } from './server.js'
import type { SignInSettings } from './sign-in-settings.js'
import { preview, previewId } from './testing/previews.js'
import { testAssets } from './testing/test-assets.js'
import { testSite } from './testing/test-site.js'

const signIn: SignInSettings = {
  issuer: 'https://issuer.example/realm',
  clientId: 'snipkeep',
  cliClientId: 'snipkeep-cli',
  scopes: 'openid email',
  otherOrigins: ['https://tokens.example'],
  logoutNeedsToken: false,
}
const server = createPageServer({
  shares: {
    read: async () => preview('{"csv":"a"}'),
    readGated: () => Promise.reject(new Error('not asked')),
    close() {},
  },
  assets: testAssets,
  signIn,
  site: testSite,
  log: createLogger('test', 'silent'),
})
let base = ''

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const livePaths = [
  '/',
  `/s/${previewId}`,
  '/tools',
  '/tools/json-format',
  '/docs',
  '/docs/cli',
  '/dashboard',
  '/dashboard/keys',
  '/auth/callback',
]

async function policyOf(path: string): Promise<string> {
  return (await fetch(`${base}${path}`)).headers.get('content-security-policy') ?? ''
}

describe.each(livePaths)('%s', (path) => {
  it('runs only scripts with its nonce, a new one each time', async () => {
    const seen = new Set<string>()
    for (let round = 0; round < 5; round += 1) {
      const response = await fetch(`${base}${path}`)
      const nonce = /'nonce-([A-Za-z0-9+/=]{24})'/.exec(response.headers.get('content-security-policy') ?? '')
      const page = await response.text()
      expect(page.match(/<script[^>]*>/g)).toEqual([
        expect.stringContaining(`type="module" nonce="${nonce?.[1]}" src="/assets/`),
      ])
      seen.add(nonce?.[1] ?? '')
    }
    expect(seen.size).toBe(5)
  })

  it('has a policy without known weaknesses', async () => {
    const findings = new CspEvaluator(new CspParser(await policyOf(path)).csp).evaluate()
    expect(findings.filter(({ severity }) => severity <= Severity.MEDIUM)).toEqual([])
    expect(await policyOf(path)).not.toMatch(/unsafe|\*/)
    expect(await policyOf(path)).toContain("require-trusted-types-for 'script'")
  })

  it('is cached by no one else than its visitor', async () => {
    expect((await fetch(`${base}${path}`)).headers.get('cache-control')).toMatch(/^(no-store|private, )/)
  })
})

it.each([...livePaths, '/compare', '/nothing', '/s/nothing', `/s/${previewId}/embed`])(
  'the title of %s ends with the name of the product, and has it nowhere else',
  async (path) => {
    const [, title = ''] = /<title>([^<]*)<\/title>/.exec(await (await fetch(`${base}${path}`)).text()) ?? []
    expect(title).toMatch(/^\S.* · Snipkeep$/)
    expect(title.match(/Snipkeep/g)).toHaveLength(1)
  },
)

it('only the dashboard, tools and the front page, where one signs in, may connect to the issuer', async () => {
  for (const path of ['/dashboard', '/tools/json-format', '/'])
    expect(await policyOf(path), path).toContain(
      "connect-src 'self' https://issuer.example https://tokens.example;",
    )
  for (const path of ['/compare', `/s/${previewId}`])
    expect(await policyOf(path), path).toContain("connect-src 'self';")
})

it('the dashboard learns at run time where to sign in, and the command line what links to shares begin with', async () => {
  const response = await fetch(`${base}/config.json`)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.json()).toEqual({
    sign_in: {
      issuer: signIn.issuer,
      client_id: 'snipkeep',
      cli_client_id: 'snipkeep-cli',
      scopes: 'openid email',
      logout_needs_token: false,
    },
    public_base_url: testSite.publicBaseUrl,
    share_base_url: testSite.shareBaseUrl,
  })
})

describe('a script', () => {
  const get = async (accepted: string): Promise<{ readonly headers: Headers; readonly text: string }> => {
    const response = await fetch(`${base}/assets/share.js`, { headers: { 'Accept-Encoding': accepted } })
    return { headers: response.headers, text: await response.text().catch(() => '') }
  }

  it('may be cached forever, and limits workers made from it to our own origin', async () => {
    const { headers, text } = await get('identity')
    expect(text).toBe('export {}')
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'Accept-Encoding',
    })
    expect(headers.get('content-security-policy')).toMatch(
      /default-src 'none'.*script-src 'self'; connect-src 'self'$/,
    )
  })

  it.each([
    ['br, gzip', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP;q=0.5, br;q=0', 'gzip'],
    ['br;q=0.0', null],
    ['identity', null],
  ])('for who accepts %s is sent as %s', async (accepted, coding) => {
    expect((await get(accepted)).headers.get('content-encoding')).toBe(coding)
  })
})

describe('pages of the dashboard with a short address', () => {
  const get = (path: string) => fetch(`${base}${path}`, { redirect: 'manual' })

  it.each([
    ['/compare?a=%40x&b=~2', '/dashboard/compare?a=%40x&b=~2'],
    ['/checks/abc', '/dashboard/checks/abc'],
    ['/checks/%2F%2Felsewhere?next=//x', '/dashboard/checks/%2F%2Felsewhere'],
  ])('%s leads to %s', async (path, location) => {
    const response = await get(path)
    expect([response.status, response.headers.get('location')]).toEqual([302, location])
  })

  it.each(['/checks', '/checks/', '/checks/a/b'])('%s is none', async (path) => {
    expect((await get(path)).status).toBe(404)
  })
})
