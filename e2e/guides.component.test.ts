import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess

beforeAll(async () => {
  system = await startSystem()
})
afterAll(() => system?.stop())

const get = (path: string) => system.anyone().get(path)

/** The pages of the same site that a page links to, without anchors and each once; choosing a language leads back. */
function pagesLinkedIn(page: string): readonly string[] {
  const links = [...page.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, link = '']) => link.replace(/#.*/, ''))
  return [...new Set(links)].filter((link) => link.startsWith('/') && !link.startsWith('/language/'))
}

describe('the guides', () => {
  it('are found from the front page, and whatever they link to is served', async () => {
    const seen = new Set(['/'])
    // Iterating a set includes elements added meanwhile.
    for (const path of seen) {
      const { status, text } = await get(path)
      expect(status, path).toBe(200)
      if (path === '/' || path === '/docs' || path.startsWith('/docs/'))
        for (const link of pagesLinkedIn(text)) seen.add(link)
    }
    expect([...seen]).toEqual(
      expect.arrayContaining(['/docs/cli', '/docs/operations', '/api/docs', '/tools']),
    )
  })

  it('can be searched without a script', async () => {
    const { status, text } = await get('/docs?q=rotate%20keys')
    expect(status).toBe(200)
    expect(text).toContain('href="/docs/using-the-api#rotate-a-key"')
  })

  it('are linked from the reference of the API, which leads home, too', async () => {
    const { text } = await get('/api/docs')
    expect(pagesLinkedIn(text)).toEqual(expect.arrayContaining(['/', '/docs']))
  })
})

it('only the main host has guides if shares are on a host of their own', async () => {
  const apart = await startSystem({ env: { SHARE_BASE_URL: 'http://localhost:8080' } })
  try {
    expect((await apart.anyone().get('/docs/cli')).status).toBe(200)
    const elsewhere = await fetch(`${apart.baseUrl().replace('127.0.0.1', 'localhost')}/docs/cli`)
    expect([elsewhere.status, await elsewhere.text()]).toEqual([
      404,
      expect.stringContaining('Page not found'),
    ])
  } finally {
    await apart.stop()
  }
})
