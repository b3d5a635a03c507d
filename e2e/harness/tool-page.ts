import type { Locator, Page } from 'playwright-core'

/** The input of a tool's page. */
export function inputOf(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Input', exact: true })
}

/** Waits until the page has run the tool. */
export function madeOn(page: Page): Promise<void> {
  return page.locator('#status').getByText(' ms').waitFor()
}
