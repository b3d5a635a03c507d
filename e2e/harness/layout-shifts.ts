import type { Page } from 'playwright-core'

/** Records by how much the pages that are opened from now on move without being asked to. */
export async function recordLayoutShifts(page: Page): Promise<void> {
  await page.addInitScript(`globalThis.shifts = 0
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shifts += value
    }).observe({ type: 'layout-shift', buffered: true })`)
}

/** The sum of the shifts so far, which search engines call good up to 0.1. */
export function layoutShift(page: Page): Promise<number> {
  return page.evaluate<number>('shifts')
}
