import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { accessibilityProblems, overflowOf } from './harness/accessibility.js'
import { describeWithBrowser, type Profile, startBrowser, type TestBrowser } from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { type DashboardSystem, startDashboard } from './harness/dashboard.js'

let browser: TestBrowser
let dashboard: DashboardSystem
let profile: Profile

describeWithBrowser('an account at the dashboard', () => {
  beforeAll(async () => {
    ;[dashboard, browser] = await Promise.all([startDashboard(), startBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    await dashboard?.stop()
  })
  afterEach(() => profile?.close())

  async function expectAccessible(page: Page): Promise<void> {
    // Until a dialog has faded in, its colours are not its own.
    await page.evaluate<unknown>('Promise.all(document.getAnimations().map(({ finished }) => finished))')
    expect(await accessibilityProblems(page), page.url()).toEqual([])
    expect(await overflowOf(page), page.url()).toBe(0)
  }

  it('is deleted once its name is typed, says so everywhere, and can be restored', async () => {
    profile = await browser.profile(dashboard.profile)
    const page = await profile.newPage()
    const owner = await dashboard.signIn(page, 'leaver', '/dashboard/profile')
    await page.getByRole('button', { name: 'Delete account…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
    await dialog.waitFor()
    await expectAccessible(page)
    await dialog.getByLabel('To confirm').fill('somebody else')
    await dialog.getByRole('button', { name: 'Delete account' }).click()
    await dialog.getByRole('alert').waitFor()
    const { email, id } = (await owner.get('/api/auth/profile')).json<{ email: string | null; id: string }>()
    await dialog.getByLabel('To confirm').fill(email ?? id)
    await dialog.getByRole('button', { name: 'Delete account' }).click()
    await page.getByRole('heading', { name: 'Your account is closed' }).waitFor()
    await expectAccessible(page)
    expect((await owner.get('/api/snippets')).json().code).toBe('account_closing')
    await page.getByRole('button', { name: 'Restore account' }).click()
    await page.getByRole('heading', { name: 'Profile' }).waitFor()
    expect((await owner.get('/api/snippets')).status).toBe(200)
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })
})
