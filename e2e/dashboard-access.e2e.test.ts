import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { accessibilityProblems, overflowOf } from './harness/accessibility.js'
import type { ApiClient } from './harness/api-client.js'
import { describeWithBrowser, type Profile, startBrowser, type TestBrowser } from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { type DashboardSystem, makePro, openSection, startDashboard } from './harness/dashboard.js'
import { keyboardOf } from './harness/keyboard.js'
import { csvOf, makeShare } from './harness/make-share.js'

let dashboard: DashboardSystem
let browser: TestBrowser
let profile: Profile

/** Sections, each with its heading. */
const sections = {
  snippets: 'Snippets',
  shares: 'Shares',
  history: 'History',
  keys: 'API keys',
  ci: 'CI',
  events: 'Events',
  plan: 'Plan',
  profile: 'Profile',
} as const

async function fill(user: ApiClient): Promise<void> {
  const tool = 'csv-to-json'
  const title = 'Prices of spring, with a name that is rather long for a narrow window'
  const name = 'report-of-a-branch-whose-name-is-rather-long-and-has-no-room-in-a-narrow-window.2026-11-23'
  for (const fields of [{}, { name, tags: ['ci', 'nightly'] }])
    await user.post('/api/snippets', { tool, title, ...fields, data: { csv: csvOf(20) } })
  await makeShare(user, { tool, title })
  await makeShare(user, { tool, title: 'Short', expires_in: 86_400 })
  await user.post('/api/history', { tool, title, action: 'convert', metadata: { rows: 20, path: ['a'] } })
  await user.post('/api/history', { tool, metadata: Object.fromEntries([...'abcdefg'].map((k) => [k, k])) })
}

describeWithBrowser('the pages of the dashboard', () => {
  beforeAll(async () => {
    ;[dashboard, browser] = await Promise.all([startDashboard(), startBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    await dashboard?.stop()
  })
  afterEach(() => profile?.close())

  async function settled(page: Page): Promise<void> {
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    await page.evaluate<unknown>('Promise.all(document.getAnimations().map(({ finished }) => finished))')
  }

  async function findNoFault(page: Page, name: string): Promise<void> {
    await settled(page)
    expect(await accessibilityProblems(page), name).toEqual([])
    expect(await overflowOf(page), name).toBe(0)
  }

  async function visitAll(page: Page, plan: string): Promise<void> {
    for (const [section, heading] of Object.entries(sections)) {
      await openSection(page, heading)
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
      await findNoFault(page, `${section} of ${plan}`)
    }
  }

  it.each([
    ['light', 1280],
    ['dark', 320],
  ] as const)(
    'have no fault by WCAG 2.2 A and AA, empty and full, %s and %i px wide',
    async (scheme, width) => {
      profile = await browser.profile({
        ...dashboard.profile,
        colorScheme: scheme,
        reducedMotion: 'reduce',
        viewport: { width, height: 800 },
      })
      const page = await profile.newPage()
      await page.goto(`${dashboard.system.baseUrl()}/dashboard`)
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
      await findNoFault(page, 'signed out')
      const user = await dashboard.signIn(page, `visitor-${scheme}`)
      await visitAll(page, 'Free')
      await fill(user)
      await makePro(dashboard, user)
      await user.post('/api/keys', { name: 'nightly build', expires_in: 864_000 })
      await user.post('/api/trusted-publishers', {
        ...{ name: 'acme/website', issuer: 'github', repository: 'acme/website' },
        claims: { repository_id: '74', ref: 'refs/heads/a-branch-with-a-long-name-and-no-room-for-it' },
      })
      await page.goto(`${dashboard.system.baseUrl()}/dashboard/keys`)
      await page.getByRole('button', { name: /^Usage/ }).click()
      await page.getByText(/^No requests in the last/).waitFor()
      await findNoFault(page, 'usage')
      await visitAll(page, 'Pro')
      expect(profile.browserErrors).toEqual(noBrowserErrors)
    },
  )

  it.each([
    ['light', 320, 'Free user'],
    ['dark', 1280, 'Pro user'],
  ] as const)('are signed in to by one button, %s and %i px wide: %s', async (colorScheme, width, button) => {
    profile = await browser.profile({ ...dashboard.profile, colorScheme, viewport: { width, height: 800 } })
    const page = await profile.newPage()
    await page.goto(`${dashboard.system.baseUrl()}/dashboard`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('For development only').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('heading', { level: 1, name: 'Snippets', exact: true }).waitFor()
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('have no fault in their dialogs', async () => {
    profile = await browser.profile({ ...dashboard.profile, reducedMotion: 'reduce' })
    const page = await profile.newPage()
    const user = await dashboard.signIn(page, 'talker')
    await fill(user)
    await makePro(dashboard, user)
    const look = async (section: keyof typeof sections, button: RegExp): Promise<void> => {
      await page.goto(`${dashboard.system.baseUrl()}/dashboard/${section}`)
      await page.getByRole('button', { name: button }).first().click()
      await page.getByRole('dialog').waitFor()
      await findNoFault(page, `${button} of ${section}`)
    }
    await look('snippets', /^New snippet$/)
    await page.keyboard.press('Escape')
    await page
      .getByRole('button', { name: /^More actions for/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Share' }).click()
    await page.getByRole('dialog', { name: /^Share/ }).waitFor()
    await findNoFault(page, 'sharing a snippet')
    await page.keyboard.press('Escape')
    await page
      .getByRole('button', { name: /^More actions for/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Edit details' }).click()
    await page.getByLabel('Name', { exact: true }).waitFor()
    await findNoFault(page, 'details of a snippet')
    await look('shares', /^New share/)
    await look('shares', /^Delete Short/)
    await look('history', /^Clear all/)
    await look('plan', /^Cancel Pro/)
    await look('ci', /^New rule/)
    await page.getByRole('button', { name: 'Create rule' }).click()
    await page.getByText('Enter the full name of the repository').waitFor()
    await findNoFault(page, 'a rule without a repository')
    await look('keys', /^New key/)
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByText('Enter a name.').waitFor()
    await findNoFault(page, 'a key without a name')
    await page.getByLabel('Name', { exact: true }).fill('laptop')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('dialog', { name: 'Your new key' }).waitFor()
    await findNoFault(page, 'a new key')
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('work by keyboard only: paste, save, share, upgrade, create a key, revoke it', async () => {
    profile = await browser.profile(dashboard.profile)
    const page = await profile.newPage()
    const { press, tabTo, type, focused } = keyboardOf(page)
    const user = await dashboard.signIn(page, 'keys-only', '/dashboard')
    await page.getByRole('heading', { name: 'Nothing saved yet' }).waitFor()
    await tabTo('New snippet')
    await press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo(/^Paste here/)
    await type('a,b\n1,2\n3,4\n')
    await tabTo('Title')
    await press('Control+A')
    await type('By keyboard')
    await press('Enter')
    await page.getByRole('heading', { level: 1, name: 'By keyboard' }).waitFor()
    await tabTo('Share')
    await press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo('Create link')
    await press('Enter')
    await page.getByLabel('Link', { exact: true }).waitFor()
    const link = await page.getByLabel('Link', { exact: true }).inputValue()
    expect((await fetch(link)).status).toBe(200)
    await press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await tabTo(/^Plan/)
    await press('Enter')
    await page.getByRole('heading', { name: 'Your plan: Free' }).waitFor()
    expect(await focused()).toBe('Plan')
    await tabTo('Pay yearly')
    await press('Enter')
    await page.waitForURL((url) => url.origin !== dashboard.system.baseUrl())
    await tabTo('Pay')
    await press('Enter')
    await page.getByText('You have Pro now. Thank you!').waitFor()

    await tabTo('API keys')
    await press('Enter')
    await page.getByRole('heading', { name: 'You have no API keys' }).waitFor()
    await tabTo('New key')
    await press('Enter')
    await page.getByRole('dialog').waitFor()
    await press('Enter')
    await page.getByText('Enter a name.').waitFor()
    expect(await focused()).toBe('Name')
    await type('typed')
    await tabTo(/^Write/)
    await press('Space')
    await tabTo(/^After 90 days/)
    await press('ArrowDown', 'End', 'Enter')
    await tabTo('Last day')
    await type('01312099')
    await tabTo('Create key')
    await press('Enter')
    await page.getByRole('dialog', { name: 'Your new key' }).waitFor()
    await press('Escape')
    await tabTo('I have stored it')
    await press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const { keys } = (await user.get('/api/keys')).json<{ keys: readonly object[] }>()
    expect(keys).toMatchObject([
      { name: 'typed', scopes: ['read'], expires_at: expect.stringMatching(/^2099/) },
    ])

    await tabTo('Revoke typed')
    await press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo('Revoke key')
    await press('Enter')
    await page.getByText('Key revoked').waitFor()
    await expect.poll(focused).toBe('API keys')
    expect((await user.get('/api/keys')).json()).toEqual({ keys: [] })
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('say by keyboard, too, why a limit is reached, and the title of an expired share', async () => {
    profile = await browser.profile(dashboard.profile)
    const page = await profile.newPage()
    const { press, tabTo, type } = keyboardOf(page)
    const user = await dashboard.signIn(page, 'full-house')
    for (let n = 0; n < 15; n += 1)
      await user.post('/api/snippets', { tool: 'csv', title: `Snippet ${n}`, data: { n } })
    await tabTo('Snippets')
    await press('Enter')
    await page.getByText('Snippet 14').first().waitFor()
    await tabTo('New snippet')
    await press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo(/^Paste here/)
    await type('{"one": "more"}')
    await tabTo('Save')
    await press('Enter')
    await page.getByText('Snippet limit reached').waitFor()
    await tabTo('Compare plans')
    await press('Enter')
    await page.getByRole('heading', { name: 'Your plan: Free' }).waitFor()

    const shared = await makeShare(user, { title: 'Gone by now' })
    await dashboard.system.expireShares([shared.id], -60_000)
    await page.goto(shared.share_url)
    await page.getByText('Gone by now').waitFor()
    await tabTo('What is Snipkeep?')
    await press('Enter')
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('say what to do after too many requests', async () => {
    profile = await browser.profile(dashboard.profile)
    const page = await profile.newPage()
    await dashboard.signIn(page, 'hasty')
    const refusal = { code: 'rate_limited', detail: 'Too many.' }
    await page.route('**/api/history?*', (route) =>
      route.fulfill({ status: 429, headers: { 'Retry-After': '2' }, json: refusal }),
    )
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByText('Too many requests').waitFor()
    const retry = page.getByRole('button', { name: 'Try again' })
    await expect.poll(() => retry.isDisabled()).toBe(true)
    await page.unroute('**/api/history?*')
    await page.getByText('You can try again now.').waitFor()
    await retry.click()
    await page.getByRole('heading', { name: 'Nothing recorded' }).waitFor()
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })
})
