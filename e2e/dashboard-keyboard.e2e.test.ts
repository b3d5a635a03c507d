import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible } from './harness/accessibility.js'
import { describeWithBrowser } from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { startDashboard } from './harness/dashboard.js'
import { inBrowser } from './harness/in-browser.js'

describeWithBrowser('someone at the keyboard of the dashboard', () => {
  const { system: dashboard, newPage, browserErrors } = inBrowser(() => startDashboard())

  async function open(name: string, path = '/dashboard'): Promise<Page> {
    const page = await newPage({ ...dashboard().profile, reducedMotion: 'reduce' })
    await dashboard().signIn(page, name, path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    return page
  }

  const heading = (page: Page, name: string) =>
    page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

  it('opens sections by two keys, and reads which keys there are', async () => {
    const page = await open('kay')
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await heading(page, 'History')
    await page.keyboard.press('g')
    await page.keyboard.press('k')
    await heading(page, 'API keys')
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.waitFor()
    expect(await help.getByRole('term').allTextContents()).toEqual(
      expect.arrayContaining(['Search or go to…', 'New snippet', 'Snippets', 'History', 'Tools']),
    )
    await expectAccessible(page)
    // Above the page, letters run nothing.
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await heading(page, 'API keys')
    await page.keyboard.press('c')
    await page.getByRole('dialog', { name: 'New snippet' }).waitFor()
    await page.keyboard.type('gh?')
    await expect.poll(() => page.getByLabel(/^Paste here/).inputValue()).toBe('gh?')
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('finds pages, snippets and tools in the palette, also by other words for them', async () => {
    const page = await newPage({ ...dashboard().profile, reducedMotion: 'reduce' })
    const user = await dashboard().signIn(page, 'pal', '/dashboard')
    const search = page.getByRole('searchbox', { name: 'Search or go to…' })
    const choose = async (typed: string, name: string): Promise<void> => {
      await page.keyboard.press('Control+k')
      await search.waitFor()
      await page.keyboard.type(typed)
      await page.getByRole('menuitem', { name }).waitFor()
    }
    await user.post('/api/snippets', { tool: 'csv', title: 'Orders of spring', data: { csv: 'a,b' } })
    await heading(page, 'Snippets')
    await choose('api k', 'API keys')
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await heading(page, 'API keys')
    await choose('orders', 'Orders of spring')
    await page.getByRole('menuitem', { name: 'Orders of spring' }).click()
    await heading(page, 'Orders of spring')
    await choose('prettier', 'JSON formatter and beautifier')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/tools/json-format')
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('switches single keys off in the profile, where this browser remembers it', async () => {
    const page = await open('tremor', '/dashboard/profile')
    await page.getByRole('checkbox', { name: /^Single-key shortcuts/ }).press('Space')
    await page.reload()
    await heading(page, 'Profile')
    await expect
      .poll(() => page.getByRole('checkbox', { name: /^Single-key shortcuts/ }).isChecked())
      .toBe(false)
    await page.locator('h1').focus()
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox', { name: 'Search or go to…' }).waitFor()
    await page.keyboard.press('Escape')
    await heading(page, 'Profile')
    await expectAccessible(page)
    expect(browserErrors()).toEqual(noBrowserErrors)
  })
})
