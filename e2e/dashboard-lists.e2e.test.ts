import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible } from './harness/accessibility.js'
import type { ApiClient } from './harness/api-client.js'
import { describeWithBrowser, type ProfileOptions } from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { type DashboardSystem, makePro, startDashboard } from './harness/dashboard.js'
import { inBrowser } from './harness/in-browser.js'
import { makeShare } from './harness/make-share.js'

interface Listed {
  readonly snippets: readonly { readonly title: string; readonly tags: readonly string[] }[]
}

describeWithBrowser('someone with many snippets at the dashboard', () => {
  const { system: dashboard, newPage, browserErrors } = inBrowser<DashboardSystem>(() => startDashboard())

  /** Signs in someone with Pro and so many snippets, numbered from 1, and opens the list. */
  async function open(
    name: string,
    count: number,
    options: ProfileOptions = {},
  ): Promise<{ readonly page: Page; readonly user: ApiClient }> {
    const page = await newPage({ ...dashboard().profile, reducedMotion: 'reduce', ...options })
    const user = await dashboard().signIn(page, name)
    await makePro(dashboard(), user)
    for (let n = 1; n <= count; n += 1) {
      const fields = { tool: n % 2 === 0 ? 'csv' : 'json', title: `Snippet ${n}`, tags: ['kept'] }
      expect((await user.post('/api/snippets', { ...fields, data: { n } })).status).toBe(201)
    }
    await page.goto(`${dashboard().system.baseUrl()}/dashboard/snippets`)
    await page.getByRole('link', { name: `Snippet ${count}`, exact: true }).waitFor()
    return { page, user }
  }

  const check = (page: Page, n: number) =>
    page.getByRole('checkbox', { name: `Select Snippet ${n}`, exact: true })
  const bar = (page: Page) => page.getByRole('region', { name: 'Selection' })

  async function titles(user: ApiClient, query = ''): Promise<readonly string[]> {
    const { snippets } = (await user.get(`/api/snippets?limit=100${query}`)).json<Listed>()
    return snippets.map(({ title }) => title)
  }

  it('sees how many there are, loads all 400 by scrolling, and selects a range across what was loaded', async () => {
    const { page } = await open('archivist', 400)
    await page.locator('.count').getByText('400', { exact: true }).waitFor()
    await page.getByText('100 of 400').waitFor()
    const rows = page.locator('.rows > .row')
    expect(await rows.count()).toBe(100)
    // As high as each other, but for the line between them.
    for (const row of (await rows.all()).slice(0, 5))
      expect([48, 49]).toContain(Math.round((await row.boundingBox())?.height ?? 0))
    await expect
      .poll(async () => {
        await page.keyboard.press('End')
        return rows.count()
      })
      .toBe(400)
    expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0)
    // What React made of each row; a row that is rendered again has something new.
    const drawn = `[...document.querySelectorAll('.rows > .row')].map(
      (row) => row[Object.keys(row).find((key) => key.startsWith('__reactProps$'))])`
    await page.evaluate(`globalThis.drawnBefore = ${drawn}`)
    await check(page, 3).check()
    await bar(page).getByText('1 selected').waitFor()
    const again = `${drawn}.filter((props, row) => props !== globalThis.drawnBefore[row]).length`
    expect(await page.evaluate<number>(again)).toBe(1)
    await check(page, 200).click({ modifiers: ['Shift'] })
    await bar(page).getByText('198 selected').waitFor()
    await bar(page).getByRole('button', { name: 'Clear the selection' }).click()
    await bar(page).waitFor({ state: 'detached' })
    await page.locator('h1:focus').waitFor()
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('deletes a selection and takes all of it back, then deletes it for good', async () => {
    const { page, user } = await open('tidy', 6)
    await page.getByRole('link', { name: 'Snippet 5' }).focus()
    await page.keyboard.press('x')
    await page.getByRole('link', { name: 'Snippet 3' }).focus()
    await page.keyboard.press('X')
    await bar(page).getByText('3 selected').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('#')
    const toasts = page.locator('.toasts')
    await toasts.getByText('Deleted 3 snippets').waitFor()
    await page.getByRole('link', { name: 'Snippet 4' }).waitFor({ state: 'detached' })
    await toasts.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'Snippet 4' }).waitFor()
    expect(await titles(user)).toHaveLength(6)
    await bar(page).getByText('3 selected').waitFor()
    await bar(page).getByRole('button', { name: 'Delete' }).click()
    await toasts.getByText('Deleted 3 snippets').waitFor()
    await toasts.getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => titles(user)).toEqual(['Snippet 6', 'Snippet 2', 'Snippet 1'])
    await page.locator('.count').getByText('3', { exact: true }).waitFor()
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('loses nothing when some deletions fail or come too fast: reads which and why, and tries again', async () => {
    const { page, user } = await open('unlucky', 4)
    const failing = new Set<string>()
    let limited = 1
    await page.route('**/api/snippets/*', async (route) => {
      const request = route.request()
      if (request.method() !== 'DELETE') return route.fallback()
      if (limited > 0) {
        limited -= 1
        const json = { code: 'rate_limited', detail: 'Too many.' }
        return route.fulfill({ status: 429, headers: { 'Retry-After': '1' }, json })
      }
      const id = new URL(request.url()).pathname.split('/').at(-1) ?? ''
      if (failing.size === 0 || failing.has(id)) {
        failing.add(id)
        return route.fulfill({ status: 403, json: { code: 'not_owner', detail: 'It is locked.' } })
      }
      return route.fallback()
    })
    await check(page, 1).check()
    await check(page, 4).click({ modifiers: ['Shift'] })
    await bar(page).getByRole('button', { name: 'Delete' }).click()
    const toasts = page.locator('.toasts')
    await toasts.getByRole('button', { name: 'Close' }).click()
    await toasts.getByText(/^Not deleted: “Snippet \d”\. It is locked\.$/).waitFor()
    await expect.poll(() => page.locator('.rows > .row').count()).toBe(1)
    expect(await titles(user)).toHaveLength(1)
    await page.unroute('**/api/snippets/*')
    await toasts.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => titles(user)).toEqual([])
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('tags, downloads and shares a selection, and publishes no secret', async () => {
    const { page, user } = await open('busy', 3)
    const token = `ghp_${'zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17'}`
    await user.post('/api/snippets', { tool: 'json', title: 'Private', data: { token } })
    await page.reload()
    await page.getByRole('checkbox', { name: 'Select Private' }).check()
    await check(page, 2).click({ modifiers: ['Shift'] })
    await page.keyboard.press('t')
    const tagging = page.getByRole('dialog', { name: 'Tag 3 snippets' })
    await tagging.getByLabel('Tags').fill('spring, sales')
    await expectAccessible(page)
    await tagging.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Tagged 3 snippets').waitFor()
    expect(await titles(user, '&tag=spring&tag=sales')).toEqual(['Private', 'Snippet 3', 'Snippet 2'])
    expect(await titles(user, '&tag=spring&tag=kept')).toEqual(['Snippet 3', 'Snippet 2'])

    const files: string[] = []
    page.on('download', (download) => files.push(download.suggestedFilename()))
    await bar(page).getByRole('button', { name: 'Download' }).click()
    await expect.poll(() => files.toSorted()).toEqual(['Private.txt', 'Snippet 2.json', 'Snippet 3.json'])

    await page.locator('h1').focus()
    await page.keyboard.press('s')
    const sharing = page.getByRole('dialog', { name: 'Share 3 snippets' })
    await sharing.getByRole('button', { name: 'Create links' }).click()
    await sharing.getByText('1 of 3 failed').waitFor()
    await sharing
      .getByRole('alert')
      .getByText(/“Private”: .*secret/)
      .waitFor()
    await expectAccessible(page)
    expect(await sharing.locator('.links a').count()).toBe(2)
    const link = (await sharing.locator('.links a').first().getAttribute('href')) ?? ''
    expect((await fetch(link)).status).toBe(200)
    const { shares } = (await user.get('/api/shares')).json<{ shares: readonly { title: string }[] }>()
    expect(shares.map(({ title }) => title).toSorted()).toEqual(['Snippet 2', 'Snippet 3'])
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('finds by title, tool and tag, and gets to the search by its key', async () => {
    const { page, user } = await open('seeker', 4)
    await user.post('/api/snippets', { tool: 'sql', title: 'Orders', tags: ['rare'], data: { sql: 'x' } })
    await page.reload()
    await page.getByRole('link', { name: 'Orders' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('orders')
    await page.getByRole('link', { name: 'Snippet 4' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Snippet 4' }).waitFor()
    await page.getByRole('button', { name: /Any tag/ }).click()
    await page.getByRole('option', { name: 'rare' }).click()
    await page.getByRole('link', { name: 'Snippet 4' }).waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.getAll('tag')).toEqual(['rare'])
    await page.getByRole('button', { name: 'Remove rare' }).click()
    await page.getByRole('button', { name: /All tools/ }).click()
    await page.getByRole('option', { name: 'csv' }).click()
    await page.getByRole('link', { name: 'Snippet 3' }).waitFor({ state: 'detached' })
    expect(await page.locator('.rows > .row').count()).toBe(2)
    await expectAccessible(page)
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('saves what is pasted on the page under a name, and sees it, with one click to share it', async () => {
    const { page, user } = await open('paster', 1, { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.evaluate("navigator.clipboard.writeText('a,b\\n1,2\\n')")
    await page.keyboard.press('Control+V')
    const form = page.getByRole('dialog', { name: 'New snippet' })
    await expect.poll(() => form.getByLabel(/^Paste here/).inputValue()).toBe('a,b\n1,2\n')
    await form.getByLabel('Title').fill('Pasted prices')
    await form.getByLabel('Name').fill('prices')
    await expectAccessible(page)
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Pasted prices' }).waitFor()
    expect((await user.get('/api/snippets/@prices/raw')).json()).toEqual({ csv: 'a,b\n1,2\n' })
    await page.getByRole('button', { name: 'Copy @prices' }).click()
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('@prices')
    await page.getByRole('main').getByRole('button', { name: 'Copy', exact: true }).click()
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toContain('{"csv":')
    await page.locator('.toasts').getByRole('button', { name: 'Share' }).click()
    await page.getByRole('dialog', { name: 'Share “Pasted prices”' }).waitFor()
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('compares any two versions', async () => {
    const { page, user } = await open('historian', 1)
    for (const n of [1, 2, 3])
      await user.request('PUT', '/api/snippets/@log', {
        body: { tool: 'csv', title: 'Log', data: { csv: `a,b\n${n},2\n` } },
      })
    const { id } = (await user.get('/api/snippets/@log')).json<{ readonly id: string }>()
    await page.goto(`${dashboard().system.baseUrl()}/dashboard/snippets/${id}`)
    await page.getByRole('radio', { name: 'Version 2 as A' }).waitFor()
    expect(await page.getByRole('radio', { name: 'Version 2 as A' }).isChecked()).toBe(true)
    expect(await page.getByRole('radio', { name: 'Version 3 as B' }).isChecked()).toBe(true)
    await page.getByRole('radio', { name: 'Version 1 as A' }).check()
    await page.getByRole('radio', { name: 'Version 2 as B' }).check()
    await expectAccessible(page)
    await page.setViewportSize({ width: 1280, height: 800 })
    const versions = await page.getByRole('list', { name: 'Versions' }).boundingBox()
    const data = await page.locator('.snippet-data').boundingBox()
    expect(versions?.x ?? 0).toBeGreaterThan((data?.x ?? 0) + (data?.width ?? 0))
    await page.getByRole('link', { name: 'Compare A with B' }).click()
    await page.getByText('Before: Log, version 1').waitFor()
    await page.getByText('After: Log, version 2').waitFor()
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('deletes several shares after one question', async () => {
    const { page, user } = await open('sharer', 1)
    for (const title of ['One', 'Two', 'Three']) await makeShare(user, { title })
    await page.goto(`${dashboard().system.baseUrl()}/dashboard/shares`)
    await page.getByRole('checkbox', { name: 'Select One' }).check()
    await page.getByRole('checkbox', { name: 'Select Two' }).check()
    await expectAccessible(page)
    await bar(page).getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete 2 shares?' })
    await dialog.getByText(/“Two”, “One”/).waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('2 shares deleted').waitFor()
    await page.locator('h1:focus').waitFor()
    const { shares } = (await user.get('/api/shares')).json<{ shares: readonly { title: string }[] }>()
    expect(shares.map(({ title }) => title)).toEqual(['Three'])
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('cancels a running deletion of shares, which deletes no other', async () => {
    const { page, user } = await open('hesitant', 1)
    const made = Array.from({ length: 8 }, (_, n) => `Share ${n + 1}`)
    for (const title of made) await makeShare(user, { title })
    const held: (() => Promise<void>)[] = []
    await page.route('**/api/shares/*', async (route) => {
      if (route.request().method() === 'DELETE') held.push(() => route.fallback())
      else await route.fallback()
    })
    await page.goto(`${dashboard().system.baseUrl()}/dashboard/shares`)
    await page.getByRole('checkbox', { name: 'Select Share 1' }).check()
    await page.getByRole('checkbox', { name: 'Select Share 8' }).click({ modifiers: ['Shift'] })
    await bar(page).getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete 8 shares?' })
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => held.length).toBe(4)
    expect(await dialog.getByRole('button', { name: 'Close' }).count()).toBe(0)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    for (const release of held) await release()
    await page.getByText('4 shares deleted').waitFor()
    await dialog.waitFor({ state: 'detached' })
    const { shares } = (await user.get('/api/shares')).json<{ shares: readonly unknown[] }>()
    expect(shares).toHaveLength(4)
    await expect.poll(() => page.locator('.rows > .row').count()).toBe(4)
    expect(held).toHaveLength(4)
    expect(browserErrors()).toEqual(noBrowserErrors)
  })
})
