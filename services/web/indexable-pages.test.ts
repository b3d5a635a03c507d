import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tools } from '#engine/tools/registry.js'
import { previewPictures } from '#shared/page-head.js'
import { indexablePaths } from './indexable-pages.js'
import { siteAt } from './site.js'
import { parsePage } from './testing/parse-page.js'
import { previewId } from './testing/previews.js'
import { servePages } from './testing/served-pages.js'
import { testSite, testSiteApart } from './testing/test-site.js'
import { toolPageTexts } from './texts/tool-pages.js'

const hidden = siteAt('https://snip.example', 'https://snip.example', { indexing: false })
let served: readonly Awaited<ReturnType<typeof servePages>>[] = []

beforeAll(async () => {
  served = await Promise.all([testSite, testSiteApart, hidden].map((site) => servePages({ site })))
})
afterAll(() => {
  for (const pages of served) pages.close()
})

const [usual, apart, off] = [0, 1, 2]
const get = (path: string, at = usual): Promise<Response> =>
  fetch(`${served[at]?.base}${path}`, { redirect: 'manual' })
const noindex = '<meta name="robots" content="noindex">'
/** The gateway sends the rest. */
const own = indexablePaths(testSite).filter((path) => !path.startsWith('/api/'))
const others = [
  '/dashboard',
  '/dashboard/compare',
  '/auth/callback',
  '/cli/callback',
  '/nothing',
  '/tools/nothing',
  `/s/${previewId}`,
  `/s/${previewId}/embed`,
  `/s/${previewId}/report`,
  `/s/${previewId}/compare`,
]

describe('a page that may be indexed', () => {
  it.each(own)('%s says so in its header and its markup, as search engines want it', async (path) => {
    const response = await get(path)
    const page = await response.text()
    expect([response.status, response.headers.get('x-robots-tag')]).toEqual([200, null])
    expect(page).not.toContain('name="robots"')
    const parsed = parsePage(page)
    expect(parsed.attributeOf('<link rel="canonical"', 'href')).toBe(`https://snip.example${path}`)
    expect(parsed.attributeOf('<meta property="og:url"', 'content')).toBe(`https://snip.example${path}`)
    const description = parsed.attributeOf('<meta name="description"', 'content')
    expect(description.length, description).toBeGreaterThan(80)
    expect(description.length, description).toBeLessThanOrEqual(160)
    const title = parsed.textOf('title')
    expect(title.length, title).toBeGreaterThan(20)
    expect(title.length, title).toBeLessThanOrEqual(60)
    expect(parsed.attributeOf('<html', 'lang')).toBe('en')
    expect(parsed.attributeOf('<meta name="viewport"', 'content')).toBe('width=device-width,initial-scale=1')
    expect(page.match(/<h1[ >]/g)).toHaveLength(1)
    for (const [link] of page.matchAll(/<a [^>]*>/g)) expect(link).toMatch(/ href="(\/|https:|#)[^"]*"/)
    for (const [image] of page.matchAll(/<img [^>]*>/g)) expect(image).toContain(' alt="')
  })

  it('has a title and a description of its own', async () => {
    const pages = await Promise.all(own.map(async (path) => parsePage(await (await get(path)).text())))
    for (const part of [
      pages.map((page) => page.textOf('title')),
      pages.map((page) => page.attributeOf('<meta name="description"', 'content')),
    ])
      expect(new Set(part).size).toBe(own.length)
  })

  it('is known by the public address, also if shares have their own', async () => {
    const page = parsePage(await (await get('/tools?x=1', apart)).text())
    expect(page.attributeOf('<link rel="canonical"', 'href')).toBe('https://snip.example/tools')
    expect(await (await get(`/s/${previewId}`, apart)).text()).not.toContain('rel="canonical"')
  })

  it('is the same with options in its query, unless they name what is compared in the dashboard', async () => {
    const response = await get('/compare?numbers=value&ignore=%2Fat')
    const page = parsePage(await response.text())
    expect([response.status, response.headers.get('x-robots-tag')]).toEqual([200, null])
    expect(page.attributeOf('<link rel="canonical"', 'href')).toBe('https://snip.example/compare')
    const moved = await get('/compare?a=%40x')
    expect([moved.status, moved.headers.get('x-robots-tag')]).toEqual([302, 'noindex'])
  })

  it('has a picture for link previews that exists, in their size, and is small', () => {
    const folder = new URL('./images/', import.meta.url)
    const names = readdirSync(folder).filter((name) => name.startsWith('preview-'))
    expect(names.map((name) => `/images/${name}`).sort()).toEqual(Object.values(previewPictures).sort())
    for (const name of names) {
      const bytes = readFileSync(new URL(name, folder))
      expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], name).toEqual([1_200, 630])
      expect(bytes.length, name).toBeLessThan(65_536)
    }
  })
})

it('every tool has words that people search for', () => {
  expect([...toolPageTexts.keys()].sort()).toEqual(tools.map(({ name }) => name).sort())
})

it.each(others)('%s is not indexed', async (path) => {
  const response = await get(path)
  expect(response.headers.get('x-robots-tag')).toBe('noindex')
  expect(await response.text()).toContain(noindex)
})

it('an error in the place of a page that may be indexed is not', async () => {
  const response = await fetch(`${served[usual]?.base}/tools`, { method: 'POST' })
  expect([response.status, response.headers.get('x-robots-tag')]).toEqual([405, 'noindex'])
  expect(await response.text()).toContain(noindex)
})

describe('INDEXING=off', () => {
  it('keeps every page out of search engines', async () => {
    for (const path of [...own, ...others]) {
      const response = await get(path, off)
      expect(response.headers.get('x-robots-tag'), path).toBe('noindex')
      const page = await response.text()
      expect(page, path).toContain(noindex)
      expect(page, path).not.toContain('rel="canonical"')
    }
  })

  it('turns crawlers away, and lists nothing for them', async () => {
    expect(await (await get('/robots.txt', off)).text()).toBe('User-agent: *\nDisallow: /\n')
    expect((await get('/sitemap.xml', off)).status).toBe(404)
  })
})

describe('crawlers', () => {
  it('may read every page, and learn of the sitemap', async () => {
    const robots = await (await get('/robots.txt')).text()
    expect(robots).toMatch(/^User-agent: \*\nDisallow:$/m)
    expect(robots).toMatch(/^Sitemap: https:\/\/snip\.example\/sitemap\.xml$/m)
  })

  it('find exactly the pages that may be indexed in the sitemap', async () => {
    const response = await get('/sitemap.xml')
    expect(response.headers.get('content-type')).toBe('application/xml')
    const listed = [...(await response.text()).matchAll(/<url><loc>([^<]*)<\/loc><\/url>/g)]
    expect(listed.map(([, url]) => url)).toEqual(
      indexablePaths(testSite).map((path) => `https://snip.example${path}`),
    )
    expect(listed).toHaveLength(own.length + 1)
  })

  it('do not find tools that are turned off', () => {
    expect(indexablePaths({ tools: false }).filter((path) => path.startsWith('/tools'))).toEqual([])
  })
})
