import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type Profile, type ProfileOptions, startBrowser, type TestBrowser } from './browser.js'
import { type BrowserErrors, noBrowserErrors } from './browser-errors.js'

/** What cases share; it is there once they run. */
export interface InBrowser<System> {
  system(): System
  browser(): TestBrowser
  /** An empty page in a fresh profile, which is closed with the next one, or after the case. */
  newPage(options?: ProfileOptions): Promise<Page>
  /** What the pages of this profile did that they should not. */
  browserErrors(): BrowserErrors
}

/** A system and a browser for the cases of a `describeWithBrowser`. */
export function inBrowser<System extends { stop(): Promise<void> }>(
  start: () => Promise<System>,
): InBrowser<System> {
  let system: System
  let browser: TestBrowser
  let profile: Profile | null = null

  async function closeProfile(): Promise<void> {
    await profile?.close()
    profile = null
  }
  beforeAll(async () => {
    ;[system, browser] = await Promise.all([start(), startBrowser()])
  })
  afterEach(closeProfile)
  afterAll(async () => {
    await browser?.close()
    await system?.stop()
  })
  return {
    system: () => system,
    browser: () => browser,
    async newPage(options) {
      await closeProfile()
      profile = await browser.profile(options)
      return profile.newPage()
    },
    browserErrors: () => profile?.browserErrors ?? noBrowserErrors,
  }
}
