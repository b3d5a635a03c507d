import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { overflowOf } from './harness/accessibility.js'
import { describeWithBrowser, type Profile, startBrowser, type TestBrowser } from './harness/browser.js'
import { type DashboardSystem, startDashboard } from './harness/dashboard.js'

let dashboard: DashboardSystem
let browser: TestBrowser
let profile: Profile

/** The gaps between the labels of the navigation, as they are drawn. */
const labelGaps = `(() => {
  const boxes = [...document.querySelectorAll('.tabs .nav-link span:not(.press-content)')].map((label) => {
    const range = document.createRange()
    range.selectNodeContents(label)
    return range.getBoundingClientRect()
  })
  return boxes.slice(1).map(({ left }, before) => left - boxes[before].right)
})()`

describeWithBrowser('the bar of the dashboard', () => {
  beforeAll(async () => {
    ;[dashboard, browser] = await Promise.all([startDashboard(), startBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    await dashboard?.stop()
  })
  afterEach(() => profile?.close())

  it('keeps its labels apart on narrow screens', async () => {
    profile = await browser.profile({ ...dashboard.profile, viewport: { width: 320, height: 800 } })
    const page = await profile.newPage()
    await dashboard.signIn(page, 'narrow')
    for (const width of [320, 360, 390]) {
      await page.setViewportSize({ width, height: 800 })
      const gaps = await page.evaluate<readonly number[]>(labelGaps)
      expect(gaps, `${width} px`).toHaveLength(3)
      expect(Math.min(...gaps), `${width} px`).toBeGreaterThanOrEqual(4)
      expect(await overflowOf(page), `${width} px`).toBe(0)
    }
  })
})
