import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hostileMarkup, requestMarkup } from '#libs/testing/hostile-markup.js'
import { hostileStrings } from '#libs/testing/hostile-strings.js'
import { naughtyStrings } from '#libs/testing/naughty-strings.js'
import type { ApiClient } from './harness/api-client.js'
import { describeWithBrowser, startBrowser, type TestBrowser } from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { startInsecureServer } from './harness/insecure-server.js'
import { iterations } from './harness/iterations.js'
import { makeShare } from './harness/make-share.js'
import { startSystem, type TestSystem } from './harness/system.js'
import { inEachView, viewShown } from './harness/viewer.js'

const texts = [...new Set([...naughtyStrings, ...hostileStrings, ...hostileMarkup, ...requestMarkup])]
/** Few enough for a normal run; each needs its own share and page. */
const titlesMax = iterations(60, Number.POSITIVE_INFINITY)
const pagesAtOnce = 4
/** Tall, so that a view shows many lines. */
const viewport = { width: 1_280, height: 1_800 }

let system: TestSystem
let browser: TestBrowser
let lea: ApiClient

/** Processes many items, a few in parallel. */
async function forEach<Item>(
  items: readonly Item[],
  work: (item: Item, worker: number) => Promise<void>,
): Promise<void> {
  const left = items.values()
  const worker = async (_: unknown, index: number): Promise<void> => {
    for (const item of left) await work(item, index)
  }
  await Promise.all(Array.from({ length: pagesAtOnce }, worker))
}

/** Opens each view of the data, and scrolls through it; returns the names. */
async function lookThrough(page: Page): Promise<readonly string[]> {
  const scroll = async (panel: Locator): Promise<void> => {
    await panel.hover()
    for (let turn = 0; turn < 12; turn += 1) {
      await page.mouse.wheel(0, 1_000)
      await page.waitForTimeout(20)
    }
  }
  const views = await inEachView(page, (_name, panel) => scroll(panel))
  await page.evaluate("location.hash = '#sent-L1'")
  await page.getByText('Line 1 as sent', { exact: true }).waitFor()
  await scroll(await viewShown(page))
  return views
}

/** Texts in batches of a few hundred, so that each of them is shown. */
function portions(size: number): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(texts.length / size) }, (_, at) =>
    texts.slice(at * size, (at + 1) * size),
  )
}

function cell(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

describeWithBrowser('content that wants to be more than text', () => {
  beforeAll(async () => {
    ;[system, browser] = await Promise.all([startSystem(), startBrowser()])
    lea = await system.user('lea', 'pro')
  })
  afterAll(async () => {
    await browser?.close()
    await system?.stop()
  })

  /**
   * Pages that must behave like all of ours; each in a fresh profile, since browsers throttle all but one
   * page of a profile.
   */
  const withPages = async (work: (pages: readonly Page[]) => Promise<void>): Promise<void> => {
    const profiles = await Promise.all(
      Array.from({ length: pagesAtOnce }, () => browser.profile({ viewport })),
    )
    try {
      await work(await Promise.all(profiles.map((profile) => profile.newPage())))
      for (const { browserErrors } of profiles) expect(browserErrors).toEqual(noBrowserErrors)
      expect(browser.recorder.caught).toEqual([])
    } finally {
      await Promise.all(profiles.map((profile) => profile.close()))
    }
  }

  it('there are enough texts', () => {
    expect(texts.length).toBeGreaterThan(3_000)
    expect(requestMarkup.length).toBeGreaterThanOrEqual(230)
  })

  it('would be detected: an insecure page causes every kind of incident', async () => {
    const profile = await browser.profile()
    const page = await profile.newPage()
    const insecure = await startInsecureServer()
    await page.goto(insecure.url)
    const kindsUnseen = (): readonly string[] =>
      Object.entries(profile.browserErrors).flatMap(([kind, seen]) => (seen.length === 0 ? [kind] : []))
    await expect.poll(kindsUnseen).toEqual([])
    await expect.poll(() => browser.recorder.caught.length).toBeGreaterThan(0)
    expect(browser.recorder.caught[0]).toContain('evil.example')
    await profile.close()
    await insecure.stop()
    browser.recorder.forget()
  })

  interface Shape {
    readonly name: string
    /** Some of it may look like a table by chance, and have one more. */
    readonly views: readonly string[]
    /** The place to go to, so that what is folded opens. */
    readonly place: string
    dataOf(part: readonly string[]): object
  }
  const shapes: readonly Shape[] = [
    {
      name: 'in an array',
      views: ['Text', 'Tree'],
      place: '/items/3',
      dataOf: (part) => ({ items: part }),
    },
    {
      name: 'as keys',
      views: ['Text', 'Tree'],
      place: '/first/x',
      dataOf: (part) => ({ first: { x: 0 }, ...Object.fromEntries(part.map((text) => [text, [text]])) }),
    },
    {
      name: 'in the rows of a table of objects',
      views: ['Text', 'Tree', 'Table'],
      place: '/rows/3/text',
      dataOf: (part) => ({ rows: part.map((text) => ({ text, [text.slice(0, 50)]: text })) }),
    },
    {
      name: 'in CSV',
      views: ['Text', 'Table'],
      place: 'cell=3,1',
      dataOf: (part) => ({
        csv: ['text,again', ...part.map((text) => `${cell(text)},${cell(text)}`)].join('\n'),
      }),
    },
    {
      name: 'as SQL',
      views: ['Text'],
      place: 'L3',
      dataOf: (part) => ({ sql: part.map((text) => `SELECT '${text}';`).join('\n') }),
    },
  ]

  it.each(shapes)(
    'stays text as data $name, in every view and as raw text',
    async ({ views, place, dataOf }) => {
      await withPages(async (pages) => {
        await forEach(portions(800), async (part, worker) => {
          const { id, share_url } = await makeShare(lea, { data: dataOf(part) })
          const page = pages[worker]
          if (page === undefined) return
          await page.goto(`${share_url}#${place}`)
          expect(await lookThrough(page)).toEqual(expect.arrayContaining([...views]))
          for (const path of [`/api/shares/${id}`, `/api/shares/${id}/raw`])
            await page.goto(`${system.baseUrl()}${path}`)
        })
      })
    },
  )

  it('stays text as a title, unchanged, also on the page of an expired share', async () => {
    const step = Math.max(1, Math.floor(texts.length / titlesMax))
    const titles = texts.filter(
      (text, index) => index % step === 0 && text.trim() !== '' && [...text].length <= 200,
    )
    const wanted = Math.min(titlesMax, texts.length)
    expect(titles.length).toBeGreaterThan(wanted * 0.8)
    const ids: string[] = []
    await withPages(async (pages) => {
      await forEach(titles, async (title, worker) => {
        const made = await lea.post('/api/shares', { tool: 'csv', title, data: { v: title } })
        // An invisible title counts as empty.
        if (made.status === 400) return
        expect(made.status, title).toBe(201)
        const { id, title: kept } = made.json<{ id: string; title: string }>()
        ids.push(id)
        const page = pages[worker]
        if (page === undefined) return
        const shown = await page.goto(`${system.baseUrl()}/s/${id}`)
        expect(shown?.status(), title).toBe(200)
        await page.getByRole('button', { name: 'More ways to copy' }).waitFor()
        const attribute = await page.locator('#share').getAttribute('data-share')
        expect(JSON.parse(attribute ?? '').title).toBe(kept)
        expect(await page.locator('h1').count()).toBe(1)
      })
    })
    expect(ids.length).toBeGreaterThan(wanted * 0.65)
    await system.expireShares(ids, -1)
    await withPages(async (pages) => {
      await forEach(ids, async (id, worker) => {
        // Not before the cached page of a moment ago has expired.
        await expect.poll(async () => (await system.anyone().get(`/s/${id}`)).status).toBe(410)
        const response = await pages[worker]?.goto(`${system.baseUrl()}/s/${id}`)
        expect(response?.status()).toBe(410)
      })
    })
  })

  it('as a tool is rejected, or is a single word', async () => {
    const statuses = new Set<number>()
    await forEach(texts, async (tool) => {
      const { status } = await lea.post('/api/shares', { tool, title: 'x', data: {} })
      statuses.add(status)
      if (status !== 400) expect(tool).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/)
    })
    expect([...statuses].sort()).toEqual([201, 400])
  })
})
