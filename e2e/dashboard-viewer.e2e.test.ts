import { expect, it } from 'vitest'
import { accessibilityProblems } from './harness/accessibility.js'
import { describeWithBrowser } from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { startDashboard } from './harness/dashboard.js'
import { inBrowser } from './harness/in-browser.js'
import { showAs } from './harness/share-pages.js'
import { chooseInMenu, viewShown } from './harness/viewer.js'

describeWithBrowser('someone who looks at a snippet in the dashboard', () => {
  const { system: dashboard, newPage, browserErrors } = inBrowser(() => startDashboard())

  it('sees a snippet in the same tabs and views as its share', async () => {
    const page = await newPage(dashboard().profile)
    const user = await dashboard().signIn(page, 'mary', '/dashboard')
    const data = { input: 'a,b\n1.0,2', output: '[{"a":1.0}]', jwt: 'none' }
    const made = await user.post('/api/snippets', { tool: 'csv-to-json', title: 'Converted', data })
    const { id } = made.json<{ readonly id: string }>()
    await page.goto(new URL(`/dashboard/snippets/${id}`, page.url()).href)
    const parts = page.getByRole('tablist', { name: 'Parts of the data' }).getByRole('tab')
    await parts.first().waitFor()
    await expect.poll(() => parts.allTextContents()).toEqual(['input', 'output', 'jwt'])
    await expect.poll(() => parts.nth(1).getAttribute('aria-selected')).toBe('true')
    await expect.poll(async () => (await viewShown(page)).innerText()).toContain('"a": 1.0')
    await parts.first().click()
    await page.getByRole('columnheader', { name: /^a/ }).waitFor()
    await showAs(page, 'Text')
    await page.locator('.viewer-tabs').getByRole('tab', { name: 'Table' }).waitFor({ state: 'detached' })
    // Keys mean nothing to the page below a dialog of the viewer.
    await chooseInMenu(page, 'Go to line')
    const lines = page.getByRole('dialog', { name: 'Go to line' })
    await lines.getByRole('button', { name: 'Cancel' }).press('#')
    await lines.getByRole('button', { name: 'Cancel' }).click()
    await lines.waitFor({ state: 'detached' })
    await page.getByRole('heading', { level: 1, name: 'Converted' }).waitFor()
    expect(await page.getByText(/^Deleted/).count()).toBe(0)
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('puts a gate before a share, and sees in the list how it was used', async () => {
    const page = await newPage(dashboard().profile)
    await dashboard().signIn(page, 'gwen', '/dashboard/shares')
    await page.getByRole('button', { name: 'New share' }).first().click()
    const form = page.getByRole('dialog', { name: 'New share' })
    await form.getByLabel(/^Paste here/).fill('a,b\n1,2')
    await form.getByLabel('Title').fill('Guarded')
    await form.getByRole('button', { name: /May be opened/ }).click()
    await page.getByRole('option', { name: '2 times' }).click()
    await form.getByLabel('Password').fill('open sesame')
    expect(await accessibilityProblems(page)).toEqual([])
    await form.getByRole('button', { name: 'Create link' }).click()
    const link = await form.getByLabel('Link', { exact: true }).inputValue()
    const path = `/api/shares/${link.split('/').at(-1)}/reveal`
    for (const password of ['wrong', 'open sesame'])
      await dashboard().system.anyone().post(path, { password })
    await page.goto(new URL('/dashboard/shares', page.url()).href)
    const row = page.getByRole('listitem').filter({ hasText: 'Guarded' }).first()
    await row.getByText('1 view left').waitFor()
    await row.getByText('1 wrong password').waitFor()
    await row.getByText(/^opened /).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('gives a snippet a unique name that programs can use, and removes it', async () => {
    const page = await newPage(dashboard().profile)
    const user = await dashboard().signIn(page, 'nell', '/dashboard')
    const save = (fields: object) =>
      user.post('/api/snippets', { tool: 'csv', data: { csv: 'a' }, ...fields })
    await save({ title: 'Other', name: 'other' })
    const { id } = (await save({ title: 'Report' })).json<{ readonly id: string }>()
    await page.goto(new URL(`/dashboard/snippets/${id}`, page.url()).href)
    const rename = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'Edit details' }).click()
      await page.getByLabel('Name').fill(name)
      await page.getByRole('button', { name: 'Save' }).click()
    }
    await rename('other')
    await page.getByRole('alert').getByText(/other/).waitFor()
    await page.getByLabel('Name').fill('Not a name')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('input[aria-invalid=true]').waitFor()
    await page.getByLabel('Name').fill('nightly')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('@nightly', { exact: true }).waitFor()
    expect((await user.get('/api/snippets/@nightly')).json<{ readonly id: string }>().id).toBe(id)
    await page.getByRole('link', { name: 'All snippets' }).click()
    await page.getByRole('list', { name: 'Your snippets' }).getByText('@nightly').waitFor()
    await page.getByRole('link', { name: 'Report' }).click()
    await rename('')
    await page.getByText('@nightly', { exact: true }).waitFor({ state: 'detached' })
    expect((await user.get('/api/snippets/@nightly')).status).toBe(404)
    expect(browserErrors()).toEqual(noBrowserErrors)
  })
  it('sees its versions and who made them, opens an earlier one, restores it, and takes that back', async () => {
    const page = await newPage(dashboard().profile)
    const user = await dashboard().signIn(page, 'olga', '/dashboard')
    await page.getByRole('heading', { name: 'Nothing saved yet' }).waitFor()
    const put = async (text: string): Promise<string> => {
      const body = { tool: 'csv', title: `Title ${text}`, data: { csv: `a,b\n${text},2\n` } }
      return (await user.request('PUT', '/api/snippets/@report', { body })).json<{ id: string }>().id
    }
    const id = await put('first')
    await page.goto(new URL(`/dashboard/snippets/${id}`, page.url()).href)
    await page.locator('.snippet-data').getByText('first', { exact: true }).waitFor()
    expect(await page.getByRole('heading', { name: 'Versions' }).count()).toBe(0)
    await put('other')
    await page.reload()
    const rows = page.getByRole('list', { name: 'Versions' }).locator('> li')
    await rows.first().waitFor()
    const texts = await rows.allInnerTexts()
    expect(texts.map((one) => one.replaceAll(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/^Version 2 current .+ 24 bytes by you$/),
      expect.stringMatching(/^Version 1 .+ 24 bytes by you Restore$/),
    ])
    expect(await accessibilityProblems(page)).toEqual([])

    await page.getByRole('link', { name: 'Version 1' }).click()
    await page.getByRole('heading', { name: 'Title first' }).waitFor()
    await page.locator('.snippet-data').getByText('first', { exact: true }).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('Restored version 1').waitFor()
    await page.locator('.snippet-data').getByText('first', { exact: true }).waitFor()
    await page.getByText('Version 3', { exact: true }).waitFor()
    // The data of both has the same size.
    await page.getByRole('button', { name: 'Restore version 2' }).click()
    await page.locator('.snippet-data').getByText('other', { exact: true }).waitFor()
    await page.getByText('Version 4', { exact: true }).waitFor()
    expect((await user.get('/api/snippets/@report')).json().title).toBe('Title other')
    await put('third')
    // The page has not seen this change, so it restores nothing over it.
    await page.getByRole('button', { name: 'Restore version 1' }).click()
    await page.getByRole('main').getByRole('alert').waitFor()
    await page.getByText('Version 5', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Restore version 1' }).click()
    await page.getByText('Version 6', { exact: true }).waitFor()
    await page.goto(new URL(`/dashboard/snippets/${id}/versions/77`, page.url()).href)
    await page.getByRole('heading', { name: 'Version not found' }).waitFor()
  })
})
