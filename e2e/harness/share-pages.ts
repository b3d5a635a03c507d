import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { ApiClient } from './api-client.js'
import {
  describeWithBrowser,
  type Profile,
  type ProfileOptions,
  startBrowser,
  type TestBrowser,
} from './browser.js'
import { type BrowserErrors, noBrowserErrors } from './browser-errors.js'
import { makeShare } from './make-share.js'
import { startSystem, type TestSystem } from './system.js'
import { viewShown } from './viewer.js'

/** How a share is created and its page opened. */
export interface OpenOptions extends ProfileOptions {
  readonly tool?: string
}

/** Share pages, each in its own profile, which is closed after the case. */
export interface SharePages {
  /** Shares data and opens its page, and waits for the first view. */
  open(data: object, options?: OpenOptions): Promise<Page>
  /** What the pages of this case did that they should not. */
  browserErrors(): BrowserErrors
}

/** Cases that open share pages in a browser. */
export function describeSharePages(name: string, cases: (pages: SharePages) => void): void {
  let system: TestSystem
  let browser: TestBrowser
  let sharer: ApiClient
  let profile: Profile | null = null

  describeWithBrowser(name, () => {
    beforeAll(async () => {
      ;[system, browser] = await Promise.all([startSystem(), startBrowser()])
      sharer = await system.user('ada', 'pro')
    })
    afterAll(async () => {
      await browser?.close()
      await system?.stop()
    })
    afterEach(async () => {
      await profile?.close()
      profile = null
    })
    cases({
      async open(data, { tool = 'tool', ...options } = {}) {
        const { share_url } = await makeShare(sharer, { tool, data })
        await profile?.close()
        profile = await browser.profile({ permissions: ['clipboard-read', 'clipboard-write'], ...options })
        const page = await profile.newPage()
        await page.goto(share_url)
        await viewShown(page)
        return page
      },
      browserErrors: () => profile?.browserErrors ?? noBrowserErrors,
    })
  })
}

/** The kind that the selector shows. */
export function kindShown(page: Page): Promise<string> {
  return page.getByRole('combobox', { name: 'Shown as' }).locator('option:checked').innerText()
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
