import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { describeWithBrowser, type Profile, startBrowser, type TestBrowser } from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { type MadeShare, makeShare } from './harness/make-share.js'
import { startSystem, type TestSystem } from './harness/system.js'
import { viewShown } from './harness/viewer.js'

/** More lines than browsers can render at full height: a pixel of the scroll bar stands for several. */
const lineCount = 400_000

/** A view, its scrolling element, and its rows. */
interface Listed {
  readonly tab: string
  readonly scroller: string
  readonly row: string
  /** How many rows it shows. */
  readonly rowCount: number
  /** The height of what is sticky above the rows. */
  readonly head: string | null
}

const views: readonly Listed[] = [
  { tab: 'Table', scroller: '.table', row: '.table-row', head: '.table-head', rowCount: 200_000 },
  { tab: 'Text', scroller: '.viewer-lines', row: '.viewer-line', head: null, rowCount: lineCount },
]

/** What is visible of a list, with the text of its rows. */
interface Seen {
  readonly first: string
  readonly last: string
  /** From the bottom of the last rendered row to that of the view; positive if part of it is blank. */
  readonly blankBelow: number
  readonly blankAbove: number
  /** From the top of the view to the row that was there before. */
  readonly topOf: Readonly<Record<string, number>>
}

let system: TestSystem
let browser: TestBrowser
let profile: Profile
let share: MadeShare

/** Runs in the page. */
const look = `({ scroller, row, head }) => {
  const view = document.querySelector(scroller)
  const box = view.getBoundingClientRect()
  const top = head === null ? box.top : document.querySelector(head).getBoundingClientRect().bottom
  const bottom = box.top + view.clientHeight
  const drawn = [...view.querySelectorAll(row)].map((one) => {
    const edges = one.getBoundingClientRect()
    return { text: one.textContent, top: edges.top, bottom: edges.bottom }
  })
  const inSight = drawn.filter((one) => one.bottom > top + 1 && one.top < bottom - 1)
  return {
    first: inSight.at(0)?.text ?? '',
    last: inSight.at(-1)?.text ?? '',
    blankBelow: bottom - (drawn.at(-1)?.bottom ?? top),
    blankAbove: (drawn.at(0)?.top ?? bottom) - top,
    topOf: Object.fromEntries(inSight.map((one) => [one.text, one.top - top])),
  }
}`

function seen(page: Page, view: Listed): Promise<Seen> {
  return page.evaluate<Seen>(`(${look})(${JSON.stringify(view)})`)
}

/** Drags the scroll bar to this fraction of its range. */
async function drag(page: Page, { scroller }: Listed, part: number): Promise<void> {
  const find = `document.querySelector(${JSON.stringify(scroller)})`
  await page.evaluate(`${find}.scrollTop = ${part} * (${find}.scrollHeight - ${find}.clientHeight)`)
}

function numberOf(text: string): number {
  return Number(/Item (\d+)/.exec(text)?.[1])
}

describeWithBrowser('a list that is higher than browsers draw', () => {
  beforeAll(async () => {
    ;[system, browser] = await Promise.all([startSystem(), startBrowser()])
    const rows = Array.from({ length: lineCount }, (_none, row) => `Item ${row}`)
    share = await makeShare(await system.user('lea', 'pro'), { data: { csv: ['name', ...rows].join('\n') } })
  })
  afterAll(async () => {
    await browser?.close()
    await system?.stop()
  })
  afterEach(() => profile?.close())

  describe.each(views)('as $tab', (view) => {
    const { rowCount } = view

    it('shows its first row to its last, wherever it is scrolled to', async () => {
      profile = await browser.profile()
      const page = await profile.newPage()
      await page.goto(share.share_url)
      await viewShown(page)
      await page.locator('.viewer-tabs').getByRole('tab', { name: view.tab, exact: true }).click()
      await viewShown(page)
      const first = async (): Promise<number> => numberOf((await seen(page, view)).first)
      const last = async (): Promise<number> => numberOf((await seen(page, view)).last)
      const blank = async (): Promise<number> => {
        const { blankAbove, blankBelow } = await seen(page, view)
        return Math.max(blankAbove, blankBelow)
      }
      const filled = () => expect.poll(blank).toBeLessThan(2)
      await expect.poll(last).toBeGreaterThan(5)
      await filled()

      await drag(page, view, 1)
      await expect.poll(last).toBe(rowCount - 1)
      await filled()

      await drag(page, view, 0.5)
      await expect.poll(first).toBeGreaterThan(rowCount * 0.49)
      expect(await last()).toBeLessThan(rowCount * 0.51)
      await filled()

      const middle = await seen(page, view)
      await page.locator(view.scroller).hover()
      await page.mouse.wheel(0, 100)
      const moved = async (): Promise<number> => {
        const { topOf } = await seen(page, view)
        return Math.round((middle.topOf[middle.last] ?? 0) - (topOf[middle.last] ?? 0))
      }
      await expect.poll(moved).toBe(100)
      await filled()

      await drag(page, view, 0)
      await expect.poll(async () => (await seen(page, view)).topOf).not.toHaveProperty(middle.last)
      await expect.poll(last).toBeLessThan(100)
      await filled()
      expect(profile.browserErrors).toEqual(noBrowserErrors)
    })
  })
})
