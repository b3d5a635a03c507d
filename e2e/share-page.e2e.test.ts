import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { ApiClient } from './harness/api-client.js'
import { describeWithBrowser, type Profile, startBrowser, type TestBrowser } from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { layoutShift, recordLayoutShifts } from './harness/layout-shifts.js'
import { csvOf, type MadeShare, makeShare } from './harness/make-share.js'
import { startSystem, type TestSystem } from './harness/system.js'

const csv = csvOf(300)
const title = 'Prices: “March” & <April>'

describeWithBrowser('a stranger with a link', () => {
  let system: TestSystem
  let browser: TestBrowser
  let lea: ApiClient
  let shared: MadeShare
  let profile: Profile

  beforeAll(async () => {
    ;[system, browser] = await Promise.all([startSystem(), startBrowser()])
    lea = await system.user('lea')
    shared = await makeShare(lea, { tool: 'json-to-csv', title, data: { csv } })
  })
  afterAll(async () => {
    await browser?.close()
    await system?.stop()
  })
  afterEach(() => profile?.close())

  /** The share in a fresh profile with clipboard access. */
  async function open(url = shared.share_url, options: object = {}): Promise<Page> {
    const permissions = ['clipboard-read', 'clipboard-write']
    profile = await browser.profile({ permissions, ...options })
    const page = await profile.newPage()
    await page.goto(url)
    return page
  }
  const clipboard = (page: Page): Promise<string> => page.evaluate<string>('navigator.clipboard.readText()')

  it('reads it without JavaScript: the facts, the first 200 lines, and a link to all of it', async () => {
    const page = await open(shared.share_url, { javaScriptEnabled: false })
    await expect.poll(() => page.locator('h1').textContent()).toBe(title)
    const facts = await page.locator('.facts').textContent()
    expect(facts).toMatch(/Tool\s*json-to-csv/)
    expect(facts).toMatch(/Shared\s*\d+ seconds? ago/)
    expect(facts).toContain('Expires in 29 days')
    expect(await page.locator('pre span').count()).toBe(200)
    expect(await page.locator('pre span').nth(199).textContent()).toBe(csv.split('\n')[199])
    await expect
      .poll(() => page.locator('.note').textContent())
      .toContain('Only the first 200 lines are shown here.')
    expect(await page.locator('button').count()).toBe(0)
    await page.getByRole('link', { name: 'Show everything' }).click()
    expect(await page.locator('body').textContent()).toBe(csv)
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('downloads it under a suitable name', async () => {
    const page = await open()
    const coming = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download' }).click()
    const download = await coming
    expect(download.suggestedFilename()).toBe('Prices_ “March” & _April_.csv')
    expect(readFileSync(await download.path(), 'utf8')).toBe(csv)
  })

  it('downloads a file under the name that it was shared by', async () => {
    const named = await makeShare(lea, { tool: 'csv', title: 'orders.csv', data: { csv } })
    const page = await open(named.share_url)
    const coming = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download' }).click()
    expect((await coming).suggestedFilename()).toBe('orders.csv')
  })

  it('opens the menu of copies above the table, whose head lies below it', async () => {
    const page = await open()
    await page.getByRole('columnheader', { name: /price/ }).waitFor()
    await page.getByRole('button', { name: 'More ways to copy' }).click()
    for (const item of await page.getByRole('menuitem').all()) {
      const isOnTop = await item.evaluate((element) => {
        const { x, y, width, height } = element.getBoundingClientRect()
        return element.contains(element.ownerDocument.elementFromPoint(x + width / 2, y + height / 2))
      })
      expect(isOnTop, (await item.textContent()) ?? '').toBe(true)
    }
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it.each([
    [1280, 'csv'],
    [800, 'csv'],
    [390, 'csv'],
    [1280, 'json'],
    [800, 'json'],
    [390, 'json'],
  ])('sees almost nothing move while the data is loading, at %i px, %s', async (width, kind) => {
    const data =
      kind === 'csv' ? { csv } : { rows: csv.split('\n').map((line, n) => ({ n, line: { text: line } })) }
    const { share_url } = await makeShare(lea, { tool: kind, title: 'Slow', data })
    profile = await browser.profile({ viewport: { width, height: 800 } })
    const page = await profile.newPage()
    await recordLayoutShifts(page)
    // The data comes only once its loading has been shown.
    await page.route('**/raw', async (route) => {
      await page.locator('.viewer-loading').waitFor({ state: 'attached' })
      await route.continue()
    })
    await page.goto(share_url)
    await page.locator('.viewer-tabs').waitFor()
    await page.waitForLoadState('networkidle')
    expect(await layoutShift(page)).toBeLessThan(0.05)
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('copies its link and all of it', async () => {
    const page = await open()
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Copy link', exact: true }).click()
    await page.getByText('Link: copied.').waitFor()
    expect(await clipboard(page)).toBe(shared.share_url)
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByText(/^Copied [\d.]+ KB$/).waitFor()
    expect(await clipboard(page)).toBe(csv)
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('copies a curl line that fetches it in a shell', async () => {
    const page = await open()
    await page.getByRole('button', { name: 'More ways to copy' }).click()
    await page.getByRole('menuitem', { name: 'curl' }).click()
    await page.getByText('curl: copied.').waitFor()
    expect(execFileSync('sh', ['-c', await clipboard(page)], { encoding: 'utf8' })).toBe(csv)
  })

  it('is told when a share is too large for the clipboard', async () => {
    const rich = await system.user('rich', 'pro')
    const large = await makeShare(rich, { data: { text: 'x'.repeat(11 * 1_048_576 - '{"text":""}'.length) } })
    const page = await open(large.share_url)
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByText('11 MB is too much for the clipboard. Download it instead.').waitFor()
  })

  it('follows a link to a node of the tree, and gets the link of another', async () => {
    const data = { items: Array.from({ length: 100 }, (_, id) => ({ id, price: id * 1.5 })) }
    const { share_url } = await makeShare(lea, { data: { meta: { note: 'x' }, ...data } })
    const page = await open(`${share_url}#/items/42/price`)
    await page.getByRole('tab', { name: 'Tree', selected: true }).waitFor()
    await page.getByText('/items/42/price').waitFor()
    await page.getByRole('treeitem').filter({ hasText: 'price' }).filter({ hasText: '63' }).waitFor()
    await page.evaluate("location.hash = '#/meta/note'")
    await page.getByText('/meta/note').waitFor()
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('follows a link to a cell of a table', async () => {
    const page = await open(`${shared.share_url}#cell=250,2`)
    await page.getByRole('tab', { name: 'Table', selected: true }).waitFor()
    await page.getByText('Row 250, column 2').waitFor()
    await page.getByText('Item 248', { exact: true }).waitFor()
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('is told when a link leads nowhere', async () => {
    const page = await open(`${shared.share_url}#cell=9999,2`)
    await page.getByText('The part that this link points to is not in the data').waitFor()
  })

  it('gets a QR code of the link, loaded on demand', async () => {
    const page = await open()
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    const scripts = (): Promise<number> =>
      page.evaluate<number>(
        "performance.getEntriesByType('resource').filter(({ name }) => name.includes('/qr-dialog-')).length",
      )
    expect(await scripts()).toBe(0)
    await page.getByRole('menuitem', { name: 'QR code' }).click()
    const dialog = page.getByRole('dialog', { name: 'Scan to open this share' })
    await dialog.waitFor()
    expect(await scripts()).toBe(1)
    await expect
      .poll(() => dialog.getByRole('img', { name: 'QR code for the link' }).locator('path').count())
      .toBe(1)
    await expect.poll(() => dialog.textContent()).toContain(shared.share_url)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('sees it expire while looking at it, and its title afterwards', async () => {
    const { id, share_url } = await makeShare(lea, { title: 'Soon gone', data: { csv: 'a,b' } })
    await system.expireShares([id], 8_000)
    const page = await open(share_url)
    await expect.poll(() => page.locator('#expiry').textContent()).toMatch(/^Expires in [1-8] seconds?$/)
    await page.getByRole('alert').getByText('This share has expired.').waitFor()
    await expect.poll(() => page.locator('#expiry').textContent()).toBe('Expired')
    expect(await page.getByRole('link', { name: 'Download' }).count()).toBe(0)
    expect((await page.reload())?.status()).toBe(410)
    await expect.poll(() => page.locator('h1').textContent()).toBe('This share has expired')
    await expect.poll(() => page.locator('main').textContent()).toMatch(/Title\s*Soon gone/)
    await expect.poll(() => page.locator('main').textContent()).toMatch(/Expired\s*\d+ seconds? ago/)
  })

  it('has the whole page even if the scripts fail to load', async () => {
    profile = await browser.profile()
    const page = await profile.newPage()
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.goto(shared.share_url)
    expect(await page.locator('pre span').count()).toBe(200)
    await expect.poll(() => page.getByRole('link', { name: 'Download' }).count()).toBe(1)
  })
})
