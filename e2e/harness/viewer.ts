import type { Locator, Page } from 'playwright-core'

/** The tabs of views, as opposed to those of parts. */
function viewTabs(page: Page): Locator {
  return page.locator('.viewer-tabs').getByRole('tab')
}

/** Waits until the selected view is there. */
export async function viewShown(page: Page): Promise<Locator> {
  await page.locator('.viewer-tabs [role=tab][aria-selected=true]').waitFor()
  const panel = page.locator('.viewer-panel:not([hidden]):not([aria-busy=true])')
  await panel.waitFor()
  return panel
}

/** Opens each view of a document in turn, and does something with it. */
export async function inEachView(
  page: Page,
  work: (name: string, panel: Locator) => Promise<void>,
): Promise<readonly string[]> {
  await viewShown(page)
  const names = await viewTabs(page).allTextContents()
  for (const name of names) {
    await viewTabs(page)
      .filter({ hasText: new RegExp(`^${name}$`) })
      .click()
    await work(name, await viewShown(page))
  }
  return names
}
