import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { testPort } from '#libs/testing/test-port.js'
import { accessibilityProblems, overflowOf } from './harness/accessibility.js'
import { type ApiClient, apiClient } from './harness/api-client.js'
import { describeWithBrowser, type Profile, startBrowser, type TestBrowser } from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { csvOf, type MadeShare, makeShare } from './harness/make-share.js'
import { startSystem, type TestSystem } from './harness/system.js'
import { inEachView, viewShown } from './harness/viewer.js'

let system: TestSystem
let browser: TestBrowser
let lea: ApiClient
let table: MadeShare
let tree: MadeShare
let sql: MadeShare
let expired: MadeShare
let profile: Profile
let shareHost: string

/** With share pages on a separate host, and reports enabled. */
async function startApart(): Promise<TestSystem> {
  const gatewayPort = await testPort()
  shareHost = `http://localhost:${gatewayPort}`
  const ABUSE_URL = 'mailto:abuse@snip.example'
  return startSystem({
    gatewayPort,
    env: { SHARE_BASE_URL: shareHost },
    processEnv: (name): Readonly<Record<string, string>> => (name === 'web' ? { ABUSE_URL } : {}),
  })
}

describeWithBrowser('the pages of shares', () => {
  beforeAll(async () => {
    ;[system, browser] = await Promise.all([startApart(), startBrowser()])
    lea = await system.user('lea')
    table = await makeShare(lea, { title: 'Prices', data: { csv: csvOf(300) } })
    tree = await makeShare(lea, { title: 'Order', data: { items: [{ id: 1, price: 1.5 }], note: 'x' } })
    sql = await makeShare(lea, { title: 'Report', data: { sql: 'SELECT 1;\n'.repeat(300) } })
    expired = await makeShare(lea, { title: 'Gone' })
    await system.expireShares([expired.id], -1)
  })
  afterAll(async () => {
    await browser?.close()
    await system?.stop()
  })
  afterEach(() => profile?.close())

  const states: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
    'the landing page': async (page) => {
      await page.goto(system.baseUrl())
      await viewShown(page)
      await page.getByRole('heading', { name: 'Free' }).waitFor()
    },
    'the menu': async (page) => {
      await page.goto(table.share_url)
      await viewShown(page)
      await page.getByRole('button', { name: /^(More ways to copy|More actions)$/ }).click()
      await page.getByRole('menu').waitFor()
    },
    'the QR code': async (page) => {
      await page.goto(table.share_url)
      await viewShown(page)
      await page.getByRole('button', { name: /^(Share|More actions)$/ }).click()
      await page.getByRole('menuitem', { name: 'QR code' }).click()
      await page.getByRole('dialog').waitFor()
    },
    'an embedded share': (page) => page.goto(`${table.share_url}/embed?theme=dark`),
    'an expired share': (page) => page.goto(expired.share_url),
    'an unknown share': (page) => page.goto(`${shareHost}/s/AAAAAAAAAAAAAAAAAAAAAA`),
  }

  it.each([320, 1600])('conform to WCAG 2.2 A and AA, %i px wide', async (width) => {
    const origins = [shareHost, system.baseUrl()]
    profile = await browser.profile({ origins, viewport: { width, height: 800 } })
    const page = await profile.newPage()
    for (const [name, show] of Object.entries(states)) {
      await show(page)
      expect(await accessibilityProblems(page), name).toEqual([])
      expect(await overflowOf(page), name).toBe(0)
    }
    for (const { share_url } of [table, tree, sql]) {
      await page.goto(share_url)
      await inEachView(page, async (name) => {
        expect(await accessibilityProblems(page), name).toEqual([])
        expect(await overflowOf(page), name).toBe(0)
      })
    }
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('work by keyboard only', async () => {
    profile = await browser.profile({ permissions: ['clipboard-read', 'clipboard-write'] })
    const page = await profile.newPage()
    await page.goto(table.share_url)
    await viewShown(page)
    const focused = (): Promise<string> =>
      page.evaluate<string>(
        '(({ ariaLabel, firstChild, textContent }) => ariaLabel ?? (firstChild?.nodeType === 3 ? firstChild.data : textContent).trim())(document.activeElement)',
      )
    const press = async (...keys: readonly string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key)
    }
    const tabTo = async (label: string): Promise<void> => {
      for (let steps = 0; (await focused()) !== label; steps += 1) {
        expect(steps, `${label} is not reached, ${await focused()} is`).toBeLessThan(15)
        await press('Tab')
      }
    }
    await tabTo('Copy')
    await press('ArrowRight')
    expect(await focused()).toBe('More ways to copy')
    await press('ArrowDown', 'ArrowDown')
    await expect.poll(focused).toBe('curl')
    await press('End')
    expect(await focused()).toBe('GitHub Actions step')
    await press('ArrowDown')
    expect(await focused()).toBe('As sent')
    await press('ArrowUp', 'Home', 'Escape')
    expect(await focused()).toBe('More ways to copy')
    expect(await page.getByRole('menu').count()).toBe(0)
    await press('Enter', 'ArrowDown', 'Enter')
    await page.getByText('curl: copied.').waitFor()
    expect(await focused()).toBe('More ways to copy')
    await press('ArrowRight')
    expect(await focused()).toBe('Download')
    await press('ArrowRight')
    expect(await focused()).toBe('More downloads')
    await press('ArrowRight')
    expect(await focused()).toBe('Share')
    await press('Enter', 'Enter')
    await page.getByText('Link: copied.').waitFor()
    expect(await focused()).toBe('Share')
    await press('ArrowUp', 'ArrowUp')
    expect(await focused()).toBe('QR code')
    await press('Enter')
    await page.getByRole('dialog').waitFor()
    await press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await focused()).toBe('Share')
    await press('Enter', 'Tab')
    expect(await page.getByRole('menu').count()).toBe(0)

    // To the table: from its first cell up to the header, where Enter sorts, ascending and then descending.
    const grid = "document.activeElement?.getAttribute('role')"
    for (let steps = 0; (await page.evaluate<string | null>(grid)) !== 'grid'; steps += 1) {
      expect(steps, 'the table is not reached').toBeLessThan(15)
      await press('Tab')
    }
    await press('ArrowDown', 'ArrowUp', 'ArrowUp', 'Enter')
    await page.locator('[role=columnheader][aria-sort=ascending]').waitFor()
    await press('Enter')
    await page.locator('[role=columnheader][aria-sort=descending]').waitFor()
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('have their own origin, without anything of the dashboard', async () => {
    profile = await browser.profile({ origins: [shareHost, system.baseUrl()] })
    const page = await profile.newPage()
    await page.goto(`${system.baseUrl()}/s/${tree.id}?from=old#/items`)
    await viewShown(page)
    expect(page.url()).toMatch(`${shareHost}/s/${tree.id}?from=old#`)
    expect(tree.share_url).toBe(`${shareHost}/s/${tree.id}`)
    const { length } = await page.evaluate<string>(
      `fetch('/api/shares/${tree.id}/raw').then((r) => r.text())`,
    )
    expect(length).toBeGreaterThan(0)
    for (const path of ['/', '/dashboard', '/config.json', '/api/plans', '/api/shares', '/readyz'])
      expect((await fetch(`${shareHost}${path}`)).status, path).toBe(404)
    const snippet = { tool: 'sql', title: 'Mine', data: { sql: 'SELECT 1' } }
    const { id } = (await lea.post('/api/snippets', snippet)).json<{ id: string }>()
    const there = apiClient(shareHost, { Authorization: `Bearer ${await system.issuer.token('lea')}` })
    for (const client of [lea, lea, there, there])
      expect((await client.get(`/api/snippets/${id}`)).status).toBe(client === lea ? 200 : 404)
    expect((await there.delete(`/api/shares/${tree.id}`)).status).toBe(404)
    const report = await page.getByRole('link', { name: 'Report', exact: true }).getAttribute('href')
    expect(report).toContain(`mailto:abuse@snip.example?subject=`)
    expect(report).toContain(encodeURIComponent(tree.share_url))
    await page.getByRole('link', { name: 'Snipkeep' }).click()
    await page.waitForURL(`${system.baseUrl()}/`)
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('can only be framed if they are made for it', async () => {
    const embed = `${table.share_url}/embed`
    const frames = [
      `${embed}?theme=dark`,
      table.share_url,
      `${system.baseUrl()}/dashboard`,
      `${embed}?view=text`,
    ]
    const blog = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html')
      const sandbox = 'allow-scripts allow-same-origin allow-popups'
      response.end(frames.map((src) => `<iframe sandbox="${sandbox}" src="${src}"></iframe>`).join(''))
    })
    await once(blog.listen(0, '127.0.0.1'), 'listening')
    try {
      const address = `http://127.0.0.1:${(blog.address() as AddressInfo).port}`
      profile = await browser.profile({ origins: [address, shareHost, system.baseUrl()] })
      const page = await profile.newPage()
      await page.goto(address)
      const embedded = page.frameLocator('iframe').nth(0)
      await embedded.getByRole('grid').waitFor()
      const scheme = 'getComputedStyle(document.documentElement).colorScheme'
      expect(await page.frames()[1]?.evaluate<string>(scheme)).toBe('dark')
      await expect
        .poll(() => embedded.getByRole('link', { name: 'Prices' }).getAttribute('href'))
        .toBe(table.share_url)
      await page.frameLocator('iframe').nth(3).getByRole('tab', { name: 'Text', selected: true }).waitFor()
      for (const refused of [1, 2]) expect(page.frames()[refused + 1]?.url()).toMatch(/^chrome-error:/)
    } finally {
      blog.close()
    }
  })

  const headers = {
    'content-security-policy': expect.stringMatching(
      /^default-src 'none'.*frame-ancestors 'none'.*require-trusted-types-for 'script'; trusted-types /,
    ),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'same-origin',
    'strict-transport-security': expect.stringContaining('max-age=31536000'),
    'x-content-type-options': 'nosniff',
    'content-type': 'text/html; charset=utf-8',
  }

  it('have the same strict headers whatever their status, and only the front page is indexed', async () => {
    const [anyone, stranger] = [system.anyone(), apiClient(shareHost)]
    const check = async (path: string, status: number): Promise<void> => {
      const response = await (path.startsWith('/s/') ? stranger : anyone).get(path)
      expect(response.status, path).toBe(status)
      expect(Object.fromEntries(response.headers), path).toMatchObject(headers)
      expect(response.headers.get('content-security-policy'), path).not.toMatch(/unsafe|\*/)
      const isIndexed = path === '/'
      expect(response.headers.get('x-robots-tag'), path).toBe(isIndexed ? null : 'noindex')
      expect(response.text.includes('<meta name="robots" content="noindex">'), path).toBe(!isIndexed)
      expect(response.text, path).toContain('<meta property="og:title"')
    }
    await check('/', 200)
    await check('/nothing', 404)
    await check(`/s/${table.id}`, 200)
    await check(`/s/${expired.id}`, 410)
    await check('/s/AAAAAAAAAAAAAAAAAAAAAA', 404)
    await check('/dashboard', 200)
    const [content] = system.contents
    await content?.kill()
    // Not before the cached page of a moment ago has expired.
    await expect.poll(async () => (await stranger.get(`/s/${table.id}`)).status).toBe(503)
    await check(`/s/${table.id}`, 503)
    profile = await browser.profile({ colorScheme: 'dark' })
    const page = await profile.newPage()
    await page.goto(table.share_url)
    expect(await accessibilityProblems(page)).toEqual([])
    await content?.restart()
    await expect.poll(async () => (await stranger.get(`/s/${table.id}`)).status).toBe(200)
    await page.getByRole('link', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Prices' }).waitFor()
  })
})
