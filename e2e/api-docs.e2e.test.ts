import { execFileSync } from 'node:child_process'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { accessibilityProblems, overflowOf } from './harness/accessibility.js'
import {
  describeWithBrowser,
  type Profile,
  type ProfileOptions,
  startBrowser,
  type TestBrowser,
} from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { startSystem, type TestSystem } from './harness/system.js'

let system: TestSystem
let browser: TestBrowser
let profile: Profile

/** In light colors on phones, in dark ones on desktops; axe looks at the other colors too. */
const looks = [
  { colorScheme: 'light', width: 320 },
  { colorScheme: 'dark', width: 1280 },
] as const

/** The column heads of the first table, the rate limits, that are broken into two lines. */
function brokenHeads(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`[...document.querySelector('table').querySelectorAll('th')]
    .filter((head) => {
      const range = document.createRange()
      range.selectNodeContents(head)
      return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1
    })
    .map(({ textContent }) => textContent)`)
}

describeWithBrowser('the documentation of the API', () => {
  beforeAll(async () => {
    ;[system, browser] = await Promise.all([startSystem(), startBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    await system?.stop()
  })
  afterEach(() => profile?.close())

  async function open(options: ProfileOptions = {}): Promise<Page> {
    profile = await browser.profile({ viewport: { width: 1280, height: 900 }, ...options })
    const page = await profile.newPage()
    await page.goto(`${system.baseUrl()}/api/docs`)
    return page
  }

  it('has a command for each operation to copy, which works here', async () => {
    const page = await open({ permissions: ['clipboard-read', 'clipboard-write'] })
    await page.getByRole('button', { name: `Copy: curl "${system.baseUrl()}/api/plans"` }).click()
    await page.getByText('Copied.', { exact: true }).waitFor()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    const response = execFileSync('sh', ['-c', `${copied} -sS`], { encoding: 'utf8' })
    expect(JSON.parse(response).plans).toHaveLength(2)
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('finds an operation by words of its name, method, path and anchor', async () => {
    const page = await open()
    const links = page.getByRole('navigation', { name: 'All operations' }).getByRole('link')
    const all = await links.count()
    const field = page.getByRole('searchbox', { name: 'Find an operation' })
    for (const words of ['create an key /api/keys', 'POST /api/keys create', 'createApiKey']) {
      await field.fill(words)
      expect(await links.allTextContents()).toEqual(['Create an API key'])
    }
    await links.click()
    await page.waitForURL(/\/api\/docs#createApiKey$/)
    expect(await page.getByRole('heading', { name: 'Create an API key' }).isVisible()).toBe(true)
    await field.fill('')
    expect(await links.count()).toBe(all)
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('leads home and to the guides, in the header that the guides have', async () => {
    const page = await open()
    const header = page.getByRole('banner')
    const own = await header.innerHTML()
    await header.getByRole('link', { name: 'Docs', exact: true }).click()
    await page.getByRole('heading', { name: 'Docs', exact: true }).waitFor()
    expect(await header.innerHTML()).toBe(own)
    expect(await header.getByRole('link', { name: 'snipkeep', exact: true }).getAttribute('href')).toBe('/')
  })

  it('loads no more than four files of its own site, and 40 KB', async () => {
    profile = await browser.profile()
    const page = await profile.newPage()
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    const sizes: number[] = []
    session.on('Network.loadingFinished', ({ encodedDataLength }) => sizes.push(encodedDataLength))
    await page.goto(`${system.baseUrl()}/api/docs`)
    await page.getByRole('button', { name: /^Copy/ }).first().waitFor()
    expect(sizes.length).toBeLessThanOrEqual(4)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(40 * 1024)
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it.each(looks)('is accessible, $colorScheme and $width px wide', async ({ colorScheme, width }) => {
    const page = await open({ colorScheme, viewport: { width, height: 900 } })
    await page.getByRole('button', { name: /^Copy/ }).first().waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    expect(await brokenHeads(page)).toEqual([])
  })

  it('is complete where its script does not load', async () => {
    profile = await browser.profile({ viewport: { width: 320, height: 900 } })
    const page = await profile.newPage()
    await page.route('**/api-reference.js', (route) => route.abort())
    await page.goto(`${system.baseUrl()}/api/docs`)
    await page.getByText('All operations').first().click()
    await page.getByRole('link', { name: 'Create a share link' }).first().click()
    await page.waitForURL(/\/api\/docs#createShare$/)
    expect(await page.getByText(`curl "${system.baseUrl()}/api/shares"`).first().isVisible()).toBe(true)
    expect(await accessibilityProblems(page)).toEqual([])
  })
})
