import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { accessibilityProblems, overflowOf } from './harness/accessibility.js'
import { describeWithBrowser, type Profile, startBrowser, type TestBrowser } from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { layoutShift, recordLayoutShifts } from './harness/layout-shifts.js'
import { startSystem, type TestSystem } from './harness/system.js'

/** What a search engine reads of a page. */
interface Crawled {
  readonly title: string
  readonly description: string
  readonly canonical: string
  readonly language: string
  readonly robots: string | null
  readonly headings: number
  /** Of links that cannot be followed, or say nothing of where they lead. */
  readonly links: readonly string[]
}

function crawl(page: Page): Promise<Crawled> {
  return page.evaluate<Crawled>(`({
    title: document.title,
    description: document.querySelector('meta[name=description]')?.content ?? '',
    canonical: document.querySelector('link[rel=canonical]')?.href ?? '',
    language: document.documentElement.lang,
    robots: document.querySelector('meta[name=robots]')?.content ?? null,
    headings: document.querySelectorAll('h1').length,
    links: [...document.querySelectorAll('a')]
      .filter((link) => !link.getAttribute('href') || link.textContent.trim() === '' || /^(here|more|link)$/i.test(link.textContent.trim()))
      .map(({ outerHTML }) => outerHTML),
  })`)
}

const paths = ['/', '/tools', '/tools/json-format', '/compare', '/docs', '/docs/using-the-api', '/api/docs']

describeWithBrowser('the pages that search engines find', () => {
  let system: TestSystem
  let browser: TestBrowser
  let profile: Profile

  beforeAll(async () => {
    ;[system, browser] = await Promise.all([startSystem(), startBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    await system?.stop()
  })
  afterEach(() => profile?.close())

  async function open(path: string, width: number): Promise<Page> {
    profile = await browser.profile({ viewport: { width, height: 900 } })
    const page = await profile.newPage()
    await recordLayoutShifts(page)
    await page.goto(`${system.baseUrl()}${path}`)
    await page.waitForLoadState('networkidle')
    return page
  }

  it.each(paths.flatMap((path) => [390, 800, 1280].map((width) => [path, width] as const)))(
    '%s hardly moves while it loads, %i px wide, and is accessible',
    async (path, width) => {
      const page = await open(path, width)
      if (path === '/') await page.getByRole('tab', { name: 'csv', selected: true }).waitFor()
      expect(await layoutShift(page)).toBeLessThanOrEqual(0.05)
      expect(await overflowOf(page)).toBe(0)
      expect(await accessibilityProblems(page)).toEqual([])
      expect(profile.browserErrors).toEqual(noBrowserErrors)
    },
  )

  it.each(paths)('%s says what it is, where it is, and has only links that can be followed', async (path) => {
    const page = await open(path, 1280)
    const { title, description, ...crawled } = await crawl(page)
    expect(title.length).toBeGreaterThan(10)
    expect(description.length).toBeGreaterThan(50)
    const canonical = `${system.baseUrl()}${path}`
    expect(crawled).toEqual({ canonical, language: 'en', robots: null, headings: 1, links: [] })
  })
})
