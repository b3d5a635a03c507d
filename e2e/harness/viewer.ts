import type { Locator, Page } from 'playwright-core'

/** Waits until the view that is chosen is there. */
export async function viewShown(page: Page): Promise<Locator> {
  await page.getByRole('tab', { selected: true }).waitFor()
  const panel = page.locator('[role=tabpanel]:not([hidden]):not([aria-busy=true])')
  await panel.waitFor()
  return panel
}

/** Opens each view that a document has, one after the other, and does something with it. */
export async function inEachView(
  page: Page,
  work: (name: string, panel: Locator) => Promise<void>,
): Promise<readonly string[]> {
  await viewShown(page)
  const names = await page.getByRole('tab').allTextContents()
  for (const name of names) {
    await page.getByRole('tab', { name, exact: true }).click()
    await work(name, await viewShown(page))
  }
  return names
}
