import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { describeWithBrowser, type Profile, startBrowser, type TestBrowser } from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { type CountedRequests, countRequests } from './harness/counted-requests.js'
import { initialScriptBytes } from './harness/initial-script.js'
import { kindSamples } from './harness/kind-samples.js'
import { csvOf, makeShare } from './harness/make-share.js'
import { startSystem, type TestSystem } from './harness/system.js'
import { viewShown } from './harness/viewer.js'

/** The document, its style, its script, a worker, what the worker loads for this kind, and the data. */
const requestsMax = 6
/** All of that for a JSON document of 314 lines, as it is sent. */
const shareBytesMax = 72 * 1024

const notes = '# Notes\n\nA [link](https://example.com) and `code`.\n'
/** By the name of the member, or by its content alone. */
const documents: Readonly<Record<string, object>> = {
  'JSON of objects': {
    users: [
      { id: 1, tags: ['a'] },
      { id: 2, tags: [] },
    ],
    nested: { a: { b: 1 } },
  },
  CSV: { csv: csvOf(300) },
  Markdown: { markdown: notes },
  'Markdown in a member of another name': { text: notes },
  text: { text: 'One line, and another.\nThe end.' },
}

describeWithBrowser('the first view', () => {
  let system: TestSystem
  let browser: TestBrowser
  let counted: CountedRequests
  let profile: Profile

  beforeAll(async () => {
    ;[system, browser] = await Promise.all([startSystem(), startBrowser()])
    counted = await countRequests(system.baseUrl())
  })
  afterAll(async () => {
    await browser?.close()
    await counted?.stop()
    await system?.stop()
  })
  afterEach(() => profile?.close())

  /** Opens a page in a fresh profile until nothing more is loaded; returns all that was requested. */
  async function requestsOf(path: string, shown: (page: Page) => Promise<unknown>): Promise<string[]> {
    profile = await browser.profile({ serviceWorkers: 'allow' })
    counted.requests.length = 0
    const page = await profile.newPage()
    await page.goto(`${counted.url}${path}`)
    await shown(page)
    await page.waitForLoadState('networkidle')
    expect(profile.browserErrors).toEqual(noBrowserErrors)
    return [...counted.requests]
  }

  async function expectFew(data: object): Promise<void> {
    const user = await system.user('ada')
    const { id } = await makeShare(user, { tool: 'tool', title: 'Shared', data })
    const requests = await requestsOf(`/s/${id}`, viewShown)
    expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(requestsMax)
  }

  it.each(Object.keys(documents))('of a share of %s needs at most six requests', (name) =>
    expectFew(documents[name] ?? {}),
  )

  it.each(Object.entries(kindSamples))(
    'of a share of a realistic %s needs at most six requests',
    async (kind, samples) => {
      for (const sample of samples) {
        await expectFew({ [kind]: await sample.read() })
        await profile.close()
      }
    },
  )

  it('of a share is at most 72 KB, with its data', async () => {
    const entries = Object.fromEntries(Array.from({ length: 310 }, (_, line) => [`line ${line}`, line]))
    const before = counted.bytes()
    await expectFew({ entries })
    expect(counted.bytes() - before).toBeLessThanOrEqual(shareBytesMax)
  })

  it('of a tool’s page needs at most six requests, with all that it keeps for when there is no network', async () => {
    const requests = await requestsOf('/tools/json-format', (page) =>
      page.evaluate('navigator.serviceWorker.ready.then(() => undefined)'),
    )
    expect(requests).toContain('GET /tools/offline.json')
    expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(requestsMax)
  })

  it.each([
    ['/', 'heading', 'Paste data. Get a link that shows it well.'],
    ['/dashboard', 'heading', /./],
    ['/docs', 'heading', 'Docs'],
    ['/docs/using-the-api', 'button', /^Copy/],
  ] as const)('of %s, signed out, needs at most six requests', async (path, role, name) => {
    const requests = await requestsOf(path, (page) => page.getByRole(role, { name }).first().waitFor())
    expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(requestsMax)
  })
})

describe('forty people behind one address, each with an empty cache, who open one share within a minute', () => {
  let system: TestSystem

  beforeAll(async () => {
    // As they are by default.
    system = await startSystem({ env: { RATE_LIMIT_STANDARD: '', RATE_LIMIT_STRICT: '' } })
  })
  afterAll(() => system?.stop())

  /** All that a browser loads for a page: what its markup names, what those files name, and the data. */
  async function loadAll(url: string): Promise<readonly (readonly [string, number])[]> {
    const loaded = new Map<string, number>()
    const load = async (path: string): Promise<void> => {
      if (loaded.has(path)) return
      loaded.set(path, 0)
      const response = await fetch(new URL(path, url), { headers: { Accept: 'text/html,*/*;q=0.8' } })
      loaded.set(path, response.status)
      const text = await response.text()
      const named = [...text.matchAll(/(?<![\w.-])[\w-]+\.(?:js|css)\b/g)].map(([name]) => `/assets/${name}`)
      const raw = /&quot;raw_path&quot;:&quot;([^&]+)/.exec(text)?.[1]
      const assets = named.filter((name) => /-[\w-]{8}\.|\/[0-9a-f]{16}\./.test(name))
      await Promise.all([...assets, ...(raw === undefined ? [] : [raw])].map(load))
    }
    await load(new URL(url).pathname)
    return [...loaded]
  }

  it('all get all of it', async () => {
    const user = await system.user('ada')
    const { share_url } = await makeShare(user, { data: { csv: csvOf(300) } })
    const pages = await Promise.all(Array.from({ length: 40 }, () => loadAll(share_url)))
    const [first = []] = pages
    expect(first.some(([path]) => /^\/assets\/document-worker-/.test(path))).toBe(true)
    expect(first.some(([path]) => /^\/api\/shares\/.*\/raw/.test(path))).toBe(true)
    for (const page of pages) {
      expect(page.length).toBe(first.length)
      expect(page.filter(([, status]) => status !== 200)).toEqual([])
    }
  })
})

describe('the script that a page loads at once', () => {
  it.each([
    ['share', 24],
    ['share-markdown', 36],
    ['embed', 24],
    ['landing', 24],
    ['guide', 2],
    ['compare', 24],
    ['tool', 28],
    ['tool-list', 3],
    ['dashboard', 96],
  ] as const)('of %s is at most %i KB', (page, kilobytes) => {
    expect(initialScriptBytes(page)).toBeLessThanOrEqual(kilobytes * 1024)
  })
})
