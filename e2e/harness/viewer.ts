import type { Locator, Page } from 'playwright-core'

/** The tabs of views, as opposed to those of parts. */
function viewTabs(page: Page): Locator {
  return page.locator('.viewer-tabs > [role=tab]')
}

/** Waits until the selected view is there. */
export async function viewShown(page: Page): Promise<Locator> {
  await page.locator('.viewer:not(.viewer-behind) .viewer-tabs').waitFor({ state: 'attached' })
  const panel = page.locator('.viewer-panel:not([hidden]):not([aria-busy=true])')
  await panel.waitFor()
  return panel
}

/** Chooses from the menu of the views. */
export async function chooseInMenu(
  page: Page,
  name: string,
  role: 'menuitem' | 'menuitemcheckbox' = 'menuitem',
) {
  await page.locator('.viewer-more').click()
  await page.getByRole(role, { name }).click()
}

/** Whether the text can also be shown as sent, which is on or off in the menu of the views. */
async function hasSentText(page: Page): Promise<boolean> {
  await page.locator('.viewer-more').click()
  await page.getByRole('menu').getByRole('menuitem').first().waitFor()
  const count = await page.getByRole('menuitemcheckbox', { name: 'As sent' }).count()
  await page.keyboard.press('Escape')
  return count > 0
}

/** Opens each view of a document in turn, and the text as sent last, and does something with it. */
export async function inEachView(
  page: Page,
  work: (name: string, panel: Locator) => Promise<void>,
): Promise<readonly string[]> {
  await viewShown(page)
  const names = await viewTabs(page).allTextContents()
  const open = async (name: string): Promise<void> => {
    const tab = viewTabs(page).filter({ hasText: new RegExp(`^${name}$`) })
    if (names.length > 1) await tab.click()
  }
  for (const name of names) {
    await open(name)
    await work(name, await viewShown(page))
  }
  if (!names.includes('Text')) return names
  await open('Text')
  if (!(await hasSentText(page))) return names
  await chooseInMenu(page, 'As sent', 'menuitemcheckbox')
  await work('As sent', await viewShown(page))
  return [...names, 'As sent']
}
