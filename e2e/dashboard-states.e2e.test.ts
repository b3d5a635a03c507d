import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible } from './harness/accessibility.js'
import { describeWithBrowser, type ProfileOptions } from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { startDashboard } from './harness/dashboard.js'
import { inBrowser } from './harness/in-browser.js'
import { makeShare } from './harness/make-share.js'

/** The smallest distance between two sections of the page that follow one another, in pixels. */
function smallestGap(page: Page): Promise<number> {
  return page.evaluate<number>(`(() => {
    const sections = [...document.querySelectorAll('.frame-main > *')]
      .map((section) => section.getBoundingClientRect())
      .filter(({ height }) => height > 1)
    return Math.min(...sections.slice(1).map(({ top }, at) => top - sections[at].bottom))
  })()`)
}

describeWithBrowser('someone at the dashboard', () => {
  const env = { OPERATOR_CLAIM: 'email:op@example.com' }
  const { system: dashboard, newPage, browserErrors } = inBrowser(() => startDashboard(undefined, env))

  const open = (options?: ProfileOptions): Promise<Page> => newPage({ ...dashboard().profile, ...options })

  it('is invited to share on the first visit to Shares, and hears of no filter', async () => {
    const page = await open()
    await dashboard().signIn(page, 'nina', '/dashboard/shares')
    await page.getByRole('heading', { name: 'No links yet' }).waitFor()
    expect(await page.getByText('No shares match').count()).toBe(0)
    await page.getByRole('button', { name: 'New share' }).last().click()
    await page.getByRole('dialog', { name: 'New share' }).waitFor()
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('finds in every empty list one thing to do next', async () => {
    const page = await open()
    await dashboard().signIn(page, 'nora', '/dashboard/snippets')
    for (const path of [
      'snippets',
      'snippets?q=nothing',
      'shares',
      'shares?state=expired',
      'history',
      'history?tool=nothing',
      'keys',
      'ci',
      'events',
      'events?type=limit',
    ]) {
      await page.goto(`${dashboard().system.baseUrl()}/dashboard/${path}`)
      await page.locator('.state').waitFor()
      expect(await page.locator('.state').locator('a, button').count(), path).toBeGreaterThan(0)
    }
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('learns that a section needs the network, and sees it open when the connection is back', async () => {
    const page = await open()
    await dashboard().signIn(page, 'olaf', '/dashboard/snippets')
    await page.getByRole('heading', { name: 'Nothing saved yet' }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('link', { name: /^Plan/ }).click()
    await page.getByRole('heading', { name: 'You are offline' }).waitFor()
    expect(await page.getByText('Something went wrong').count()).toBe(0)
    await page.context().setOffline(false)
    await page.getByRole('heading', { name: 'Plan', exact: true }).waitFor()
  })

  it('signs out right after deleting six snippets, and all are deleted, also after “too many requests”', async () => {
    const page = await open()
    const user = await dashboard().signIn(page, 'hasty')
    for (let n = 1; n <= 6; n += 1)
      await user.post('/api/snippets', { tool: 'csv', title: `Snippet ${n}`, data: { n } })
    await page.goto(`${dashboard().system.baseUrl()}/dashboard/snippets`)
    let limited = 1
    await page.route('**/api/snippets/*', (route) => {
      if (route.request().method() !== 'DELETE' || limited === 0) return route.fallback()
      limited -= 1
      const json = { code: 'rate_limited', detail: 'Too many.' }
      return route.fulfill({ status: 429, headers: { 'Retry-After': '1' }, json })
    })
    await page.getByRole('checkbox', { name: 'Select Snippet 1' }).check()
    await page.getByRole('checkbox', { name: 'Select Snippet 6' }).click({ modifiers: ['Shift'] })
    await page.keyboard.press('#')
    await page.getByText('Deleted 6 snippets').waitFor()
    await page.getByRole('button', { name: 'Account: ' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign out' }).waitFor()
    expect((await user.get('/api/snippets')).json()).toMatchObject({ snippets: [] })
    expect(limited).toBe(0)
  })

  it('keeps reading a list without the network, and is told that there is none', async () => {
    const page = await open()
    const user = await dashboard().signIn(page, 'ole')
    await user.post('/api/snippets', { tool: 'csv', title: 'Kept in sight', data: { v: 1 } })
    await page.goto(`${dashboard().system.baseUrl()}/dashboard/snippets`)
    await page.getByRole('link', { name: 'Kept in sight' }).waitFor()
    await page.context().setOffline(true)
    const words = page.getByRole('status').getByText(/^No connection\./)
    await words.waitFor()
    await expectAccessible(page)
    expect(await page.getByRole('link', { name: 'Kept in sight' }).isVisible()).toBe(true)
    await page.context().setOffline(false)
    await words.waitFor({ state: 'detached' })
  })

  it('reads what failed and why, with the id of the request to copy', async () => {
    const page = await open({ permissions: ['clipboard-read', 'clipboard-write'] })
    await dashboard().signIn(page, 'una')
    const json = { code: 'internal', detail: 'It is broken.', request_id: 'req-123' }
    const headers = { 'Content-Type': 'application/problem+json' }
    await page.route('**/api/snippets?*', (route) => route.fulfill({ status: 500, headers, json }))
    await page.getByRole('link', { name: 'Snippets' }).click()
    const notice = page.getByRole('main').getByRole('alert')
    await notice.getByText('It is broken.').waitFor()
    await notice.getByRole('button', { name: 'Copy' }).click()
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('req-123')
    await expectAccessible(page)
    await page.unroute('**/api/snippets?*')
    await notice.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Nothing saved yet' }).waitFor()
    await page.getByText('snipkeep save team.csv').waitFor()
  })

  it('finds toasts in the middle at the bottom, and takes along only one that can undo something', async () => {
    const page = await open()
    const user = await dashboard().signIn(page, 'pia')
    const share = await makeShare(user, { title: 'Gone soon' })
    await user.post('/api/snippets', { tool: 'csv', title: 'Old', data: { v: 1 } })
    await page.getByRole('link', { name: 'Shares' }).click()
    await page.getByRole('button', { name: `Delete ${share.title}` }).click()
    await page.getByRole('button', { name: 'Delete share' }).click()
    const toasts = page.locator('.toasts')
    await toasts.getByText('Share deleted').waitFor()
    const box = await toasts.boundingBox()
    const width = await page.evaluate<number>('document.documentElement.clientWidth')
    expect(Math.abs((box?.x ?? 0) + (box?.width ?? 0) / 2 - width / 2)).toBeLessThan(2)
    await page.getByRole('link', { name: 'Snippets' }).click()
    await toasts.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Actions for Old' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await toasts.getByRole('button', { name: 'Undo' }).waitFor()
    await page.getByRole('link', { name: 'History' }).click()
    await toasts.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'Snippets' }).click()
    await page.getByRole('link', { name: 'Old' }).waitFor()
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it.each([1280, 390])(
    'sees no sections that touch, and no button higher than a line, %i px',
    async (width) => {
      const page = await open({ viewport: { width, height: 900 } })
      await dashboard().signIn(page, 'op')
      for (const path of [
        'profile',
        'plan',
        'operator',
        'operator/accounts',
        'operator/acts',
        'operator/queues',
        'compare',
      ]) {
        await page.goto(`${dashboard().system.baseUrl()}/dashboard/${path}`)
        await page.locator('h1').waitFor()
        await page.waitForLoadState('networkidle')
        await page.locator('.skeleton').waitFor({ state: 'detached' })
        expect(await smallestGap(page), path).toBeGreaterThanOrEqual(12)
        for (const button of await page.locator('.frame-main button').all())
          expect((await button.boundingBox())?.height ?? 0, path).toBeLessThan(60)
      }
      expect(browserErrors()).toEqual(noBrowserErrors)
    },
  )
})
