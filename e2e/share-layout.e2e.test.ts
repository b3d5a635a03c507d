import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { accessibilityProblems, overflowOf } from './harness/accessibility.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { csvOf } from './harness/make-share.js'
import { clipboardText, describeSharePages } from './harness/share-pages.js'
import { chooseInMenu, viewShown } from './harness/viewer.js'

const phone = { viewport: { width: 390, height: 844 } }
const lines = Array.from({ length: 400 }, (_, line) => `entry ${line}`).join('\n')
const nested = {
  users: Object.fromEntries(Array.from({ length: 120 }, (_, user) => [`user ${user}`, { id: user }])),
}
const documents: Readonly<Record<string, object>> = {
  JSON: nested,
  CSV: { csv: csvOf(2_001) },
  text: { text: lines },
}

/** Where something is in the window. */
async function boxOf(page: Page, selector: string): Promise<{ top: number; bottom: number }> {
  const box = await page.locator(selector).first().boundingBox()
  return { top: box?.y ?? -1, bottom: (box?.y ?? -1) + (box?.height ?? 0) }
}

/** How often Tab is pressed until the data has the focus. */
async function stopsBeforeData(page: Page): Promise<readonly string[]> {
  const passed: string[] = []
  for (;;) {
    await page.keyboard.press('Tab')
    const now = await page.evaluate<string | null>(
      "document.activeElement.closest('.viewer-panel') ? null : document.activeElement.outerHTML.slice(0, 80)",
    )
    if (now === null || passed.length > 20) return passed
    passed.push(now)
  }
}

describeSharePages('the layout of a share', (pages) => {
  it.each(Object.entries(documents))(
    'on a phone begins with the data of %s, at most six Tab stops from the beginning of the page and a link that skips them',
    async (_name, data) => {
      const page = await pages.open(data, phone)
      expect((await boxOf(page, '.viewer-panel:not([hidden])')).top).toBeLessThanOrEqual(150)
      expect(await overflowOf(page)).toBe(0)
      const stops = await stopsBeforeData(page)
      const skipping = stops.filter((stop) => stop.includes('href="#data"'))
      expect(stops.length - skipping.length, stops.join('\n')).toBeLessThanOrEqual(6)
      expect(pages.browserErrors()).toEqual(noBrowserErrors)
    },
  )

  it('has at most four Tab stops of its own before the data', async () => {
    const page = await pages.open({ text: lines }, { viewport: { width: 1280, height: 800 } })
    const stops = await stopsBeforeData(page)
    const header = await page.locator('header a, header button, header summary').count()
    expect(stops.length, stops.join('\n')).toBeLessThanOrEqual(header + 5)
    await page.evaluate("location.hash = '#data'")
    await page.locator('.viewer-lines:focus').waitFor()
  })

  it.each([
    ['Table', { csv: csvOf(2_001) }, '.table-row', 'Item 1999'],
    ['Text', { text: lines }, '.viewer-line', 'entry 399'],
    ['Tree', nested, '.tree-row', 'user 119'],
  ] as const)(
    'on a phone scrolls as a whole, with the bar above the rows, as %s',
    async (_view, data, row, last) => {
      const page = await pages.open(data, phone)
      const scrollers = await page.evaluate<number>(
        "[...document.querySelectorAll('.viewer *')].filter((one) => ['auto', 'scroll'].includes(getComputedStyle(one).overflowY) && one.scrollHeight > one.clientHeight + 1).length",
      )
      expect(scrollers).toBe(0)
      await page.evaluate('scrollTo(0, 1_000)')
      await expect.poll(async () => Math.round((await boxOf(page, '.viewer-bar')).top)).toBe(0)
      const bar = await boxOf(page, '.viewer-bar')
      const seen = async (): Promise<string> =>
        page.evaluate<string>(
          `document.elementFromPoint(150, ${bar.bottom + 45}).closest('${row}')?.textContent ?? ''`,
        )
      await expect.poll(seen).toMatch(/\d/)
      if (row === '.table-row')
        await expect.poll(async () => Math.round((await boxOf(page, '.table-head')).top)).toBe(bar.bottom)
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
      await page.locator(row).filter({ hasText: last }).waitFor()
      await page.locator(row).filter({ hasText: last }).click()
      const chosen = await boxOf(page, '.viewer-place')
      expect((await page.locator(row).filter({ hasText: last }).boundingBox())?.y).toBeLessThan(chosen.top)
      expect(pages.browserErrors()).toEqual(noBrowserErrors)
    },
  )

  it('on a phone follows a link to a row far down, below the bar and above the place it names', async () => {
    const open = await pages.open({ csv: csvOf(2_001) }, phone)
    const page = await pages.another(`${open.url()}#cell=1500,2`, phone)
    await page.getByText('Row 1,500, column 2').waitFor()
    const cell = page.getByText('Item 1498', { exact: true })
    const [bar, place] = [await boxOf(page, '.table-head'), await boxOf(page, '.viewer-place')]
    const box = await cell.boundingBox()
    expect(box?.y ?? 0).toBeGreaterThanOrEqual(bar.bottom - 1)
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(place.top + 1)
  })

  it('at 400 % zoom has no bar that covers the window, and menus that stay inside it', async () => {
    const page = await pages.open({ csv: csvOf(300) }, { viewport: { width: 320, height: 200 } })
    await page.evaluate('scrollTo(0, 600)')
    expect((await boxOf(page, '.viewer-bar')).bottom).toBeLessThan(0)
    await page.evaluate('scrollTo(0, 0)')
    expect(await overflowOf(page)).toBe(0)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem').first().waitFor()
    const menu = await boxOf(page, '.menu:popover-open')
    expect(menu.top).toBeGreaterThanOrEqual(0)
    expect(menu.bottom).toBeLessThanOrEqual(200)
    await page.keyboard.press('End')
    const last = await page.getByRole('menuitem').last().boundingBox()
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(200)
  })

  it('marks what is on where colours are forced', async () => {
    const page = await pages.open(nested, { forcedColors: 'active' })
    const outlines = await page.evaluate<readonly string[]>(
      "[...document.querySelectorAll('.viewer-tab')].map((tab) => tab.ariaSelected + ' ' + getComputedStyle(tab).outlineStyle)",
    )
    expect([...outlines].sort()).toEqual(['false none', 'true solid'])
    await page.locator('.viewer-more').click()
    await page.locator('.menu-item:focus').first().waitFor()
    expect(
      await page.evaluate<string>(
        "getComputedStyle(document.querySelector('.menu-item:focus')).outlineStyle",
      ),
    ).toBe('solid')
  })

  it.each([phone, { viewport: { width: 1280, height: 800 } }])(
    'offers the download and the raw data when its script cannot be loaded, $viewport.width px wide',
    async (options) => {
      const open = await pages.open({ text: lines }, options)
      const page = await pages.another('about:blank', options)
      await page.route(/\/share-[^/]*\.js/, (route) => route.abort())
      await page.goto(open.url())
      await page.locator('.actions').getByRole('link', { name: 'Download' }).waitFor()
      await page.locator('.actions').getByRole('link', { name: 'Open raw' }).waitFor()
      expect(await overflowOf(page)).toBe(0)
    },
  )

  it('says when a menu cannot be loaded, and has links in its place', async () => {
    const open = await pages.open({ text: lines }, phone)
    const page = await pages.another('about:blank', phone)
    await page.route(/\/(menu-list|action-menus)-[^/]*\.js/, (route) => route.abort())
    await page.goto(open.url())
    await viewShown(page)
    const more = page.getByRole('button', { name: 'More actions' })
    await more.click()
    const alert = page.getByRole('alert')
    await alert.getByText('This could not be read. Try again.').waitFor()
    for (const name of ['Download', 'Open raw']) await alert.getByRole('link', { name }).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.keyboard.press('Escape')
    await alert.waitFor({ state: 'hidden' })
  })

  it('chooses a range of lines with Shift, by mouse and by keyboard, and links to it', async () => {
    const page = await pages.open({ text: lines })
    const number = (line: number) => page.locator(`[data-line="${line - 1}"]`)
    await number(9).click()
    await number(4).click({ modifiers: ['Shift'] })
    await page.getByText('Lines 4–9', { exact: true }).waitFor()
    expect(new URL(page.url()).hash).toBe('#L4-L9')
    expect(await page.locator('.viewer-chosen').count()).toBe(6)
    await page.getByRole('button', { name: 'Copy value' }).click()
    await page.getByText('Copied', { exact: true }).waitFor()
    expect(await clipboardText(page)).toBe([3, 4, 5, 6, 7, 8].map((line) => `entry ${line}`).join('\n'))
    await page.getByRole('button', { name: 'Clear the selection' }).click()
    await expect
      .poll(
        async () => (await boxOf(page, '.viewer-place')).bottom - (await boxOf(page, '.viewer-place')).top,
      )
      .toBeLessThan(2)
    expect(new URL(page.url()).hash).toBe('')
    await expect.poll(() => page.locator('.viewer-chosen').count()).toBe(0)
    await page.locator('.viewer-lines:focus').waitFor()
    await number(2).click({ modifiers: ['Shift'] })
    await page.getByText('Line 2', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Clear the selection' }).click()

    await page.locator('.viewer-lines').focus()
    await page.keyboard.press('Tab')
    await page.getByRole('link', { name: 'Line 1', exact: true }).waitFor()
    for (const key of ['ArrowDown', 'Enter', 'ArrowDown', 'ArrowDown', 'Shift+Enter'])
      await page.keyboard.press(key)
    await page.getByText('Lines 2–4', { exact: true }).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.keyboard.press('End')
    await page.locator('[data-line="399"]:focus').waitFor()

    const other = await pages.another(page.url())
    await other.getByText('Lines 2–4', { exact: true }).waitFor()
    await expect.poll(() => other.locator('.viewer-chosen').count()).toBe(3)
    expect(pages.browserErrors()).toEqual(noBrowserErrors)
  })

  it('shows code without its colours when their script cannot be loaded', async () => {
    const open = await pages.open({ 'add.py': 'import os\n\ndef add(one, two):\n    return one + two\n' })
    await open.locator('.token-keyword').first().waitFor()
    const page = await pages.another('about:blank')
    let refused = 0
    await page.route(/\/code-colours-[^/]*\.js/, (route) => {
      refused += 1
      return route.abort()
    })
    await page.goto(open.url())
    await page.locator('.viewer-line', { hasText: 'def add' }).waitFor()
    await expect.poll(() => refused).toBeGreaterThan(0)
    await page.locator('[data-line="2"]').click()
    await page.getByText('Line 3', { exact: true }).waitFor()
    expect(await page.getByText('This view could not be opened').count()).toBe(0)
  })

  it('has a menu of the views that the keyboard operates, with further choices in it', async () => {
    const page = await pages.open({ output: '{"a":1}' })
    const focused = (): Promise<string> =>
      page.evaluate<string>("document.activeElement.firstChild?.data ?? ''")
    await page.locator('.viewer-more').focus()
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('As sent')
    await page.keyboard.press('End')
    expect(await focused()).toBe('Keyboard shortcuts')
    await page.keyboard.press('Home')
    while (!(await focused()).startsWith('Shown as')) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await expect.poll(focused).toBe('JSON')
    expect(await accessibilityProblems(page)).toEqual([])
    await page.keyboard.press('ArrowLeft')
    expect(await focused()).toBe('Shown as JSON')
    await page.keyboard.press('Escape')
    await page.locator('.viewer-more:focus').waitFor()
    await chooseInMenu(page, 'Go to line')
    await page.getByRole('textbox', { name: 'Line' }).fill('2')
    await page.keyboard.press('Enter')
    await page.getByText('Line 2', { exact: true }).waitFor()
    expect(pages.browserErrors()).toEqual(noBrowserErrors)
  })

  it('opens as it was left for its kind, and without storage as usual', async () => {
    const page = await pages.open(nested)
    const selected = () => page.locator('.viewer-tabs [aria-selected=true]')
    await expect.poll(() => selected().textContent()).toBe('Tree')
    await page.getByRole('tab', { name: 'Text' }).click()
    await viewShown(page)
    await chooseInMenu(page, 'Wrap lines', 'menuitemcheckbox')
    await page.locator('.viewer-wrap').waitFor()
    await page.reload()
    await viewShown(page)
    await expect.poll(() => selected().textContent()).toBe('Text')
    await page.locator('.viewer-wrap').waitFor()
    await page.addInitScript(
      "Object.defineProperty(globalThis, 'localStorage', { get() { throw new Error('denied') } })",
    )
    await page.reload()
    await viewShown(page)
    await expect.poll(() => selected().textContent()).toBe('Tree')
    await page.getByRole('tab', { name: 'Text' }).click()
    await expect.poll(() => selected().textContent()).toBe('Text')
    expect(pages.browserErrors()).toEqual(noBrowserErrors)
  })

  it('obeys keys, except where someone writes, and lists them', async () => {
    const page = await pages.open({ a: { b: { c: { d: 1 } } } })
    const selected = (): Promise<string | null> =>
      page.locator('.viewer-tabs [aria-selected=true]').textContent()
    await expect.poll(() => page.getByRole('treeitem').count()).toBe(2)
    await page.keyboard.press('e')
    await expect.poll(() => page.getByRole('treeitem').count()).toBe(4)
    await page.keyboard.press('1')
    await expect.poll(selected).toBe('Text')
    await page.keyboard.press('w')
    await page.locator('.viewer-wrap').waitFor()
    await page.keyboard.press('Control+g')
    await page.getByRole('textbox', { name: 'Line' }).fill('3')
    await page.keyboard.press('Enter')
    await page.getByText('Line 3', { exact: true }).waitFor()
    await page.keyboard.press('y')
    await expect.poll(() => clipboardText(page)).toMatch(/#L3$/)
    await page.keyboard.press('/')
    await page.keyboard.type('2?w')
    expect(await page.getByRole('searchbox').inputValue()).toBe('2?w')
    await expect.poll(selected).toBe('Text')
    await page.locator('.viewer-lines').focus()
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await dialog.getByText('Wrap lines').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(pages.browserErrors()).toEqual(noBrowserErrors)
  })
})
