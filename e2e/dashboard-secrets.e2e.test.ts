import { expect, it } from 'vitest'
import { accessibilityProblems } from './harness/accessibility.js'
import { describeWithBrowser } from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { signInAtIssuer, startDashboard } from './harness/dashboard.js'
import { inBrowser } from './harness/in-browser.js'

const token = `ghp_${'zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17'}`

describeWithBrowser('someone with secrets at the dashboard', () => {
  const { system: dashboard, newPage, browserErrors } = inBrowser(() => startDashboard())

  it('is asked before a secret is published, and told when one is saved', async () => {
    const page = await newPage(dashboard().profile)
    await dashboard().signIn(page, 'kim', '/dashboard/shares')
    await page.getByRole('button', { name: 'New share' }).first().click()
    const form = page.getByRole('dialog', { name: 'New share' })
    await form.getByLabel(/^Paste here/).fill(JSON.stringify({ config: { token } }))
    await form.getByLabel('Title').fill('Config')
    await form.getByRole('button', { name: 'Create link' }).click()
    const warning = form.getByRole('alert')
    await warning.getByText('This is a GitHub token:').waitFor()
    expect(await warning.textContent()).toContain('ghp_…Lq17 /config/token')
    expect(await warning.textContent()).not.toContain(token)
    expect(await accessibilityProblems(page)).toEqual([])
    // What was asked about is no longer what would be sent.
    await form.getByLabel(/^Paste here/).fill(JSON.stringify({ config: { token, more: 1 } }))
    await form.getByRole('button', { name: 'Create link' }).click()
    await form.getByRole('button', { name: 'Publish anyway' }).click()
    const link = await page.getByLabel('Link', { exact: true }).inputValue()
    const raw = await dashboard()
      .system.anyone()
      .get(`/api/shares/${link.split('/').at(-1)}/raw`)
    expect(raw.json()).toEqual({ config: { token, more: 1 } })
    await page.getByRole('button', { name: 'Done' }).click()

    await page.goto(`${dashboard().system.baseUrl()}/dashboard`)
    await page.getByRole('button', { name: 'New snippet' }).first().click()
    const saving = page.getByRole('dialog', { name: 'New snippet' })
    await saving.getByLabel(/^Paste here/).fill(JSON.stringify({ token }))
    await saving.getByLabel('Title').fill('Private')
    await saving.getByRole('button', { name: 'Save' }).click()
    await page.getByText('It may contain a secret. You’ll be warned before sharing.').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Share' }).click()
    const sharing = page.getByRole('dialog')
    await sharing.getByRole('button', { name: 'Create link' }).click()
    await sharing.getByText('This is a GitHub token:').waitFor()
    await sharing.getByRole('button', { name: 'Publish anyway' }).click()
    await page.getByLabel('Link', { exact: true }).waitFor()
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('is asked before the output of a tool is published', async () => {
    const page = await newPage(dashboard().profile)
    await page.goto(`${dashboard().system.baseUrl()}/tools/json-minify`)
    await page.getByRole('textbox', { name: 'Input', exact: true }).fill(JSON.stringify({ token }))
    await page.getByRole('button', { name: 'Share…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL((url) => url.origin !== dashboard().system.baseUrl())
    await signInAtIssuer(page, 'noa')
    const sent: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (request.method() === 'POST' && pathname === '/api/shares') sent.push(search)
    })
    await dialog.getByRole('button', { name: 'Share by link' }).click()
    const warning = dialog.getByRole('alert')
    await warning.getByText('This is a GitHub token:').waitFor()
    expect(await warning.textContent()).toContain('ghp_…Lq17')
    expect(await warning.textContent()).not.toContain(token)
    expect(await accessibilityProblems(page)).toEqual([])
    expect(sent).toEqual([])
    await dialog.getByRole('button', { name: 'Publish anyway' }).click()
    const link = (await dialog.getByRole('link').getAttribute('href')) ?? ''
    const raw = await dashboard()
      .system.anyone()
      .get(`/api/shares/${link.split('/').at(-1)}/raw`)
    expect(raw.json()).toEqual({ json: JSON.stringify({ token }) })
    expect(sent).toEqual([expect.stringContaining('allow_secrets=true')])
    expect(browserErrors()).toEqual(noBrowserErrors)
  })
})
