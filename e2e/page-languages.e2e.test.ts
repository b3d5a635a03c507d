import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { de } from '../services/web/texts/de.js'
import { en, type TextName } from '../services/web/texts/en.js'
import { ja } from '../services/web/texts/ja.js'
import type { Message } from '../services/web/texts/message.js'
import { describeWithBrowser } from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { type DashboardSystem, startDashboard } from './harness/dashboard.js'
import { inBrowser } from './harness/in-browser.js'
import { csvOf, makeShare } from './harness/make-share.js'
import { viewShown } from './harness/viewer.js'

const formsOf = (message: Message): readonly string[] =>
  typeof message === 'string' ? [message] : Object.values(message)

/** What is English alone: whole texts that the other language never uses. */
function englishOnly(catalogue: Readonly<Record<string, Message>>): ReadonlySet<string> {
  const used = new Set(Object.values(catalogue).flatMap(formsOf))
  return new Set(
    Object.values<Message>(en)
      .flatMap(formsOf)
      .filter((form) => !used.has(form)),
  )
}

/** Every text, label, title and placeholder of the page, apart from what says that it is English. */
const shownTexts = `[...document.body.querySelectorAll('*')]
  .filter((element) => element.closest('[lang=en], script, noscript') === null)
  .flatMap((element) => [
    ...[...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ data }) => data),
    ...['aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name) ?? ''),
  ])
  .map((text) => text.trim())
  .filter((text) => text !== '')`

const overflow = 'document.documentElement.scrollWidth - innerWidth'

describeWithBrowser('a reader whose browser asks for another language', () => {
  const { system: dashboard, newPage, browserErrors } = inBrowser<DashboardSystem>(() => startDashboard())

  it.each([
    ['de-DE', 'de', de],
    ['ja-JP', 'ja', ja],
  ] as const)(
    '%s: reads no English in a share, a tool and the dashboard, on a phone, too',
    async (locale, language, catalogue) => {
      const english = englishOnly(catalogue)
      const say = (name: TextName): string => formsOf(catalogue[name])[0] ?? ''
      const { system, profile } = dashboard()
      const page = await newPage({
        ...profile,
        locale,
        reducedMotion: 'reduce',
        viewport: { width: 390, height: 844 },
      })

      const check = async (where: string): Promise<void> => {
        const texts = await page.evaluate<readonly string[]>(shownTexts)
        expect(texts.length, where).toBeGreaterThan(5)
        expect(
          [...new Set(texts)].filter((text) => english.has(text)),
          where,
        ).toEqual([])
        expect(await page.evaluate('document.documentElement.lang'), where).toBe(language)
        expect(await page.evaluate<number>(overflow), where).toBeLessThanOrEqual(0)
      }
      const user = await dashboard().signIn(
        page,
        `reader-${language}`,
        '/dashboard/profile',
        say('session.signIn'),
      )
      await page.getByRole('heading', { name: say('profile.export') }).waitFor()
      await check('the profile')
      expect((await user.post('/api/snippets', { tool: 'csv', title: 'Kept', data: { n: 1 } })).status).toBe(
        201,
      )
      for (const [section, shown] of [
        ['snippets', 'snippets.new'],
        ['shares', 'shares.new'],
        ['history', 'history.none'],
        ['plan', 'plan.shares'],
        ['events', 'events.about'],
      ] as const) {
        await page.goto(`${system.baseUrl()}/dashboard/${section}`)
        await page.getByText(say(shown)).first().waitFor()
        await check(section)
      }

      const { share_url } = await makeShare(user, { data: { csv: csvOf(20) }, title: 'S' })
      await page.goto(share_url)
      await viewShown(page)
      await check('a share')
      await page.goto(`${system.baseUrl()}/tools/json-format`)
      await page.locator('#input').fill('{"a":1}')
      await page.locator('#status').getByText(/ms/).waitFor()
      await check('a tool')
      await page.goto(`${system.baseUrl()}/tools`)
      await page
        .getByPlaceholder(say('tools.search'))
        .or(page.getByLabel(say('tools.search')))
        .first()
        .waitFor()
      await check('the list of tools')
      await page.goto(system.baseUrl())
      await viewShown(page)
      await check('the front page')
      expect(browserErrors()).toEqual(noBrowserErrors)
    },
  )

  it('chooses English below the page, keeps it everywhere, and comes back to the page', async () => {
    const { system, profile } = dashboard()
    const page: Page = await newPage({ ...profile, locale: 'de-DE' })
    const lang = () => page.evaluate('document.documentElement.lang')
    await page.goto(`${system.baseUrl()}/tools/json-format`)
    expect(await lang()).toBe('de')
    await page.getByRole('link', { name: 'English' }).click()
    await page.getByText('What is preserved').waitFor()
    expect([await lang(), new URL(page.url()).pathname]).toEqual(['en', '/tools/json-format'])
    await page.goto(`${system.baseUrl()}/dashboard`)
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(await lang()).toBe('en')
  })

  it('keeps the place that the fragment names when a language is chosen', async () => {
    const { system, profile } = dashboard()
    const page: Page = await newPage({ ...profile, locale: 'en-US' })
    const user = await dashboard().signIn(page, 'ada')
    const { share_url } = await makeShare(user, { data: { csv: csvOf(300) } })
    for (const url of [
      `${share_url}#cell=120,1`,
      `${system.baseUrl()}/docs/cli#credentials`,
      `${system.baseUrl()}/compare#how-title`,
    ]) {
      await page.goto(url)
      if (url.startsWith(share_url)) await viewShown(page)
      await page.getByRole('link', { name: 'Deutsch' }).click()
      await page.waitForURL((now) => now.pathname === new URL(url).pathname)
      await page.locator('html[lang=de]').waitFor()
      expect(await page.evaluate('location.href')).toBe(url)
      await page.context().clearCookies()
    }
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('marks what is in English on a German page as English, and German buttons in English guides as German', async () => {
    const { system, profile } = dashboard()
    const page: Page = await newPage({ ...profile, locale: 'de-DE' })
    const languageOf = (selector: string) => page.locator(selector).first().getAttribute('lang')
    await page.goto(`${system.baseUrl()}/tools/json-format`)
    await page.getByRole('textbox', { name: 'Eingabe' }).fill('{')
    await page.locator('.tool-reason').waitFor()
    expect(await languageOf('.tool-reason')).toBe('en')
    await page.goto(`${system.baseUrl()}/docs/cli`)
    await page.locator('.docs-code button').first().waitFor()
    expect(await languageOf('.docs-code button')).toBe('de')
    await page.goto(`${system.baseUrl()}/docs`)
    expect(
      await page
        .locator('a[href="/api/docs"]')
        .evaluateAll((links) => links.map((link) => link.closest('[lang]')?.getAttribute('lang'))),
    ).toContain('de')
    expect(await languageOf('.docs-list > li')).toBe('en')
  })
})
