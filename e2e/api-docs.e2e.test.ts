import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { accessibilityProblems, overflowOf } from './harness/accessibility.js'
import { makeKey } from './harness/api-keys.js'
import { describeWithBrowser, type Profile, startBrowser, type TestBrowser } from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { startSystem, type TestSystem } from './harness/system.js'

let system: TestSystem
let browser: TestBrowser
let profile: Profile

/** axe violations in Scalar's own markup, which the server-rendered page does not have. */
const knownProblems = new Set([
  'aria-allowed-attr',
  'aria-input-field-name',
  'aria-prohibited-attr',
  'aria-required-children',
  'button-name',
  'label',
  'label-content-name-mismatch',
  // A response with several media types has their choice inside its button.
  'nested-interactive',
  'scrollable-region-focusable',
  'target-size',
])

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

async function openReference(page: Page): Promise<void> {
  await page.goto(`${system.baseUrl()}/api/docs`)
  await page
    .getByRole('button', { name: /^Test Request/ })
    .first()
    .waitFor()
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

  it('sends a request with an API key, and requests nothing from other origins', async () => {
    const { key } = await makeKey(system, await system.user('docs', 'pro'))
    profile = await browser.profile({ viewport: { width: 1280, height: 900 } })
    const page = await profile.newPage()
    await openReference(page)
    expect(await page.locator('[data-plain]').count()).toBe(0)
    await page.locator('input.scalar-password-input').first().fill(key)
    await page
      .getByRole('button', { name: /^Test Request/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    const responded = page.waitForResponse((response) => response.url().includes('/api/snippets'))
    await dialog.getByRole('button', { name: /^Send/ }).first().click()
    const response = await responded
    expect(response.status()).toBe(200)
    expect(await response.request().headerValue('x-api-key')).toBe(key)
    await dialog.getByText('200 OK').first().waitFor()
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('has examples in four languages, and a search', async () => {
    profile = await browser.profile({ viewport: { width: 1280, height: 900 } })
    const page = await profile.newPage()
    await openReference(page)
    await page.getByRole('button', { name: 'Shell Curl' }).first().click()
    const offered = await page.getByRole('option').allTextContents()
    expect(offered.map((name) => name.trim()).sort()).toEqual(['Curl', 'Fetch', 'NewRequest', 'Requests'])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('api key')
    await page
      .getByRole('option', { name: /Create an API key/ })
      .first()
      .click()
    await page.waitForURL(/#.*api-keys/)
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('leads home and to the guides', async () => {
    profile = await browser.profile({ viewport: { width: 1280, height: 900 } })
    const page = await profile.newPage()
    await openReference(page)
    expect(await page.getByRole('link', { name: 'Snipkeep', exact: true }).getAttribute('href')).toBe('/')
    await page.getByRole('link', { name: 'Guides', exact: true }).click()
    await page.getByRole('heading', { name: 'Docs', exact: true }).waitFor()
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it.each(looks)('has only the known violations, $colorScheme and $width px wide', async (look) => {
    const { colorScheme, width } = look
    profile = await browser.profile({ colorScheme, viewport: { width, height: 900 } })
    const page = await profile.newPage()
    await openReference(page)
    const problems = await accessibilityProblems(page)
    expect(problems.filter((problem) => !knownProblems.has(problem.split(':')[0] ?? ''))).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    expect(await brokenHeads(page)).toEqual([])
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it.each(looks)('is an accessible page without scripts, $colorScheme and $width px wide', async (look) => {
    const { colorScheme, width } = look
    const viewport = { width, height: 900 }
    profile = await browser.profile({ colorScheme, viewport })
    const page = await profile.newPage()
    await page.route('**/api-reference.js', (route) => route.abort())
    await page.goto(`${system.baseUrl()}/api/docs`)
    await page.getByRole('heading', { name: 'Snipkeep API' }).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    expect(await brokenHeads(page)).toEqual([])
    await expect.poll(() => page.locator('#listSnippets').isVisible()).toBe(true)
  })
})
