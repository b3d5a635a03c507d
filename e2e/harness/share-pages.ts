import type { Page } from 'playwright-core'
import { beforeAll } from 'vitest'
import type { ApiClient } from './api-client.js'
import { describeWithBrowser, type ProfileOptions } from './browser.js'
import type { BrowserErrors } from './browser-errors.js'
import { inBrowser } from './in-browser.js'
import { makeShare } from './make-share.js'
import { startSystem } from './system.js'
import { viewShown } from './viewer.js'

/** How a share is created and its page opened. */
export interface OpenOptions extends ProfileOptions {
  readonly tool?: string
}

/** Share pages, each in its own profile, which is closed after the case. */
export interface SharePages {
  /** Shares data; the address of its page. */
  share(data: object, tool?: string): Promise<string>
  /** Shares data and opens its page, and waits for the first view. */
  open(data: object, options?: OpenOptions): Promise<Page>
  /** Opens a page of another profile. */
  another(url: string, options?: ProfileOptions): Promise<Page>
  /** What the pages of this case did that they should not. */
  browserErrors(): BrowserErrors
}

/** Cases that open share pages in a browser. */
export function describeSharePages(name: string, cases: (pages: SharePages) => void): void {
  describeWithBrowser(name, () => {
    const { system, newPage, browserErrors } = inBrowser(() => startSystem())
    let sharer: ApiClient
    beforeAll(async () => {
      sharer = await system().user('ada', 'pro')
    })
    const share = async (data: object, tool = 'tool') => (await makeShare(sharer, { tool, data })).share_url
    cases({
      share,
      async open(data, { tool, ...options } = {}) {
        const share_url = await share(data, tool)
        const page = await newPage({ permissions: ['clipboard-read', 'clipboard-write'], ...options })
        await page.goto(share_url)
        await viewShown(page)
        return page
      },
      async another(url, options = {}) {
        const page = await newPage(options)
        await page.goto(url)
        return page
      },
      browserErrors,
    })
  })
}

/** The kind that the menu of the views names. */
export async function kindShown(page: Page): Promise<string> {
  await page.locator('.viewer-more').click()
  const shown = await page.getByRole('menuitem', { name: /^Shown as / }).innerText()
  await page.keyboard.press('Escape')
  return shown.replace(/^Shown as /, '')
}

/** Shows the open part as another kind. */
export async function showAs(page: Page, kind: string): Promise<void> {
  await page.locator('.viewer-more').click()
  await page.getByRole('menuitem', { name: /^Shown as / }).click()
  await page.getByRole('menuitemradio', { name: kind, exact: true }).click()
}

/** What was copied last. */
export function clipboardText(page: Page): Promise<string> {
  return page.evaluate<string>('navigator.clipboard.readText()')
}

/** Opens a part by its tab and waits for its first view. */
export async function openPart(page: Page, name: string): Promise<void> {
  await page
    .getByRole('tablist', { name: 'Parts of the data' })
    .getByRole('tab', { name, exact: true })
    .click()
  await page.locator('.viewer-part:not([aria-busy=true])').waitFor()
  await viewShown(page)
}
