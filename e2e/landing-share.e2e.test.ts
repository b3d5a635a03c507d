import { expect, it } from 'vitest'
import { accessibilityProblems } from './harness/accessibility.js'
import { describeWithBrowser } from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { signInAtIssuer, startDashboard } from './harness/dashboard.js'
import { inBrowser } from './harness/in-browser.js'

describeWithBrowser('someone at the front page', () => {
  const { system: dashboard, newPage, browserErrors } = inBrowser(() => startDashboard())
  const baseUrl = (): string => dashboard().system.baseUrl()

  it.each([
    ['typed text', null],
    ['a file', 'notes.csv'],
  ])('shares %s from the front page after a sign-in, which comes back to it', async (_what, name) => {
    const page = await newPage(dashboard().profile)
    await page.goto(`${baseUrl()}/`)
    const field = page.getByRole('textbox', { name: 'Your data' })
    const given = 'id,city\n1,Paris\n'
    if (name === null) await field.fill(given)
    else
      await page
        .locator('#paste-bar input[type=file]')
        .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(given) })
    await page.getByRole('button', { name: 'Share…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL((url) => url.origin !== baseUrl())
    await signInAtIssuer(page, 'mia')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('to your account.').waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
    expect(await dialog.getByLabel('Title').inputValue()).toBe(name ?? 'CSV')
    expect(await field.inputValue()).toBe(name === null ? given : '')
    expect(await accessibilityProblems(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Share by link' }).click()
    const link = (await dialog.getByRole('link').getAttribute('href')) ?? ''
    await dialog.getByRole('button', { name: 'Close' }).click()
    // Signed in, without another way round.
    await page.getByRole('button', { name: 'Share…' }).click()
    await dialog.getByRole('button', { name: 'Share by link' }).waitFor()
    const raw = await fetch(`${baseUrl()}/api/shares/${link.split('/').at(-1)}/raw?pointer=/csv`)
    expect(await raw.text()).toBe(given)
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('a file that is no UTF-8 text is refused before anything is uploaded', async () => {
    const page = await newPage(dashboard().profile)
    await page.goto(`${baseUrl()}/`)
    const buffer = Buffer.from('\ufeffid,city\n1,Paris\n', 'utf16le')
    await page
      .locator('#paste-bar input[type=file]')
      .setInputFiles({ name: 'notes.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('button', { name: 'Share…' }).click()
    await page.getByText('This is not UTF-8 text, so it cannot be shared.').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('the front page leaves what a tool keeps for someone who signs in', async () => {
    const page = await newPage(dashboard().profile)
    await page.goto(`${baseUrl()}/tools/json-minify`)
    const input = page.getByRole('textbox', { name: 'Input' })
    await input.fill('{ "a": 1 }')
    await page.getByRole('button', { name: 'Share…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL((url) => url.origin !== baseUrl())
    await page.goto(`${baseUrl()}/`)
    await page.getByRole('textbox', { name: 'Your data' }).fill('[1]')
    await page.getByRole('button', { name: 'Share…' }).waitFor()
    await page.goto(`${baseUrl()}/tools/json-minify`)
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL((url) => url.origin !== baseUrl())
    await signInAtIssuer(page, 'mia')
    await page.getByRole('dialog').getByRole('button', { name: 'Share by link' }).waitFor()
    expect(await input.inputValue()).toBe('{ "a": 1 }')
  })
})
