import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible } from './harness/accessibility.js'
import type { ApiClient } from './harness/api-client.js'
import { describeWithBrowser } from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { startDashboard } from './harness/dashboard.js'
import { inBrowser } from './harness/in-browser.js'
import { makeShare } from './harness/make-share.js'
import { until } from './harness/until.js'

describeWithBrowser('an operator at the dashboard', () => {
  const env = { OPERATOR_CLAIM: 'email:op@example.com' }
  const {
    system: dashboard,
    browser,
    newPage,
    browserErrors,
  } = inBrowser(() => startDashboard(undefined, env))
  const open = (): Promise<Page> => newPage(dashboard().profile)

  /** Another user, whom the dashboard signs in in a window of their own. */
  async function publisher(name: string): Promise<ApiClient> {
    const other = await browser().profile(dashboard().profile)
    const client = await dashboard().signIn(await other.newPage(), name)
    await other.close()
    return client
  }

  async function decide(page: Page, title: string, action: string, reason: string): Promise<void> {
    const dialog = page.getByRole('dialog', { name: title })
    await dialog.waitFor()
    await expectAccessible(page)
    await dialog.getByLabel('Reason').fill(reason)
    await dialog.getByRole('button', { name: action }).click()
    await dialog.waitFor({ state: 'detached' })
  }

  it('gets a report from a page without scripts, disables the share, and closes the report', async () => {
    const owner = await publisher('publisher')
    const share = await makeShare(owner, { title: 'My bank' })
    const { system } = dashboard()

    const reporter = await open()
    await reporter.goto(`${system.baseUrl()}/s/${share.id}`)
    await reporter.getByRole('link', { name: 'Report', exact: true }).click()
    await reporter.getByRole('heading', { name: 'Report this share' }).waitFor()
    await expectAccessible(reporter)
    await reporter.getByLabel('Phishing or fraud').check()
    await reporter.getByLabel('What should the operator know?').fill('It imitates a bank.')
    await reporter.getByRole('button', { name: 'Send report' }).click()
    await reporter.getByRole('heading', { name: 'Report sent' }).waitFor()
    await expectAccessible(reporter)

    const page = await reporter.context().newPage()
    await dashboard().signIn(page, 'op', '/dashboard/operator')
    await page.getByText('It imitates a bank.').waitFor()
    await page.getByRole('link', { name: 'Operator' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'See share My bank' }).click()
    await page.getByRole('button', { name: 'Disable share' }).click()
    const closing = page.getByRole('checkbox', { name: /^Close its open report/ })
    await expect.poll(() => closing.isChecked()).toBe(true)
    await closing.press('Space')
    await decide(page, 'Disable this share?', 'Disable share', 'phishing')
    await page.getByText('Share disabled').waitFor()
    await expectAccessible(page)
    expect((await system.anyone().get(`/s/${share.id}`)).status).toBe(410)

    await page.getByRole('link', { name: 'Reports' }).click()
    await page.getByRole('button', { name: 'Close report My bank' }).click()
    await decide(page, 'Close this report?', 'Close report', 'disabled')
    await page.getByRole('heading', { name: 'No reports' }).waitFor()

    const second = await makeShare(owner, { title: 'My other bank' })
    const report = { share: second.id, reason: 'phishing', message: 'It imitates another bank.' }
    expect((await system.anyone().post('/api/reports', report)).status).toBeLessThan(300)
    await page.goto(`${system.baseUrl()}/dashboard/operator/shares/${second.id}`)
    await page.getByRole('button', { name: 'Disable share' }).click()
    await decide(page, 'Disable this share?', 'Disable share', 'phishing again')
    await page.getByText('Share disabled, 1 report closed').waitFor()
    await page.getByRole('link', { name: 'Reports' }).click()
    await page.getByRole('heading', { name: 'No reports' }).waitFor()
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByText(`Disabled share ${second.id}`).waitFor()
    await page.getByText('phishing again').first().waitFor()

    const gate = { max_views: 3, password: 'open sesame' }
    const gated = await makeShare(owner, { title: 'Gated', ...gate })
    await page.goto(`${system.baseUrl()}/dashboard/operator/shares/${gated.id}`)
    await page.getByText('3 views left').waitFor()
    await expectAccessible(page)
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('suspends an account, gives it Pro, and sees what was done and what waits', async () => {
    const owner = await publisher('spammer')
    const page = await open()
    const operator = await dashboard().signIn(page, 'op', '/dashboard/operator/accounts')
    await page.getByLabel('Account id, e-mail address or subject').fill('SPAMMER@example.com')
    await page.getByRole('button', { name: 'Find' }).click()
    await page.getByRole('link', { name: 'See account spammer@example.com' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'See account spammer@example.com' }).click()
    await page.getByRole('button', { name: 'Suspend account' }).click()
    await decide(page, 'Suspend this account?', 'Suspend account', 'spam')
    await page.getByRole('button', { name: 'Resume account' }).waitFor()
    expect((await owner.get('/api/snippets')).json().code).toBe('account_suspended')
    await page.getByRole('button', { name: 'Resume account' }).click()
    await decide(page, 'Resume this account?', 'Resume account', 'appeal')
    await page.getByRole('button', { name: 'Give Pro' }).click()
    await decide(page, 'Give this account Pro?', 'Give Pro', 'an apology')
    await page.getByRole('button', { name: 'End the grant' }).waitFor()
    await expectAccessible(page)
    // The entry travels from billing to identity.
    await until(async () => (await operator.get('/api/operator/acts')).text.includes('an apology'))
    await page.getByRole('link', { name: 'Audit log' }).last().click()
    await page.getByText('an apology').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Queues' }).click()
    await page.getByText('Plans on their way to services').waitFor()
    await page.getByText('Nothing waiting').first().waitFor()
    await expectAccessible(page)
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('is not shown to anyone else', async () => {
    const page = await open()
    await dashboard().signIn(page, 'somebody', '/dashboard/operator')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await page.getByRole('link', { name: /^Plan/ }).waitFor()
    expect(await page.getByRole('link', { name: 'Operator' }).count()).toBe(0)
  })
})
