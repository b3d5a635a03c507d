import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { accessibilityProblems, overflowOf } from './harness/accessibility.js'
import type { ApiClient } from './harness/api-client.js'
import { describeWithBrowser, type Profile, startBrowser, type TestBrowser } from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { type DashboardSystem, makePro, startDashboard } from './harness/dashboard.js'
import { keyboardOf } from './harness/keyboard.js'
import { csvOf, type MadeShare, makeShare } from './harness/make-share.js'
import { ordersOf } from './harness/orders.js'
import { inEachView, viewShown } from './harness/viewer.js'

describeWithBrowser('someone who compares', () => {
  let dashboard: DashboardSystem
  let browser: TestBrowser
  let lea: ApiClient
  let before: MadeShare
  let after: MadeShare
  let profile: Profile

  beforeAll(async () => {
    ;[dashboard, browser] = await Promise.all([startDashboard(), startBrowser()])
    profile = await browser.profile(dashboard.profile)
    lea = await dashboard.signIn(await profile.newPage(), 'lea', '/dashboard')
    await profile.close()
    await makePro(dashboard, lea)
    const orders = ordersOf(300)
    before = await makeShare(lea, { title: 'Monday', data: { orders, total: 1 } })
    const changed = orders.with(42, { id: 42, price: 99, note: 'Order 42' }).toSpliced(7, 1)
    after = await makeShare(lea, {
      title: 'Tuesday',
      data: { orders: [...changed, { id: 999, price: 1, note: 'New' }], total: 2 },
    })
  })
  afterAll(async () => {
    await browser?.close()
    await dashboard?.stop()
  })
  afterEach(() => profile?.close())

  async function open(path: string, options: object = {}): Promise<Page> {
    profile = await browser.profile(options)
    const page = await profile.newPage()
    await page.goto(new URL(path, before.share_url).href)
    return page
  }
  const place = (page: Page) => page.locator('.comparison-place')
  const pathOf = (a: MadeShare, b: MadeShare): string => `/s/${a.id}/compare/${b.id}`

  it('goes from the page of a share to how another one differs from it, without an account', async () => {
    const page = await open(before.share_url)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Compare with…' }).click()
    await page.getByLabel('Link of another share').fill('nothing')
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByText('This is not the link of a share.').waitFor()
    await page.getByLabel('Link of another share').fill(after.share_url)
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByText('2 changed, 1 added, 1 removed').waitFor()
    expect(new URL(page.url()).pathname).toBe(pathOf(before, after))
    await expect
      .poll(() => page.getByRole('link', { name: 'Monday' }).getAttribute('href'))
      .toBe(`/s/${before.id}`)
    const row = page.getByRole('row').filter({ hasText: 'Order 42' })
    expect([await row.locator('del').innerText(), await row.locator('ins').innerText()]).toEqual(['63', '99'])
    // Of 300 rows those alone that differ.
    await expect.poll(() => page.locator('.table-row').count()).toBe(3)
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('goes from change to change by keyboard, in the table and in the tree, and hears which one it is', async () => {
    const page = await open(pathOf(before, after))
    await viewShown(page)
    const { press, tabTo } = keyboardOf(page)
    await page.locator('.comparison :focus').waitFor()
    await press('n')
    await place(page).getByText('Change 1 of 3').waitFor()
    await press('j')
    await place(page).getByText('Change 2 of 3').waitFor()
    await press('p')
    await place(page).getByText('Change 1 of 3').waitFor()
    await press('k')
    await place(page).getByText('Change 3 of 3').waitFor()
    await tabTo('Table', 60)
    await press('ArrowRight', 'Enter')
    await page.getByRole('tree').waitFor()
    await press('n')
    await place(page).getByText('Change 1 of 4').waitFor()
    await page.getByRole('treeitem').filter({ hasText: '99' }).first().waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Next change' }).first().click()
    await place(page).getByText('Change 2 of 4').waitFor()
    // What is typed into a field is text.
    await page.getByRole('searchbox', { name: 'Search in the data' }).fill('n')
    await press('n')
    await expect.poll(() => place(page).innerText()).toBe('Change 2 of 4')
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('finds no fault by WCAG 2.2 A and AA in any view', async () => {
    const texts = [0, 1].map((n) => `First line\nSecond ${n} line\n${'Same\n'.repeat(40)}`)
    const [a, b] = await Promise.all(texts.map((text) => makeShare(lea, { tool: 'text', data: { text } })))
    const page = await open(`/s/${before.id}/compare`, {
      viewport: { width: 320, height: 800 },
    })
    await page.getByLabel('Link of another share').waitFor()
    expect(await accessibilityProblems(page), 'choosing').toEqual([])
    for (const path of [pathOf(before, after), pathOf(a ?? before, b ?? after)]) {
      await page.goto(new URL(path, before.share_url).href)
      await viewShown(page)
      await page.getByText('Options', { exact: true }).click()
      const views = await inEachView(page, async (name) => {
        expect(await accessibilityProblems(page), name).toEqual([])
        expect(await overflowOf(page), name).toBe(0)
      })
      expect(views.at(-1)).toBe('Differences')
    }
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('keeps options in the address', async () => {
    const [a, b] = await Promise.all(
      ['{"n":1.0,"at":1}', '{"n":1,"at":2}'].map((json) =>
        lea.post('/api/shares', `{"tool":"t","title":"T","data":${json}}`),
      ),
    )
    const [one, other] = [a, b].map((response) => response?.json<MadeShare>() ?? before)
    const page = await open(`${pathOf(one ?? before, other ?? after)}?numbers=value`)
    await page.getByText('1 changed, 0 added, 0 removed').waitFor()
    await expect.poll(() => page.getByLabel('Compare numbers by value').isChecked()).toBe(true)
    await page.getByLabel('Ignore these').fill('/at')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('No differences').waitFor()
    expect(new URL(page.url()).search).toBe('?numbers=value&ignore=%2Fat')
    await page.reload()
    await page.getByText('No differences').waitFor()
    await page.getByLabel('Ignore these').fill('/a~')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('alert').waitFor()
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('compares a share with a file that never leaves the browser', async () => {
    const csv = csvOf(100)
    const share = await makeShare(lea, { data: { csv } })
    const page = await open(`/s/${share.id}/compare`)
    const sent: string[] = []
    page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`))
    const buffer = Buffer.from(csv.replace('Item 50', 'Item fifty'))
    await page.getByLabel('or a file').setInputFiles({ name: 'local.csv', mimeType: 'text/csv', buffer })
    await page.getByText('1 changed, 0 added, 0 removed').waitFor()
    await page.locator('ins').getByText('Item fifty').waitFor()
    expect(sent.filter((one) => !one.includes('/assets/'))).toEqual([`GET /api/shares/${share.id}/raw`])
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('compares two files or texts at /compare, without an account and without sending anything', async () => {
    const page = await open('/compare')
    await page.getByRole('heading', { name: 'Compare two JSON, CSV or text files' }).waitFor()
    expect(await accessibilityProblems(page), 'choosing').toEqual([])
    const sent: string[] = []
    page.on('request', (request) => sent.push(new URL(request.url()).pathname))
    const compare = page.getByRole('button', { name: 'Compare', exact: true })
    await compare.click()
    await page.getByText('Paste a text or choose a file on both sides.').waitFor()
    for (const [side, text] of ['{"n":1.0,"at":1}', '{"at":2,"n":1}'].entries())
      await page.getByLabel('Paste text').nth(side).fill(text)
    await compare.click()
    await page.getByText('2 changed, 0 added, 0 removed').waitFor()
    await page.getByText('Options', { exact: true }).click()
    await page.getByLabel('Compare numbers by value').check()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('1 changed, 0 added, 0 removed').waitFor()
    expect(new URL(page.url()).search).toBe('?numbers=value')
    const files = [csvOf(100), csvOf(100).replace('Item 50', 'Item fifty')]
    for (const [side, csv] of files.entries())
      await page
        .getByLabel('or choose a file')
        .nth(side)
        .setInputFiles({ name: `${side}.csv`, mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await page.locator('ins').getByText('Item fifty').waitFor()
    expect(await page.getByLabel('Paste text').first().inputValue()).toBe('')
    expect(await accessibilityProblems(page), 'compared').toEqual([])
    expect(await overflowOf(page)).toBe(0)
    expect(sent.filter((path) => !path.startsWith('/assets/'))).toEqual([])
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('reads tables and files as the options say', async () => {
    const page = await open('/compare?skip=1')
    const files = ['Report\n#x\nid,name\n1,Jürgen "Jü"\n', 'Report\nid,name\n1,Jörgen "Jü"\n#y\n']
    for (const [side, csv] of files.entries())
      await page
        .getByLabel('or choose a file')
        .nth(side)
        .setInputFiles({ name: `${side}.csv`, mimeType: 'text/csv', buffer: Buffer.from(csv, 'latin1') })
    expect(await page.getByLabel('Lines above the tables').inputValue()).toBe('1')
    await page.getByLabel('Comments in CSV').fill('x')
    await page.getByRole('button', { name: 'Apply' }).click()
    expect(new URL(page.url()).search).toBe('?skip=1')
    await page.getByLabel('Comments in CSV').fill('#')
    await page.getByLabel('Encoding of files').selectOption('windows-1252')
    await page.getByLabel('quotes are wrong').check()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('1 changed, 0 added, 0 removed').waitFor()
    const row = page.getByRole('row').filter({ hasText: 'Jörgen' })
    expect(await row.locator('del').innerText()).toBe('Jürgen "Jü"')
    const { search } = new URL(page.url())
    expect(search).toBe('?quotes=lenient&comment=%23&skip=1&encoding=windows-1252')
    expect(await accessibilityProblems(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('is told plainly which share is gone, and that loading was cancelled', async () => {
    const gone = await makeShare(lea, { title: 'Gone' })
    await dashboard.system.expireShares([gone.id], -1)
    profile = await browser.profile()
    const page = await profile.newPage()
    const goTo = async (path: string): Promise<number | undefined> =>
      (await page.goto(new URL(path, before.share_url).href))?.status()
    expect(await goTo(pathOf(before, gone))).toBe(410)
    await expect.poll(() => page.locator('h1').textContent()).toBe('This share has expired')
    expect(await goTo(`/s/${before.id}/compare/AAAAAAAAAAAAAAAAAAAAAA`)).toBe(404)
    expect(await goTo(`/s/${before.id}/compare/short`)).toBe(404)
    const late = await makeShare(lea, { title: 'Late', data: { v: 2 } })
    await page.route(`**/api/shares/${late.id}/raw`, (route) => route.fulfill({ status: 410 }))
    await goTo(pathOf(before, late))
    await page.getByRole('alert').getByText('After: This has expired.').waitFor()
    await page.unrouteAll()
    // A response that does not come.
    await page.route(`**/api/shares/${late.id}/raw`, () => undefined)
    await goTo(pathOf(before, late))
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alert').getByText('Loading was cancelled.').waitFor()
  })

  it('compares two documents of 11 MB, of which the page holds only what is seen', async () => {
    const row = (id: number, price: number) => ({ id, price, note: 'x'.repeat(80) })
    const rows = Array.from({ length: 100_000 }, (_row, id) => row(id, id * 1.5))
    const changed = rows.slice(1).map((one) => (one.id % 1_000 === 7 ? row(one.id, -1) : one))
    const [a, b] = await Promise.all([rows, changed].map((data) => makeShare(lea, { data: { rows: data } })))
    const page = await open(pathOf(a ?? before, b ?? after))
    await page.getByText('100 changed, 0 added, 1 removed').waitFor()
    await viewShown(page)
    await page.locator('.comparison :focus').waitFor()
    await page.keyboard.press('p')
    await place(page).getByText('Change 101 of 101').waitFor()
    expect(await page.evaluate<number>('document.querySelectorAll("*").length')).toBeLessThan(3_000)
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('compares in the dashboard what is theirs by id or name, and what is pasted', async () => {
    profile = await browser.profile(dashboard.profile)
    const page = await profile.newPage()
    const user = await dashboard.signIn(page, 'mary', '/dashboard')
    const save = async (fields: object): Promise<string> =>
      (await user.post('/api/snippets', { tool: 'csv', title: 'Report', ...fields })).json<MadeShare>().id
    const first = await save({ data: { csv: csvOf(20) } })
    await save({ name: 'nightly', title: 'Nightly', data: { csv: csvOf(19) } })
    await page.goto(new URL(`/dashboard/snippets/${first}`, page.url()).href)
    await page.getByRole('button', { name: 'More actions for Report' }).click()
    await page.getByRole('menuitem', { name: 'Compare' }).click()
    await page.getByLabel('Snippet, version or share').nth(1).fill('@nightly')
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByText('0 changed, 0 added, 1 removed').waitFor()
    await page.getByText('After: Nightly').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])

    await user.request('PUT', `/api/snippets/${first}`, {
      body: { tool: 'csv', title: 'Report', data: { csv: csvOf(21) } },
    })
    await page.goto(new URL(`/dashboard/snippets/${first}/versions/1`, page.url()).href)
    await page.getByRole('link', { name: 'Compare with the current version' }).click()
    await page.getByText('Before: Report, version 1').waitFor()
    await page.getByText('0 changed, 1 added, 0 removed').waitFor()

    await page.goto(new URL(`/compare?a=@nightly&b=${before.id}`, page.url()).href)
    await page.getByText('After: Monday').waitFor()
    expect(new URL(page.url()).pathname).toBe('/dashboard/compare')
    await page.getByText('Change what is compared').click()
    await page.getByLabel('Snippet, version or share').first().fill('@nothing')
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByRole('alert').getByText('There is no snippet, version or share “@nothing”').waitFor()

    await page.getByText('Change what is compared').click()
    const button = await page.getByRole('button', { name: 'Compare' }).boundingBox()
    expect(button?.height).toBeLessThan(60)
    for (const [side, text] of ['{"a":1}', '{"a":2}'].entries())
      await page.getByLabel('Or paste text').nth(side).fill(text)
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByText('1 changed, 0 added, 0 removed').waitFor()
    expect(new URL(page.url()).search).toBe('')
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })
})
