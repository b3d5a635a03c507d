import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { noBrowserErrors } from './harness/browser-errors.js'
import { csvOf } from './harness/make-share.js'
import { describeSharePages } from './harness/share-pages.js'

/** As a browser does when someone prints; what is printed stays in the page, to be looked at. */
async function print(page: Page, colorScheme: 'light' | 'dark' = 'light'): Promise<void> {
  await page.emulateMedia({ media: 'print', colorScheme })
  await expect
    .poll(async () => {
      await page.evaluate("dispatchEvent(new Event('beforeprint'))")
      return page.locator('.paper').count()
    })
    .toBe(1)
}

const controls = (page: Page): Promise<number> =>
  page.locator(':is(a, button, input, select, [role=tab], [role=search]):visible').count()
const lines = (page: Page): Promise<number> => page.locator('.paper-lines > span:visible').count()

/** JSON with this number of lines when it is formatted. */
const jsonOf = (count: number): object => ({
  entries: Object.fromEntries(Array.from({ length: count - 4 }, (_, line) => [`line ${line}`, line])),
})

describeSharePages('on paper', (pages) => {
  it('JSON of 314 lines has 314 lines, below its title and address, and no controls', async () => {
    const page = await pages.open(jsonOf(314))
    await print(page)
    expect(await lines(page)).toBe(314)
    const head = await page.locator('.paper-head').innerText()
    expect(head).toContain('Shared')
    expect(head).toContain(page.url())
    expect(head).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/)
    expect(await controls(page)).toBe(0)
    expect(await page.locator('.paper-lines').innerText()).toContain('"line 309": 309')
    await page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(await page.locator('.paper').count()).toBe(0)
    await page.emulateMedia({ media: null })
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1')
    expect(pdf.match(/\/Type ?\/Page\b/g)?.length ?? 0).toBeGreaterThanOrEqual(4)
    expect(pages.browserErrors()).toEqual(noBrowserErrors)
  })

  it('CSV of 10,000 rows is a table with its head and 500 rows, in the order shown, and says how many more there are', async () => {
    const page = await pages.open({ csv: csvOf(10_001) })
    await print(page)
    const rows = page.locator('.paper-table tbody tr:visible')
    expect(await rows.count()).toBe(500)
    expect(await page.locator('.paper-table thead th').allInnerTexts()).toEqual(['id', 'name', 'price'])
    expect(await page.locator('.paper').innerText()).toContain('… 9,500 more rows')
    expect(await controls(page)).toBe(0)
    await page.emulateMedia({ media: 'screen' })
    const head = page.getByRole('columnheader', { name: 'id' })
    await head.click()
    await head.click()
    await page.getByRole('gridcell', { name: '9999', exact: true }).waitFor()
    await expect
      .poll(async () => {
        await print(page)
        return rows.first().innerText()
      })
      .toContain('9999')
    expect(pages.browserErrors()).toEqual(noBrowserErrors)
  })

  it('a text of 3,200 lines has 2,000, dark on white whatever the screen is, and says how many more there are', async () => {
    const text = Array.from({ length: 3_200 }, (_, line) => `2026-01-01 entry ${line}`).join('\n')
    const page = await pages.open({ text }, { colorScheme: 'dark' })
    await print(page, 'dark')
    expect(await lines(page)).toBe(2_000)
    expect(await page.locator('.paper').innerText()).toContain('… 1,200 more lines')
    const colours = await page.evaluate<readonly string[]>(
      "[getComputedStyle(document.querySelector('.paper-lines')).color, getComputedStyle(document.body).backgroundColor]",
    )
    expect(colours).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)'])
  })

  it('a line with characters without width stays one line, in which they are named', async () => {
    const page = await pages.open({ text: 'one\u200btwo\ufeffthree\nfour' })
    await print(page)
    expect(await lines(page)).toBe(2)
    const laidOut = await page.evaluate<readonly string[]>(
      "[...document.querySelectorAll('.paper-lines .viewer-hidden')].map((one) => getComputedStyle(one).display + ' ' + getComputedStyle(one, '::before').content)",
    )
    expect(laidOut).toEqual(['inline "U+200B"', 'inline "U+FEFF"'])
    const heights = await page
      .locator('.paper-lines > span')
      .evaluateAll((all) => all.map((one) => one.clientHeight))
    expect(heights[0]).toBeLessThan(1.5 * (heights[1] ?? 0))
    expect(pages.browserErrors()).toEqual(noBrowserErrors)
  })

  it('Markdown is rendered, a picture drawn, a patch has its changes, and SQL its lines', async () => {
    const dot =
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    for (const [data, shown] of [
      [{ markdown: '# One\n\nText.\n\n## Last\n' }, '.paper .viewer-rendered h2'],
      [{ image: dot }, '.paper img'],
      [{ patch: '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n' }, '.paper .diff-added'],
      [{ sql: 'select 1\nfrom t\nwhere a = 2;\n' }, '.paper-lines > span:nth-child(3)'],
    ] as const) {
      const page = await pages.open(data)
      await print(page)
      expect(await page.locator(`${shown}:visible`).count(), shown).toBe(1)
      expect(await controls(page), shown).toBe(0)
    }
    expect(pages.browserErrors()).toEqual(noBrowserErrors)
  })

  it('without scripts it has what is there, without controls', async () => {
    const open = await pages.open({ csv: csvOf(300) })
    const page = await pages.another(open.url(), { javaScriptEnabled: false })
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('pre span:visible').count()).toBe(200)
    expect(await controls(page)).toBe(0)
  })
})
