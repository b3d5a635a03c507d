import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithBrowser, startBrowser, type TestBrowser } from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { type DashboardSystem, makePro, startDashboard } from './harness/dashboard.js'
import { makeShare } from './harness/make-share.js'
import { viewShown } from './harness/viewer.js'

/** Runs in the page before anything else: records what the notice says while it compares, and tasks of 50 ms and more. */
const observer = `
window.tasks = []
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) window.tasks.push({ startTime, duration })
}).observe({ type: 'longtask', buffered: true })
window.notices = []
new MutationObserver(() => {
  const said = document.querySelector('.viewer-progress-text')?.textContent ?? ''
  if (said.startsWith('Comparing') && window.notices.at(-1)?.said !== said)
    window.notices.push({ said, at: performance.now() })
  if (document.querySelector('.comparison-summary') !== null) window.shownAt ??= performance.now()
}).observe(document, { subtree: true, childList: true, characterData: true })
`

/** What the observer has recorded. */
interface Recorded {
  readonly notices: readonly { readonly said: string; readonly at: number }[]
  readonly tasks: readonly { readonly startTime: number; readonly duration: number }[]
  readonly shownAt: number
}

const recorded = '({ notices: window.notices, tasks: window.tasks, shownAt: window.shownAt })'
const largeBytes = 50_000_000

describeWithBrowser('someone who compares two documents of 50 MB', () => {
  let dashboard: DashboardSystem
  let browser: TestBrowser

  beforeAll(async () => {
    ;[dashboard, browser] = await Promise.all([startDashboard(), startBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    await dashboard?.stop()
  })

  it('sees how far it has come, gets the changes, and has a page that responds all the time', async () => {
    const profile = await browser.profile(dashboard.profile)
    const page = await profile.newPage()
    const user = await dashboard.signIn(page, 'grace', '/dashboard')
    await makePro(dashboard, user)
    const row = (id: number, price: number) => ({ id, price, note: 'x'.repeat(70) })
    const count = 470_000
    const rows = Array.from({ length: count }, (_row, id) => row(id, id * 1.5))
    const [last, ...others] = [...rows].reverse()
    const changed = [...(last === undefined ? [] : [last]), ...others.reverse().slice(1)].map((one) =>
      one.id % 10_000 === 7 ? row(one.id, -1) : one,
    )
    const shares = []
    for (const data of [rows, changed]) {
      expect(JSON.stringify(data).length).toBeGreaterThan(0.95 * largeBytes)
      shares.push(await makeShare(user, { title: 'Large', data: { rows: data } }))
    }
    const [a, b] = shares
    await page.addInitScript(observer)
    await page.goto(new URL(`/s/${a?.id}/compare/${b?.id}`, a?.share_url).href)
    await page.getByText('47 changed, 0 added, 1 removed, 1 moved').waitFor({ timeout: 300_000 })
    await viewShown(page)
    await page.locator('.comparison :focus').waitFor()
    await page.keyboard.press('n')
    await page.locator('.comparison-place').getByText('Change 1 of 49').waitFor()
    const { notices, tasks, shownAt } = await page.evaluate<Recorded>(recorded)
    expect(new Set(notices.map(({ said }) => said)).size).toBeGreaterThan(10)
    // Comparing takes seconds; no task of the page takes more than a part of that.
    const comparedFrom = notices[0]?.at ?? 0
    const during = tasks.filter(({ startTime }) => startTime >= comparedFrom && startTime <= shownAt)
    const longest = Math.max(0, ...during.map(({ duration }) => duration))
    expect(longest, `of ${Math.round(shownAt - comparedFrom)} ms`).toBeLessThan((shownAt - comparedFrom) / 4)
    expect(profile.browserErrors).toEqual(noBrowserErrors)
    await profile.close()
  }, 900_000)
})
