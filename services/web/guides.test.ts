import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parsePage } from './testing/parse-page.js'
import { servePages } from './testing/served-pages.js'
import { testAssets } from './testing/test-assets.js'

let pages: Awaited<ReturnType<typeof servePages>>

beforeAll(async () => {
  pages = await servePages()
})
afterAll(() => pages.close())

const get = (path: string): Promise<Response> => fetch(`${pages.base}${path}`, { redirect: 'manual' })
const pageAt = async (path: string): Promise<string> => (await get(path)).text()

function linksOf(page: string): readonly string[] {
  return [...page.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, link = '']) => link)
}

/** What the gateway serves itself. */
const ofTheGateway: ReadonlySet<string> = new Set(['/api/docs'])

async function leadsSomewhere(link: string, from: string): Promise<boolean> {
  if (/^https:\/\//.test(link) || ofTheGateway.has(link)) return true
  const { pathname, hash } = new URL(link, `${pages.base}${from}`)
  if (pathname.startsWith('/language/')) return (await get(pathname)).status === 303
  const response = await get(pathname)
  if (response.status !== 200) return false
  return hash === '' || (await response.text()).includes(` id="${hash.slice(1)}"`)
}

describe.each(testAssets.guides)('$name', ({ name, title, headings }) => {
  const path = `/docs/${name}`

  it('is plain markup with its title, and a list of its headings', async () => {
    const page = await pageAt(path)
    expect(parsePage(page).textOf('h1')).toBe(title)
    const listed = headings.filter(({ depth }) => depth <= 3)
    for (const { id } of listed) {
      expect(page.split(` id="${id}"`), id).toHaveLength(2)
      expect(linksOf(page)).toContain(`#${id}`)
    }
  })

  it('has only links that lead somewhere', async () => {
    const links = [...new Set(linksOf(await pageAt(path)))]
    const broken: string[] = []
    for (const link of links) if (!(await leadsSomewhere(link, path))) broken.push(link)
    expect(broken).toEqual([])
  })

  it('is listed with what it says', async () => {
    const page = await pageAt('/docs')
    expect(linksOf(page)).toContain(path)
    expect(await pageAt(path)).toMatch(/<meta property="og:description" content="[^"]{80,160}">/)
  })
})

it('every link of the list leads somewhere', async () => {
  for (const link of new Set(linksOf(await pageAt('/docs'))))
    expect(await leadsSomewhere(link, '/docs'), link).toBe(true)
})

describe('the search', () => {
  it('works without a script: a form that the policy allows, and a page of links', async () => {
    const response = await get('/docs?q=github+actions')
    expect(response.headers.get('content-security-policy')).toContain("form-action 'self'")
    const page = await response.text()
    expect(page).toContain('<form class="docs-search" role="search" action="/docs">')
    expect(linksOf(page)).toEqual(expect.arrayContaining(['/docs/ci#github-actions']))
    expect(page).toContain('2 headings for “github actions”')
  })

  it('shows what was asked as text, at most 200 characters of it', async () => {
    const asked = `"><b q='z'>${'z'.repeat(300)}`
    const page = await pageAt(`/docs?q=${encodeURIComponent(asked)}`)
    expect(parsePage(page).attributeOf('<input', 'value')).toBe(asked.slice(0, 200))
    expect(page).toContain('No heading has a word of')
  })
})

it('a page that is missing says so, with a search and all guides', async () => {
  const response = await get('/docs/nope')
  expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store'])
  const page = await response.text()
  expect(page).toContain('There is no guide at this address.')
  expect(linksOf(page)).toEqual(expect.arrayContaining(testAssets.guides.map(({ name }) => `/docs/${name}`)))
})

it.each([
  ['/docs/', '/docs'],
  ['/docs/cli.md', '/docs/cli'],
  ['/docs/cli/', '/docs/cli'],
])('%s leads to %s', async (path, meant) => {
  const response = await get(path)
  expect([response.status, response.headers.get('location')]).toEqual([301, meant])
})

it('search engines may index the guides, but no search and no page that is missing', async () => {
  expect((await get('/docs/cli')).headers.get('x-robots-tag')).toBeNull()
  for (const path of ['/docs?q=share', '/docs/nope'])
    expect((await get(path)).headers.get('x-robots-tag'), path).toBe('noindex')
})

it.each([
  ['.js', 'text/javascript; charset=utf-8', 'import "/assets/guide.js"\n'],
  ['.css', 'text/css; charset=utf-8', '.docs{}'],
])(
  'the reference of the API loads the script and the style of the guides: %s',
  async (ending, type, content) => {
    const response = await get(`/api-reference${ending}`)
    expect(await response.text()).toBe(content)
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('cache-control')).toBe('public, max-age=300')
  },
)
