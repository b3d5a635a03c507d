import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { describeWithBrowser, type Profile, startBrowser, type TestBrowser } from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { type DashboardSystem, makePro, startDashboard } from './harness/dashboard.js'
import { csvOf, makeShare } from './harness/make-share.js'
import { viewShown } from './harness/viewer.js'

let dashboard: DashboardSystem
let browser: TestBrowser
let profile: Profile

describeWithBrowser('someone at the dashboard', () => {
  beforeAll(async () => {
    ;[dashboard, browser] = await Promise.all([startDashboard(), startBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    await dashboard?.stop()
  })
  afterEach(() => profile?.close())

  async function open(): Promise<Page> {
    profile = await browser.profile(dashboard.profile)
    return profile.newPage()
  }

  it('gets a production build, whatever NODE_ENV the build ran under', () => {
    const folder = 'dist/services/web/browser/assets'
    const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))
    expect(scripts.length).toBeGreaterThan(5)
    expect(scripts.filter((name) => readFileSync(`${folder}/${name}`, 'utf8').includes('jsxDEV'))).toEqual([])
  })

  it('saves a pasted CSV and shares it; a visitor sorts its table and follows a link to a cell', async () => {
    const page = await open()
    await dashboard.signIn(page, 'ada', '/dashboard')
    await page.getByRole('heading', { name: 'Nothing saved yet' }).waitFor()
    await page.getByRole('button', { name: 'New snippet' }).first().click()
    const form = page.getByRole('dialog', { name: 'New snippet' })
    await form.getByLabel(/^Paste here/).fill(csvOf(300))
    await form.getByLabel('Title').fill('Prices')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Prices' }).waitFor()
    await page.locator('.toasts').filter({ hasText: 'Saved.' }).getByRole('button', { name: 'Share' }).click()
    await page.getByText(/^The link stops working on \w+ \d+, \d{4} at /).waitFor()
    await page.getByRole('button', { name: 'Create link' }).click()
    const link = await page.getByLabel('Link', { exact: true }).inputValue()
    expect(profile.browserErrors).toEqual(noBrowserErrors)

    const stranger = await browser.profile()
    const seen = await stranger.newPage()
    await seen.goto(link)
    await viewShown(seen)
    await expect.poll(() => seen.locator('h1').textContent()).toBe('Prices')
    const price = seen.getByRole('columnheader', { name: /price/ })
    await price.getByRole('button').click()
    await seen.locator('[role=columnheader][aria-sort=ascending]').waitFor()
    await seen.getByText('0.50', { exact: true }).first().waitFor()
    await price.getByRole('button').click()
    await seen.locator('[role=columnheader][aria-sort=descending]').waitFor()
    await seen.getByText('99.50', { exact: true }).first().waitFor()
    await seen.goto('about:blank')
    await seen.goto(`${link}#cell=250,2`)
    await seen.getByText('Row 250, column 2').waitFor()
    expect(stranger.browserErrors).toEqual(noBrowserErrors)
    await stranger.close()
  })

  it('shares pasted text without saving a snippet, byte for byte', async () => {
    const page = await open()
    const user = await dashboard.signIn(page, 'joan', '/dashboard/shares')
    await page.getByRole('button', { name: 'New share' }).first().click()
    const form = page.getByRole('dialog', { name: 'New share' })
    const pasted = '{"long": 12345678901234567890, "twice": 1, "twice": 1.0}'
    await form.getByLabel(/^Paste here/).fill(pasted)
    await form.getByLabel('Title').fill('Not kept')
    await form.getByRole('button', { name: 'Create link' }).click()
    const link = await form.getByLabel('Link', { exact: true }).inputValue()
    const raw = await dashboard.system.anyone().get(`/api/shares/${link.split('/').at(-1)}/raw`)
    expect(raw.text).toBe(pasted)
    await form.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Not kept').first().waitFor()
    expect((await user.get('/api/snippets')).json().snippets).toEqual([])
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('reaches the limit of snippets, reads why, pays, has Pro, and uses a key with curl', async () => {
    const page = await open()
    const user = await dashboard.signIn(page, 'grace')
    for (let n = 0; n < 15; n += 1)
      await user.post('/api/snippets', { tool: 'csv', title: `Snippet ${n}`, data: { n } })
    await page.getByRole('link', { name: 'Snippets' }).click()
    await page.getByRole('button', { name: 'New snippet' }).click()
    await page.getByLabel(/^Paste here/).fill('{"one": "more"}')
    await page.getByRole('button', { name: 'Save' }).click()
    const refusal = page.getByRole('alert')
    await refusal.getByText('Snippet limit reached').waitFor()
    await expect.poll(() => refusal.textContent()).toContain('15')
    await refusal.getByRole('link', { name: 'Compare plans' }).click()

    await page.getByRole('heading', { name: 'Your plan: Free' }).waitFor()
    await page.getByRole('main').getByText('15 of 15').waitFor()
    await page.getByRole('link', { name: 'Plan 15 of 15' }).waitFor()
    await page.getByRole('button', { name: 'Pay monthly' }).click()
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await page.getByText('You have Pro now. Thank you!').waitFor()
    await page.getByText(/Billed every month. Renews on/).waitFor()

    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('button', { name: 'New key' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('nightly build')
    await page.getByRole('button', { name: 'Create key' }).click()
    const shown = page.getByRole('dialog', { name: 'Your new key' })
    await shown.waitFor()
    const [key = '', curl = ''] = await shown.locator('pre').allTextContents()
    expect(key).toMatch(/^snk_[A-Za-z0-9]{40}$/)
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    await expect.poll(() => shown.isVisible()).toBe(true)
    await shown.getByRole('button', { name: 'I have stored it' }).click()
    await shown.waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain(key)

    const response = execFileSync('sh', ['-c', `${curl} -sS`], { encoding: 'utf8' })
    expect(JSON.parse(response).snippets).toHaveLength(15)
    await page.getByRole('button', { name: /^Usage/ }).click()
    await page.getByText('1 request in 30 days').waitFor()
    await page.getByText('Show as a table').click()
    const today = page.getByRole('row', { name: new RegExp(new Date().toISOString().slice(0, 10)) })
    await expect.poll(() => today.getByRole('cell').allTextContents()).toEqual(['1', '0'])

    await page.getByRole('button', { name: 'Revoke nightly build' }).click()
    await page.getByRole('button', { name: 'Revoke key' }).click()
    await page.getByText('Key revoked').waitFor()
    expect((await dashboard.system.withKey(key).get('/api/snippets')).status).toBe(401)
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('is warned that five keys are the maximum, and when cancelled Pro ends', async () => {
    const page = await open()
    const user = await dashboard.signIn(page, 'hedy')
    await makePro(dashboard, user)
    for (let n = 1; n <= 5; n += 1)
      expect((await user.post('/api/keys', { name: `key ${n}` })).status).toBe(201)
    await page.goto(`${dashboard.system.baseUrl()}/dashboard/keys`)
    await page.getByText('All 5 keys are in use. Revoke one to create another.').waitFor()
    expect(await page.getByRole('button', { name: 'New key' }).count()).toBe(0)

    await page.getByRole('link', { name: /^Plan \d/ }).click()
    await page.getByRole('button', { name: 'Cancel Pro' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel Pro' }).click()
    await page.getByText(/^Cancelled. You keep Pro until/).waitFor()
    expect((await user.get('/api/subscription')).json()).toMatchObject({ cancel_at_period_end: true })
    await page.getByRole('button', { name: 'Keep Pro' }).click()
    await page.getByText(/Renews on/).waitFor()
    expect((await user.get('/api/subscription')).json()).toMatchObject({ cancel_at_period_end: false })
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it.each(['keys', 'profile'])('finds the API documentation from the page of %s', async (section) => {
    const page = await open()
    await dashboard.signIn(page, 'reader', `/dashboard/${section}`)
    await page.getByRole('link', { name: 'API documentation' }).click()
    await page.waitForURL(`${dashboard.system.baseUrl()}/api/docs`)
    await page.getByRole('heading', { name: 'API reference' }).waitFor()
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('sees which shares have expired, and deletes one', async () => {
    const page = await open()
    const user = await dashboard.signIn(page, 'katherine')
    const gone = await makeShare(user, { title: 'Last week' })
    const live = await makeShare(user, { title: 'This week' })
    await dashboard.system.expireShares([gone.id], -86_400_000 * 3)
    await page.getByRole('link', { name: 'Shares' }).click()
    await page.getByRole('link', { name: 'This week' }).waitFor()
    await page.getByText(/^Expires in (29|30) days$/).waitFor()
    expect(await page.getByRole('link', { name: 'Last week' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Delete This week' }).click()
    await page.getByText('stops working immediately').waitFor()
    await page.getByRole('button', { name: 'Delete share' }).click()
    await page.getByText('Share deleted').waitFor()
    expect((await dashboard.system.anyone().get(`/api/shares/${live.id}`)).status).toBe(404)

    await page.getByRole('button', { name: /Status/ }).click()
    await page.getByRole('option', { name: 'Expired' }).click()
    await page.getByText('Expired 3 days ago').waitFor()
    const opening = page.context().waitForEvent('page')
    await page.getByRole('link', { name: 'Last week' }).click()
    const expired = await opening
    await expired.getByRole('heading', { name: 'This share has expired' }).waitFor()
    await expect.poll(() => expired.locator('main').textContent()).toMatch(/Title\s*Last week/)
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('deletes a share from its own page, signed in silently; other users cannot', async () => {
    const page = await open()
    const user = await dashboard.signIn(page, 'lise')
    const own = await makeShare(user, { title: 'Sent by mistake' })
    const stranger = await browser.profile(dashboard.profile)
    const seen = await stranger.newPage()
    const other = await makeShare(await dashboard.signIn(seen, 'otto'), { title: 'Not hers' })
    const shared = await page.context().newPage()
    const follow = async ({ share_url, title }: { share_url: string; title: string }): Promise<void> => {
      await shared.goto(share_url)
      await shared.getByRole('link', { name: 'Manage my share' }).click()
      await shared.getByText(`The link to “${title}” stops working immediately`).waitFor()
    }
    await follow(own)
    await shared.getByRole('button', { name: 'Delete share' }).click()
    await shared.getByText('Share deleted').waitFor()
    expect((await dashboard.system.anyone().get(`/api/shares/${own.id}`)).status).toBe(404)
    await follow(other)
    await shared.getByRole('button', { name: 'Delete share' }).click()
    await shared
      .getByRole('alert')
      .getByText(/another account/)
      .waitFor()
    await shared.goto(`${dashboard.system.baseUrl()}/dashboard/shares/${own.id}`)
    await shared.getByText('There is no share with this link any more.').waitFor()
    expect(profile.browserErrors).toEqual(noBrowserErrors)

    await seen.context().clearCookies()
    await seen.goto(other.share_url)
    await seen.getByRole('link', { name: 'Manage my share' }).click()
    await seen.getByRole('heading', { name: 'Sign in to Snipkeep' }).waitFor()
    expect(new URL(seen.url()).pathname).toBe(`/dashboard/shares/${other.id}`)
    expect(stranger.browserErrors).toEqual(noBrowserErrors)
    await stranger.close()
  })

  it('undoes the deletion of a history entry, and clears the rest by tool', async () => {
    const page = await open()
    const user = await dashboard.signIn(page, 'mary')
    for (const tool of ['csv', 'csv', 'sql'])
      await user.post('/api/history', { tool, title: `A ${tool}`, metadata: { rows: 7, kind: 'x' } })
    const entries = async () => (await user.get('/api/history')).json<{ history: unknown[] }>().history
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByText('Your plan keeps the last 20 entries; you have 3.').waitFor()
    await page.getByRole('button', { name: 'Delete A sql' }).click()
    await page.getByText('A sql').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('A sql').waitFor()
    expect(await entries()).toHaveLength(3)
    await page.getByRole('button', { name: /All tools/ }).click()
    await page.getByRole('option', { name: 'csv' }).click()
    await page.getByRole('button', { name: 'Clear csv' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Clear csv' }).click()
    await page.getByText('2 entries deleted').waitFor()
    expect(await entries()).toMatchObject([{ tool: 'sql', title: 'A sql' }])
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it.each([
    [404, { code: 'not_found' }, 'Everyone on this server has Pro'],
    [200, { status: 'past_due' }, 'Your last payment failed. You keep Pro for seven days'],
    [200, { status: 'unpaid', plan: 'free' }, 'Your subscription is unpaid, so Pro has stopped'],
  ])('reads what a subscription that returns %i %j means', async (status, fields, words) => {
    const page = await open()
    await dashboard.signIn(page, 'dorothy')
    const subscription = {
      plan: 'pro',
      interval: 'month',
      current_period_end: null,
      cancel_at_period_end: false,
    }
    await page.route('**/api/subscription', (route) =>
      route.fulfill({ status, json: { ...subscription, ...fields } }),
    )
    await page.getByRole('link', { name: /^Plan \d/ }).click()
    await page.getByText(words).waitFor()
    expect(await page.getByRole('button', { name: 'Invoices and payment' }).count()).toBe(
      status === 200 ? 1 : 0,
    )
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('signs out, and nothing is accessible afterwards', async () => {
    const page = await open()
    await dashboard.signIn(page, 'joan')
    await page.getByText('joan@example.com').waitFor()
    const leaving = page.waitForRequest((request) => request.url().includes('/session/end?'))
    await page.getByRole('button', { name: 'Account: ' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    const { searchParams: sent } = new URL((await leaving).url())
    expect([...sent.keys()].toSorted()).toEqual(['client_id', 'logout_hint', 'post_logout_redirect_uri'])
    await page.getByRole('heading', { name: 'Sign out' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(`${dashboard.system.baseUrl()}/`)
    await page.goto(`${dashboard.system.baseUrl()}/dashboard/profile`)
    await page.getByRole('heading', { name: 'Sign in to Snipkeep' }).waitFor()
    expect(await page.content()).not.toContain('joan')
    // The issuer has forgotten them too: it asks who signs in.
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('input[name=login]').waitFor()
  })
})
