import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tools } from '#engine/tools/registry.js'
import { createLogger } from '#libs/log/logger.js'
import { createPageServer } from './server.js'
import { type Site, siteAt } from './site.js'
import { parsePage } from './testing/parse-page.js'
import { preview, previewId } from './testing/previews.js'
import { testAssets } from './testing/test-assets.js'
import { testSite } from './testing/test-site.js'

const off = siteAt('https://snip.example', 'https://snip.example', { tools: false })
const serverOf = (site: Site): Server =>
  createPageServer({
    shares: {
      read: async () => preview('{"csv":"a"}'),
      readGated: () => Promise.reject(new Error('not asked')),
      close() {},
    },
    assets: testAssets,
    signIn: null,
    site,
    log: createLogger('test', 'silent'),
  })
const servers = [serverOf(testSite), serverOf(off)] as const
let base = ''
let baseWithout = ''

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

beforeAll(async () => {
  base = await listening(servers[0])
  baseWithout = await listening(servers[1])
})
afterAll(() => {
  for (const server of servers) server.close()
})

/** The compressed form of an asset here is none. */
const plain = { headers: { 'Accept-Encoding': 'identity' } }
const get = (path: string): Promise<Response> => fetch(`${base}${path}`, plain)

describe('the list', () => {
  it('links to every tool, each once, without a script', async () => {
    const page = await (await get('/tools')).text()
    const linked = [...page.matchAll(/<a href="\/tools\/([^"]+)"/g)].map(([, name]) => name)
    expect(linked.sort()).toEqual(tools.map(({ name }) => name).sort())
  })
})

describe.each(tools)('the page of $name', ({ name, title, options, examples }) => {
  it('is plain markup, with a control and a meaning for each option', async () => {
    const response = await get(`/tools/${name}`)
    const page = await response.text()
    const parsed = parsePage(page)
    expect([response.status, parsed.textOf('h1')]).toEqual([200, title])
    expect(parsed.attributeOf('<form', 'action')).toBe(`/tools/${name}`)
    for (const option of Object.keys(options.shape)) {
      expect(page).toMatch(
        new RegExp(`<(select|input)[^>]* name="${option}" [^>]*aria-describedby="about-${option}"`),
      )
      expect(page).toContain(`<dd id="about-${option}">`)
    }
    const settings = JSON.parse(parsed.attributeOf('<article class="tool"', 'data-tool'))
    expect(settings.example.input).toBe(examples[0].input)
    // HTML has no value that keeps lines from wrapping; that is for the style sheet.
    expect(page).not.toMatch(/<textarea[^>]* wrap=/)
    expect(response.headers.get('content-security-policy')).toContain("form-action 'self'")
  })
})

interface OfflineRelease {
  readonly version: string
  readonly nonce: string
  readonly headers: Readonly<Record<string, string>>
  readonly pages: Readonly<Record<string, string>>
  readonly assetHeaders: Readonly<Record<string, string>>
  readonly assets: readonly (readonly [string, string, string])[]
}

async function offlineRelease(accepted = 'identity'): Promise<OfflineRelease> {
  const response = await fetch(`${base}/tools/offline.json`, { headers: { 'Accept-Encoding': accepted } })
  expect(response.headers.get('content-encoding')).toBe(accepted === 'identity' ? null : accepted)
  const found: unknown = await response.json()
  return found as OfflineRelease
}

describe('without a network', () => {
  it('a service worker of its own serves all pages, each with a nonce to come', async () => {
    const { nonce, headers, pages } = await offlineRelease()
    expect(Object.keys(pages)).toEqual(['/tools', ...tools.map(({ name }) => `/tools/${name}`)])
    expect(headers['Content-Security-Policy']).toContain(`'nonce-${nonce}' 'strict-dynamic'`)
    for (const page of Object.values(pages)) expect(page).toContain(`nonce="${nonce}"`)
    expect(nonce).toMatch(/^[0-9a-f]{32}$/)
  })

  it('gets all that the pages load in one response, compressed, with the policy of scripts', async () => {
    const release = await offlineRelease('br')
    expect(release.assets.map(([path]) => path)).toEqual(['/assets/tool-list.js', '/assets/tool.js'])
    expect(release.assetHeaders['Content-Security-Policy']).toMatch(/script-src 'self'; connect-src 'self'$/)
    expect(release).toEqual(await offlineRelease())
  })

  it('its script names what it keeps, is checked for each visit, and reaches no more than tools', async () => {
    const response = await get('/tools/service-worker.js')
    const [first = ''] = (await response.text()).split('\n')
    const release = JSON.parse(first.replace('const toolsRelease = ', ''))
    expect(release.assets).toEqual(expect.arrayContaining(['/assets/tool.js', '/assets/tool-list.js']))
    expect([release.path, release.version]).toEqual(['/tools/offline.json', (await offlineRelease()).version])
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-cache',
      'service-worker-allowed': '/tools',
      'content-type': 'text/javascript; charset=utf-8',
    })
  })

  it('workers have the same files below its scope', async () => {
    const [own, usual] = await Promise.all(['/tools/assets/share.js', '/assets/share.js'].map(get))
    expect(await own?.text()).toBe(await usual?.text())
    expect((await get('/tools/assets/other.js')).status).toBe(404)
  })
})

it('what is no tool is not found', async () => {
  for (const path of ['/tools/', '/tools/none', '/tools/json-format/', '/tools/a/b', '/toolsjson-format'])
    expect((await get(path)).status, path).toBe(404)
})

it('TOOLS=off removes pages and links, and ends the service worker in browsers that have it', async () => {
  for (const path of ['/tools', '/tools/json-format', '/tools/offline.json', '/tools/assets/share.js'])
    expect((await fetch(`${baseWithout}${path}`)).status, path).toBe(404)
  for (const path of ['/', '/compare', `/s/${previewId}`])
    expect(await (await fetch(`${baseWithout}${path}`)).text(), path).not.toContain('/tools')
  expect(await (await fetch(`${baseWithout}/dashboard`)).text()).toContain('data-tools="off"')
  const worker = await fetch(`${baseWithout}/tools/service-worker.js`)
  expect(await worker.text()).toContain('registration.unregister()')
})
