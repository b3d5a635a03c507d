import pg from 'pg'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { accessibilityProblems, overflowOf } from './harness/accessibility.js'
import type { ApiClient } from './harness/api-client.js'
import { describeWithBrowser, type Profile, startBrowser, type TestBrowser } from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { inParallel } from './harness/in-parallel.js'
import { iterations } from './harness/iterations.js'
import { csvOf, type MadeShare, makeShare } from './harness/make-share.js'
import { startSystem, type TestSystem } from './harness/system.js'
import { viewShown } from './harness/viewer.js'

const password = 'open sesame'
let system: TestSystem
let owner: ApiClient

beforeAll(async () => {
  system = await startSystem({ gateways: 3, contents: 2 })
  owner = await system.user('gina', 'pro')
})
afterAll(() => system?.stop())

async function viewsOf({ id }: MadeShare): Promise<number | undefined> {
  return (await owner.get(`/api/shares/${id}`)).json<{ views?: number }>().views
}

describe('over three gateways and two processes of content', () => {
  it('200 concurrent reveals of a share with five views give five grants, in each of at least 10 rounds', async () => {
    const db = new pg.Client({ connectionString: system.databaseUrl })
    await db.connect()
    try {
      for (let round = 0; round < iterations(10, 100); round += 1) {
        const share = await makeShare(owner, { max_views: 5 })
        const reveals = await Promise.all(
          Array.from({ length: 200 }, (_none, n) =>
            system.anyone(n % 3).post(`/api/shares/${share.id}/reveal`, {}),
          ),
        )
        const statuses = reveals.map(({ status }) => status)
        expect(statuses.filter((status) => status === 200)).toHaveLength(5)
        // On a busy machine, one may be told to try again.
        expect(statuses.filter((status) => ![200, 410, 503, 504].includes(status))).toEqual([])
        expect(statuses).toContain(410)
        const counted = 'SELECT count(*)::int AS grants FROM content.share_grant WHERE share_id = $1'
        expect((await db.query(counted, [share.id])).rows).toEqual([{ grants: 5 }])
        expect(await viewsOf(share)).toBe(5)
      }
    } finally {
      await db.end()
    }
  })

  it('of 100 guesses of a password, 8 at a time, 20 are told that they are wrong', async () => {
    const share = await makeShare(owner, { password })
    const path = `/api/shares/${share.id}/reveal`
    // So few that none waits in vain: a process checks two at a time.
    const told: Record<string, number> = {}
    await inParallel(100, 8, async (n) => {
      const response = await system.anyone(n % 3).post(path, { password: `guess number ${n}` })
      const { code } = response.json<{ code: string }>()
      told[code] = (told[code] ?? 0) + 1
    })
    expect(told).toEqual({ share_password_invalid: 20, rate_limited: 80 })
  })
})

describe('a kill -9 during reveals', () => {
  it.each([
    ['content', () => system.contents[0]],
    ['a gateway', () => system.gateways[2]],
  ] as const)('of %s gives no view too many, and loses only responses', async (_name, pick) => {
    const viewsMax = 300
    const share = await makeShare(owner, { max_views: viewsMax })
    const grants = new Set<string>()
    let lost = 0
    let isUsedUp = false
    const reveal = async (n: number): Promise<void> => {
      while (!isUsedUp) {
        const path = `/api/shares/${share.id}/reveal`
        const response = await system
          .anyone(n % 3)
          .post(path, {})
          .catch(() => null)
        if (response?.status === 200) grants.add(response.json<{ grant: string }>().grant)
        else if (response?.status === 410) isUsedUp = true
        else lost += 1
      }
    }
    const readers = Promise.all(Array.from({ length: 6 }, (_none, n) => reveal(n)))
    await expect.poll(() => grants.size, { timeout: 30_000, interval: 5 }).toBeGreaterThan(20)
    const victim = pick()
    if (victim === undefined) throw new Error('there is nothing to kill')
    await victim.kill()
    await readers
    await victim.restart()
    expect(await viewsOf(share)).toBe(viewsMax)
    expect(grants.size).toBeLessThanOrEqual(viewsMax)
    expect(viewsMax - grants.size).toBeLessThanOrEqual(lost)
    for (const grant of [...grants].slice(0, 20)) {
      const read = () => system.anyone().get(`/api/shares/${share.id}/raw`, { 'Snipkeep-Grant': grant })
      await expect.poll(async () => (await read()).status, { timeout: 10_000, interval: 100 }).toBe(200)
    }
  })
})

describeWithBrowser('the page of a gated share in Chromium', () => {
  let browser: TestBrowser
  let profile: Profile
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())
  afterEach(() => profile?.close())

  async function openPage(options: Parameters<TestBrowser['profile']>[0] = {}): Promise<Page> {
    profile = await browser.profile(options)
    return profile.newPage()
  }

  it('opens without scripts, and a reload or another tab counts nothing', async () => {
    const share = await makeShare(owner, {
      title: 'Quarter',
      data: { csv: csvOf(9) },
      password,
      max_views: 2,
    })
    const page = await openPage({ javaScriptEnabled: false })
    await page.goto(share.share_url)
    expect(await page.title()).not.toContain('Quarter')
    await page.getByLabel('Password').fill('not the password')
    await page.getByRole('button', { name: 'Show it (2 views left)' }).click()
    await page.getByRole('alert').getByText('This password is wrong').waitFor()
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: /^Show it/ }).click()
    await page.getByRole('heading', { name: 'Quarter' }).waitFor()
    await page.getByText('Item 7').first().waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Quarter' }).waitFor()
    expect(page.url()).toBe(share.share_url)
    expect(await viewsOf(share)).toBe(1)
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('opens with scripts in the viewer, which reads a large share with the same grant', async () => {
    const share = await makeShare(owner, { title: 'Large', data: { csv: csvOf(20_000) }, burn: true })
    const page = await openPage()
    await page.goto(share.share_url)
    await page.getByRole('button', { name: 'Show it (1 view left)' }).press('Enter')
    await viewShown(page)
    await page.getByText('Item 3', { exact: true }).first().waitFor()
    await page.getByText('It cannot be opened again after that').waitFor()
    await page.getByRole('button', { name: 'More ways to copy' }).click()
    await expect.poll(() => page.getByRole('menuitem').allTextContents()).toEqual(['As sent'])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await expect.poll(() => page.getByRole('menuitem').allTextContents()).toEqual(['Copy link', 'QR code'])
    await page.keyboard.press('Escape')
    await page.reload()
    await viewShown(page)
    expect(await viewsOf(share)).toBe(1)
    const stranger = await browser.profile()
    const other = await stranger.newPage()
    expect((await other.goto(share.share_url))?.status()).toBe(410)
    await stranger.close()
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('opens with its last view when its form is sent again before the first response', async () => {
    const page = await openPage({ javaScriptEnabled: false })
    for (let round = 0; round < 5; round += 1) {
      const share = await makeShare(owner, { title: 'Once', password, burn: true })
      await page.goto(share.share_url)
      await page.getByLabel('Password').fill(password)
      const button = await page.getByRole('button', { name: 'Show it (1 view left)' }).boundingBox()
      // By the mouse: clicks of a locator wait for the navigation.
      const click = () => page.mouse.click((button?.x ?? 0) + 5, (button?.y ?? 0) + 5)
      const sent = page.waitForRequest((request) => request.method() === 'POST')
      const first = click()
      await sent
      // The browser drops the first response with its cookie, while the password is still checked and the view counted.
      await Promise.all([first, click()])
      await page.getByRole('heading', { name: 'Once' }).waitFor()
      expect(await viewsOf(share)).toBe(1)
    }
  })

  it('is not opened by a scanner that runs scripts and follows links, but does not click', async () => {
    const share = await makeShare(owner, { title: 'Unseen', burn: true })
    const page = await openPage()
    await page.goto(share.share_url, { waitUntil: 'networkidle' })
    await page.mouse.move(200, 300)
    await page.mouse.wheel(0, 2_000)
    const links = (await page.content()).matchAll(/<a [^>]*href="([^"]+)"/g)
    for (const [, link = ''] of links)
      await page.goto(new URL(link, share.share_url).href, { waitUntil: 'networkidle' })
    await page.goto(share.share_url, { waitUntil: 'networkidle' })
    expect(await page.content()).not.toContain('Unseen')
    expect(await viewsOf(share)).toBe(0)
  })

  it('cannot be framed by another page', async () => {
    const share = await makeShare(owner, { burn: true })
    const page = await openPage()
    await page.setContent(`<iframe src="${share.share_url}"></iframe>`, { waitUntil: 'networkidle' })
    const shown = page.frames().map((frame) => frame.url())
    expect(shown).not.toContain(share.share_url)
  })

  it.each([320, 1600])('conforms to WCAG 2.2 A and AA, %i px wide', async (width) => {
    const guarded = await makeShare(owner, { password, max_views: 3 })
    const used = await makeShare(owner, { burn: true })
    await system.anyone().post(`/api/shares/${used.id}/reveal`, {})
    const page = await openPage({ viewport: { width, height: 800 } })
    const check = async (name: string): Promise<void> => {
      expect(await accessibilityProblems(page), name).toEqual([])
      expect(await overflowOf(page), name).toBe(0)
    }
    await page.goto(used.share_url)
    await check('used up')
    await page.goto(`${guarded.share_url}/compare`)
    await check('compared')
    await page.goto(guarded.share_url)
    await check('the gate')
    await page.getByLabel('Password').fill('not the password')
    await page.getByRole('button', { name: /^Show it/ }).click()
    await page.getByRole('alert').waitFor()
    await check('a wrong password')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: /^Show it/ }).click()
    await viewShown(page)
    await check('opened')
  })
})
