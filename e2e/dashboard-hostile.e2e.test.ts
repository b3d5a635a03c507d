import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hostileMarkup } from '#libs/testing/hostile-markup.js'
import { hostileStrings } from '#libs/testing/hostile-strings.js'
import { naughtyStrings } from '#libs/testing/naughty-strings.js'
import type { ApiClient } from './harness/api-client.js'
import { describeWithBrowser, startBrowser, type TestBrowser } from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { type DashboardSystem, makePro, startDashboard } from './harness/dashboard.js'
import { iterations } from './harness/iterations.js'

const texts = [...new Set([...hostileMarkup, ...naughtyStrings, ...hostileStrings])]
const titlesOfOne = 200
/** Few enough for a normal run; each needs its own record. */
const titlesMax = iterations(100, Number.POSITIVE_INFINITY)
const atOnce = 8
const tagsPerSnippet = 20
const detailsPerEntry = 60

let dashboard: DashboardSystem
let browser: TestBrowser

/** Batches of at most `size`. */
function portions<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  )
}

/** An evenly spread sample of at most `max` texts. */
function some(list: readonly string[], max: number): readonly string[] {
  const step = Math.max(1, list.length / max)
  return Array.from({ length: Math.min(max, list.length) }, (_, at) => list[Math.floor(at * step)] ?? '')
}

/** Sends each, a few in parallel; returns those the API accepted, since the others are never shown. */
async function create<Body extends object>(
  user: ApiClient,
  path: string,
  bodies: readonly Body[],
): Promise<readonly Body[]> {
  const left = bodies.values()
  const taken: Body[] = []
  const worker = async (): Promise<void> => {
    for (const body of left) {
      const { status } = await user.post(path, body)
      expect([201, 400]).toContain(status)
      if (status === 201) taken.push(body)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return taken
}

/** Loads all of a list. */
async function showAll(page: Page, section: string): Promise<void> {
  await page.goto(`${dashboard.system.baseUrl()}/dashboard/${section}`)
  await page.locator('.rows > .row').first().waitFor()
  const more = page.getByRole('button', { name: 'Load more' })
  // More is loaded near the end of the list.
  await expect
    .poll(async () => {
      await page.keyboard.press('End')
      return more.count()
    })
    .toBe(0)
  await page.locator('.rows[aria-busy=false]').waitFor()
}

/** Saves these titles in every list of a user, with tags and details on request, and looks at each list. */
async function showHostile(
  page: Page,
  user: ApiClient,
  titles: readonly string[],
  withTags: boolean,
): Promise<void> {
  const tags = texts.filter((text) => [...text].length <= 50 && !/\p{C}/u.test(text) && text.trim() !== '')
  const labelled = withTags
    ? portions(tags, tagsPerSnippet).map((some) => ({ title: 'Tags', tags: some }))
    : []
  const detailed = (withTags ? portions(texts, detailsPerEntry) : []).map((some) => ({
    metadata: Object.fromEntries(some.map((text, at) => [`${at} ${text}`, text])),
  }))
  const fields = { tool: 'csv', data: {} }
  const snippets = await create(user, '/api/snippets', [
    ...labelled.map((more) => ({ ...fields, ...more })),
    ...titles.map((title) => ({ ...fields, title, tags: ['tag'] })),
  ])
  const shares = await create(
    user,
    '/api/shares',
    titles.map((title) => ({ ...fields, title })),
  )
  const entries = await create(user, '/api/history', [
    ...detailed.map((more) => ({ tool: 'csv', title: 'Details', ...more })),
    ...titles.map((title) => ({ tool: 'csv', title, metadata: {} })),
  ])
  const keys = await create(
    user,
    '/api/keys',
    some(hostileMarkup, 5).map((name) => ({ name: name.slice(0, 100) })),
  )
  expect(keys).toHaveLength(5)

  const titlesOf = (taken: readonly { readonly title: string }[]) => taken.map(({ title }) => title)
  const shown: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
    snippets: {
      '.row-title': titlesOf(snippets),
      '.tag': snippets.flatMap(({ tags }) => [...new Set(tags.map((tag) => tag.trim()))]),
    },
    shares: { '.row-title': titlesOf(shares) },
    history: {
      '.row-title': titlesOf(entries),
      dd: entries.flatMap(({ metadata }) => Object.values(metadata)),
    },
    keys: { '.row-title': keys.map(({ name }) => name) },
  }
  for (const [section, places] of Object.entries(shown)) {
    await showAll(page, section)
    for (const [place, words] of Object.entries(places)) {
      const found = await page.locator(`.row ${place}`).allTextContents()
      const sent = words.map((text) => text.toWellFormed())
      expect(found.map((text) => text.toWellFormed()).toSorted(), `${place} of ${section}`).toEqual(
        sent.toSorted(),
      )
    }
    const strangers = 'img, image, iframe, object, embed, script:not([src]), style:not([nonce])'
    expect(await page.locator(`#dashboard :is(${strangers})`).count(), section).toBe(0)
  }
  await page
    .getByRole('button', { name: /^Revoke/ })
    .first()
    .click()
  await page.getByText('stops working immediately').waitFor()
}

describeWithBrowser('the dashboard over hostile content', () => {
  beforeAll(async () => {
    ;[dashboard, browser] = await Promise.all([startDashboard(), startBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    await dashboard?.stop()
  })

  const titles = some(
    texts.filter((text) => [...text].length <= 200),
    titlesMax,
  )

  it('there are enough texts', () => {
    expect(texts.length).toBeGreaterThan(2_000)
    expect(titles.length).toBeGreaterThanOrEqual(iterations(100, 2_000))
  })

  // A browser needs minutes for a list of thousands: each owner has some of the titles.
  it.each(portions(titles, titlesOfOne).map((some, at) => ({ some, part: at + 1 })))(
    'runs no script, asks no one else, and shows each title, tag and detail as the text that it is (part $part)',
    async ({ some, part }) => {
      const profile = await browser.profile(dashboard.profile)
      const page = await profile.newPage()
      const user = await dashboard.signIn(page, `mallory-${part}`)
      await makePro(dashboard, user)
      await showHostile(page, user, some, part === 1)
      expect(profile.browserErrors).toEqual(noBrowserErrors)
      expect(browser.recorder.caught).toEqual([])
      await profile.close()
    },
  )

  it('follows no script URL, and treats no filter as markup', async () => {
    const profile = await browser.profile(dashboard.profile)
    const page = await profile.newPage()
    await dashboard.signIn(page, 'trudy')
    for (const text of some(hostileMarkup, iterations(3, 300))) {
      const value = encodeURIComponent(text)
      for (const path of [
        `history?tool=${value}`,
        `shares?state=${value}&tool=${value}`,
        `plan?checkout=${value}`,
      ]) {
        await page.goto(`${dashboard.system.baseUrl()}/dashboard/${path}#${value}`)
        await page.getByRole('navigation', { name: 'Sections' }).waitFor()
        await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
      }
    }
    expect(profile.browserErrors).toEqual(noBrowserErrors)
    expect(browser.recorder.caught).toEqual([])
    await profile.close()
  })
})
