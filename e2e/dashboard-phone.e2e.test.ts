import { expect, it } from 'vitest'
import { expectAccessible } from './harness/accessibility.js'
import { describeWithBrowser } from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { type DashboardSystem, makePro, startDashboard } from './harness/dashboard.js'
import { inBrowser } from './harness/in-browser.js'
import { makeShare } from './harness/make-share.js'

describeWithBrowser('a list of the dashboard', () => {
  const { system: dashboard, newPage, browserErrors } = inBrowser<DashboardSystem>(() => startDashboard())

  it('has a check on each row on a phone, and four tabs, with the rest in a menu', async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    const page = await newPage({ ...dashboard().profile, reducedMotion: 'reduce', ...phone })
    const user = await dashboard().signIn(page, 'mobile')
    await makePro(dashboard(), user)
    for (const title of ['Snippet 1', 'Snippet 2'])
      expect((await user.post('/api/snippets', { tool: 'csv', title, data: { n: 1 } })).status).toBe(201)
    await page.goto(`${dashboard().system.baseUrl()}/dashboard/snippets`)
    await page.getByRole('link', { name: 'Snippet 2', exact: true }).waitFor()
    const opacity = "getComputedStyle(document.querySelector('.row .check-box')).opacity"
    expect(await page.evaluate<string>(opacity)).toBe('1')
    await page.getByRole('checkbox', { name: 'Select Snippet 1', exact: true }).check()
    await page.getByRole('region', { name: 'Selection' }).waitFor()
    await expectAccessible(page)
    // On Shares, too, the buttons of a row stand beside its name, and all that is known of it below, from where the name begins.
    await makeShare(user, { tool: 'csv', title: 'Prices' })
    await page.goto(`${dashboard().system.baseUrl()}/dashboard/shares`)
    const box = async (selector: string) => {
      const found = await page.locator(`.shares-grid .row ${selector}`).first().boundingBox()
      return {
        left: 0,
        top: 0,
        bottom: 0,
        ...(found && { left: found.x, top: found.y, bottom: found.y + found.height }),
      }
    }
    await page.getByRole('link', { name: 'Prices' }).waitFor()
    const [name, buttons, tool] = [
      await box('.cell-name'),
      await box('.row-actions'),
      await box('.cell-tool'),
    ]
    expect(buttons.top).toBeLessThan(name.bottom)
    expect(tool.top).toBeGreaterThanOrEqual(buttons.bottom)
    expect(Math.round(tool.left)).toBe(Math.round(name.left))
    const tabs = page.getByRole('navigation', { name: 'Sections' })
    expect(await tabs.getByRole('link').allInnerTexts()).toEqual(['Snippets', 'Shares', 'Tools'])
    await tabs.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'History' }).click()
    await page.getByRole('heading', { level: 1, name: 'History' }).waitFor()
    expect(browserErrors()).toEqual(noBrowserErrors)
  })
})
