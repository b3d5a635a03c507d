import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient } from './harness/api-client.js'
import { makeShare } from './harness/make-share.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let systems: readonly SystemInProcess[] = []
let anyone: ApiClient
let hidden: ApiClient

beforeAll(async () => {
  systems = await Promise.all([
    startSystem({ env: { SECURITY_CONTACT: 'mailto:security@snip.example' } }),
    startSystem({ env: { INDEXING: 'off' } }),
  ])
  const [usual, off] = systems.map((system) => system.anyone())
  if (usual === undefined || off === undefined) throw new Error('a system is missing')
  ;[anyone, hidden] = [usual, off]
})
afterAll(() => Promise.all(systems.map((system) => system.stop())))

const robotsOf = async (client: ApiClient, path: string, method = 'GET') =>
  (await client.request(method, path)).headers.get('x-robots-tag')

/** The paths in the sitemap, whose URLs begin with the public address. */
async function listed(): Promise<readonly string[]> {
  const { text } = await anyone.get('/sitemap.xml')
  const base = systems[0]?.baseUrl() ?? ''
  return [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url = '']) => {
    expect(url.startsWith(`${base}/`), url).toBe(true)
    return url.slice(base.length)
  })
}

/** Paths that no sitemap lists, shares of all kinds among them. */
async function unlisted(): Promise<readonly string[]> {
  const user = await systems[0]?.user('ada', 'pro')
  if (user === undefined) throw new Error('a system is missing')
  const [open, gated, expired] = await Promise.all([
    makeShare(user, {}),
    makeShare(user, { password: 'correct horse battery' }),
    makeShare(user, {}),
  ])
  await systems[0]?.expireShares([expired.id], -1)
  const ofShares = [open, gated, expired].flatMap(({ id }) =>
    ['', '/embed', '/report', '/compare'].map((end) => `/s/${id}${end}`),
  )
  return [
    ...ofShares,
    `/api/shares/${open.id}`,
    `/api/shares/${open.id}/raw`,
    '/s/AAAAAAAAAAAAAAAAAAAAAA',
    '/dashboard',
    '/dashboard/keys',
    '/dashboard/compare',
    '/compare?a=@nightly&b=@other',
    '/auth/callback?code=x',
    '/cli/callback?code=x',
    '/c/x',
    '/nothing',
    '/tools/nothing',
    '/api/docs/',
    '/api/nothing',
    '/api/openapi.json',
    '/llms.txt',
    '/api/snippets',
    '/config.json',
    '/healthz',
    '/robots.txt',
    '/sitemap.xml',
    '/.well-known/security.txt',
  ]
}

describe('pages in the sitemap', () => {
  it('are those that crawlers may index, and say what they are', async () => {
    const paths = await listed()
    expect(paths).toEqual(
      expect.arrayContaining(['/', '/compare', '/api/docs', '/tools', '/tools/json-to-csv']),
    )
    for (const path of paths) {
      const page = await anyone.get(path)
      expect([page.status, page.headers.get('x-robots-tag')], path).toEqual([200, null])
      expect(page.text, path).not.toContain('name="robots"')
      expect(page.text, path).toMatch(/<title>[^<]{20,60}<\/title>/)
      expect(page.text, path).toMatch(/<meta name="description" content="[^"]{80,}">/)
      expect(page.text, path).toContain(`<link rel="canonical" href="${systems[0]?.baseUrl()}${path}">`)
      expect(await robotsOf(anyone, path, 'HEAD'), path).toBeNull()
    }
  })

  it('are no longer indexed with INDEXING=off, and robots.txt turns crawlers away', async () => {
    for (const path of await listed()) {
      const page = await hidden.get(path)
      expect([page.status, page.headers.get('x-robots-tag')], path).toEqual([200, 'noindex'])
      expect(page.text, path).toContain('<meta name="robots" content="noindex">')
    }
    expect((await hidden.get('/robots.txt')).text).toBe('User-agent: *\nDisallow: /\n')
    expect((await hidden.get('/sitemap.xml')).status).toBe(404)
  })
})

it('nothing else is indexed: shares, the dashboard, callbacks, the API, errors', async () => {
  for (const path of await unlisted()) expect(await robotsOf(anyone, path), path).toBe('noindex')
  for (const path of await listed()) {
    const refused = await anyone.request('DELETE', path)
    expect([refused.status >= 400, refused.headers.get('x-robots-tag')], path).toEqual([true, 'noindex'])
  }
  const failed = await anyone.request('GET', '/api/docs', { headers: { 'If-Match': '"other"' } })
  expect([failed.status, failed.headers.get('x-robots-tag')]).toEqual([412, 'noindex'])
})

it('security.txt says whom to tell only where an operator has said it', async () => {
  const found = await anyone.get('/.well-known/security.txt')
  expect(found.text).toMatch(/^Contact: mailto:security@snip\.example\nExpires: 20\d\d-\d\d-\d\dT00:00:00Z\n/)
  expect((await hidden.get('/.well-known/security.txt')).status).toBe(404)
})
