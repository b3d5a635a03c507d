import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DomainError } from '#libs/core/domain-error.js'
import { createLogger } from '#libs/log/logger.js'
import { plansHeader } from '#shared/core/plans-header.js'
import { createPageServer } from './server.js'
import type { SharePreview, ShareReader } from './share-reader.js'
import { styleSheetPath } from './style-sheet.js'
import { parsePage } from './testing/parse-page.js'
import { preview, previewId } from './testing/previews.js'
import { testAssets } from './testing/test-assets.js'
import { testPlans } from './testing/test-plans.js'
import { testSite } from './testing/test-site.js'

const id = previewId
const harmless = preview('{"csv":"a"}')

let readShare: () => SharePreview
let asked: { headBytesMax: number; requestId: string }[]
const reader: ShareReader = {
  async read(_id, headBytesMax, { requestId }) {
    asked.push({ headBytesMax, requestId })
    return readShare()
  },
  readGated: () => Promise.reject(new Error('not asked')),
  close() {},
}
const server = createPageServer({
  shares: reader,
  assets: testAssets,
  signIn: {
    issuer: 'https://issuer.example/realm',
    clientId: 'snipkeep',
    cliClientId: 'snipkeep',
    scopes: 'openid email',
    otherOrigins: ['https://tokens.example'],
    logoutNeedsToken: false,
  },
  site: testSite,
  log: createLogger('test', 'silent'),
})
let base = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())
beforeEach(() => {
  asked = []
  readShare = () => harmless
})

const get = (path = `/s/${id}`, method = 'GET'): Promise<Response> =>
  fetch(`${base}${path}`, { method, headers: { 'Accept-Encoding': 'identity' } })
describe('the page of a share', () => {
  it('is HTML for anyone, made from no more of the data than it shows', async () => {
    const response = await get()
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await response.text()).toContain('<h1>Title</h1>')
    expect(response.headers.get('cache-control')).toBe('private, max-age=60')
    expect(asked.map(({ headBytesMax }) => headBytesMax)).toEqual([65_540])
  })

  it('requests the share under the request’s id, if that is valid', async () => {
    const idFor = async (given: string): Promise<string | undefined> => {
      asked = []
      expect((await fetch(`${base}/s/${id}`, { headers: { 'X-Request-Id': given } })).status).toBe(200)
      return asked[0]?.requestId
    }
    expect(await idFor('caller-1.a_B')).toBe('caller-1.a_B')
    for (const bad of ['', '\u00e9\u00ff', 'a b', 'x'.repeat(129)])
      expect(await idFor(bad)).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('is cached no longer than it lives', async () => {
    readShare = () => ({ ...harmless, timeLeftMs: 5_900 })
    expect((await get()).headers.get('cache-control')).toBe('private, max-age=5')
    readShare = () => ({ ...harmless, timeLeftMs: 900 })
    expect((await get()).headers.get('cache-control')).toBe('no-store')
    readShare = () => ({ ...harmless, expiresAt: null, timeLeftMs: null })
    expect((await get()).headers.get('cache-control')).toBe('private, max-age=60')
  })
})

describe('the pages that compare', () => {
  const other = 'BBBBBBBBBBBBBBBBBBBBBB'

  it('name both shares and read nothing of what they hold', async () => {
    readShare = () => ({ ...harmless, title: 'A <b>' })
    const response = await get(`/s/${id}/compare/${other}?key=id`)
    const page = await response.text()
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, max-age=60'])
    expect(page).toContain(`<a href="/s/${id}">A &lt;b&gt;</a>`)
    expect(page).toContain('<script type="module"')
    expect(asked.map(({ headBytesMax }) => headBytesMax)).toEqual([1, 1])
    expect(response.headers.get('content-security-policy')).toContain("connect-src 'self';")
  })

  it('ask for the other share where one is named alone', async () => {
    const page = parsePage(await (await get(`/s/${id}/compare`)).text())
    const settings = JSON.parse(page.attributeOf('<div id="comparison"', 'data-comparison') ?? '')
    expect(settings).toEqual({
      a: { id, title: 'Title', size_bytes: 11, raw_path: `/api/shares/${id}/raw` },
      b: null,
    })
    for (const path of [`/s/${id}/compare/short`, `/s/${id}/compare/${other}/x`, `/s/${id}/compare/`])
      expect((await get(path)).status, path).toBe(404)
  })
})

describe('the other pages', () => {
  const failing = (error: DomainError) => () => {
    throw error
  }

  it('are 404 for an unknown share', async () => {
    readShare = failing(new DomainError('not-found', 'not_found', 'x'))
    const { status, headers } = await get()
    expect([status, headers.get('cache-control')]).toEqual([404, 'no-store'])
  })

  it('are 410 for an expired share, with its title as text and its time', async () => {
    readShare = failing(
      new DomainError('gone', 'share_expired', 'x', {
        title: 'Old <b>',
        expired_at: '2026-01-02T03:04:05.678Z',
      }),
    )
    const gone = await get()
    const page = await gone.text()
    expect([gone.status, gone.headers.get('cache-control')]).toEqual([410, 'no-store'])
    expect(page).toContain('Old &lt;b&gt;')
    expect(page).toContain('2026-01-02 03:04 UTC')
  })

  it('are 503 with Retry-After during an outage', async () => {
    for (const kind of ['unavailable', 'timeout'] as const) {
      readShare = failing(new DomainError(kind, kind, 'x'))
      const response = await get()
      expect([
        response.status,
        response.headers.get('retry-after'),
        response.headers.get('cache-control'),
      ]).toEqual([503, '2', 'no-store'])
    }
  })

  it('are 500 for an unexpected error, and reveal nothing of it', async () => {
    const unforeseen = [
      new Error('secret detail'),
      new DomainError('conflict', 'secret', 'secret detail'),
      new DomainError('gone', 'share_expired', 'secret detail'),
    ]
    for (const error of unforeseen) {
      readShare = () => {
        throw error
      }
      const { status, headers, text } = await get().then(async (response) => ({
        status: response.status,
        headers: response.headers,
        text: await response.text(),
      }))
      expect([status, headers.get('cache-control')]).toEqual([500, 'no-store'])
      expect(text).toContain('<h1>')
      expect(text).not.toContain('secret')
    }
  })

  it('are 404 for any other path, without requesting a share', async () => {
    for (const path of [
      '/s/',
      '/s/short',
      `/s/${id}/`,
      `/s/${id}x`,
      '/S/x',
      '/assets/other.css',
      '/index.html',
      '/..%2fx',
      `/s/${id}%00`,
    ]) {
      expect((await get(path)).status, path).toBe(404)
    }
    expect(asked).toEqual([])
  })

  it('are read-only', async () => {
    const response = await get('/', 'POST')
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    const head = await get(`/s/${id}`, 'HEAD')
    expect([head.status, await head.text()]).toEqual([200, ''])
    const { headers } = await get(`/s/${id}`)
    const withoutNonce = (value: string | null) => value?.replaceAll(/'nonce-[^']*'/g, 'nonce')
    for (const name of ['content-type', 'content-length', 'cache-control', 'content-security-policy']) {
      expect(withoutNonce(head.headers.get(name)), name).toBe(withoutNonce(headers.get(name)))
    }
  })

  it('all have the same strict headers', async () => {
    const check = async (path: string): Promise<void> => {
      const { headers } = await get(path)
      const policy = (headers.get('content-security-policy') ?? '').split('; ')
      expect(policy, path).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "style-src 'self'",
          "img-src 'self' data:",
          "base-uri 'none'",
          "form-action 'none'",
          "frame-ancestors 'none'",
          "require-trusted-types-for 'script'",
          "trusted-types 'none'",
        ]),
      )
      expect(policy.join(), path).not.toMatch(/unsafe|\*|https?:|script-src/)
      expect(Object.fromEntries(headers), path).toMatchObject({
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'same-origin',
        'strict-transport-security': expect.stringContaining('max-age=31536000'),
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex',
      })
      expect(headers.get('permissions-policy'), path).toContain('camera=()')
    }
    const signedIn = `/cli/callback?code=c?d&state=49152.${'s'.repeat(43)}`
    for (const path of ['/nothing', '/healthz', '/config.json', styleSheetPath, signedIn]) await check(path)
    expect((await get(signedIn)).headers.get('refresh')).toContain('code=c%3Fd&')
    for (const kind of ['not-found', 'unavailable', 'conflict'] as const) {
      readShare = failing(new DomainError(kind, kind, 'x'))
      await check(`/s/${id}`)
    }
  })

  it('load one style, from the same origin, that may be cached forever, and no script', async () => {
    const page = await (await get('/nothing')).text()
    const loaded = [...page.matchAll(/<(?:link|script|img|iframe)\b[^>]*?(?:src|href)="([^"]*)"/g)]
    expect(loaded.map(([, url]) => url?.replace(/,.*/, ''))).toEqual(['data:image/svg+xml', styleSheetPath])
    expect(page).not.toContain('<script')
    const { headers } = await get(styleSheetPath)
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('content-type')).toBe('text/css; charset=utf-8')
  })

  it('include a landing page with a description and links', async () => {
    const page = await (await get('/')).text()
    const links = [...page.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, path]) => path)
    expect(links).toEqual([
      '#content',
      '/',
      // The header, which a phone shows as a menu.
      ...['/tools', '/compare', '/docs', '/dashboard'],
      ...['/tools', '/compare', '/docs', '/dashboard'],
      ...['json-format', 'json-to-csv', 'csv-to-json', 'sql-format'].map((tool) => `/tools/${tool}`),
      ...['/tools', '/compare', '/docs/cli', '/api/plans'],
      ...['/docs', '/api/docs'],
      '/language/de',
      '/language/ja',
    ])
  })

  it('include a landing page whose example is readable without a script, and is what its script opens', async () => {
    const page = await (await get('/')).text()
    expect(page).toContain('<span>Mercury,4879,0.330,4222.6,88.0,167,no</span>\n')
    const [, path = '', size = ''] = /data-path="([^"]*)" data-size="([^"]*)"/.exec(page) ?? []
    const response = await get(path)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(bytes).toHaveLength(Number(size))
    expect(JSON.parse(bytes.toString()).csv).toMatch(/^planet,/)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'application/json',
    })
  })

  it('include a landing page whose commands use this server’s URL', async () => {
    const page = await (await get('/')).text()
    const commands = [...page.matchAll(/<code>[^<]*(https:[^?$&<]*)/g)].map(([, url]) => url)
    const at = (path: string) => `https://snip.example${path}`
    expect(commands).toEqual([at(''), at('/api/shares/'), at('/api/shares')])
  })

  it('include a landing page with the plans that the gateway passes on', async () => {
    const headers = { [plansHeader]: JSON.stringify({ plans: testPlans }) }
    expect(await (await fetch(`${base}/`, { headers })).text()).toContain('€9 per month')
  })

  it('include a health check', async () => {
    const response = await get('/healthz')
    expect([response.status, await response.text()]).toEqual([200, 'ok'])
  })
})
