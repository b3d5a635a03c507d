import { expect, it } from 'vitest'
import { expectAccessible } from './harness/accessibility.js'
import { describeWithBrowser } from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { startDashboard } from './harness/dashboard.js'
import { inBrowser } from './harness/in-browser.js'

describeWithBrowser('an account at the dashboard', () => {
  const { system: dashboard, newPage, browserErrors } = inBrowser(() => startDashboard())

  it('is deleted once its name is typed, says so everywhere, and can be restored', async () => {
    const page = await newPage(dashboard().profile)
    const owner = await dashboard().signIn(page, 'leaver', '/dashboard/profile')
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
    expect(browserErrors()).toEqual(noBrowserErrors)
  })
})
