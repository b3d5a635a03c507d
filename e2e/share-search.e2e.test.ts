import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { noBrowserErrors } from './harness/browser-errors.js'
import { csvOf } from './harness/make-share.js'
import { describeSharePages } from './harness/share-pages.js'

const field = (page: Page): Locator => page.getByRole('searchbox', { name: 'Search in the data' })
const count = (page: Page): Locator => page.getByRole('search').getByRole('status')

/** Records the searches that the page asks its worker for from now on. */
async function recordSearches(page: Page): Promise<void> {
  await page.evaluate(`
    globalThis.searches = []
    const post = Worker.prototype.postMessage
    Worker.prototype.postMessage = function (message) {
      const wanted = message.args?.find((arg) => typeof arg?.backwards === 'boolean')
      if (wanted !== undefined && wanted.text !== '') searches.push(wanted)
      return post.call(this, message)
    }`)
}
const searches = (page: Page): Promise<readonly { text: string; isHere?: boolean }[]> =>
  page.evaluate('searches')

describeSharePages('search', (pages) => {
  it('finds a text while it is typed, counts its matches, and steps with Enter and Shift+Enter', async () => {
    const lines = Array.from(
      { length: 36 },
      (_, line) => `entry ${line} in ${line % 3 === 0 ? 'eu-7' : 'eu-9'}`,
    )
    const page = await pages.open({ text: lines.join('\n') })
    await recordSearches(page)
    await field(page).fill('EU-7')
    await count(page).getByText('1 of 12', { exact: true }).waitFor()
    await field(page).press('Enter')
    await count(page).getByText('2 of 12', { exact: true }).waitFor()
    await page.locator('.viewer-chosen').filter({ hasText: 'entry 3 ' }).waitFor()
    await field(page).press('Shift+Enter')
    await count(page).getByText('1 of 12', { exact: true }).waitFor()
    await field(page).press('Shift+Enter')
    await count(page).getByText('12 of 12', { exact: true }).waitFor()
    expect((await searches(page)).filter(({ isHere }) => isHere)).toHaveLength(1)
    await field(page).fill('eu-')
    await count(page).getByText('34 of 36', { exact: true }).waitFor()
    await field(page).fill('')
    await expect.poll(() => page.locator('.viewer-found').count()).toBe(0)
    await expect.poll(() => count(page).innerText()).toBe('')
    await field(page).fill('nowhere')
    await count(page).getByText('No matches').waitFor()
    expect(pages.browserErrors()).toEqual(noBrowserErrors)
  })

  it('is not started twice for one text by Enter', async () => {
    const page = await pages.open({ text: 'one\ntwo\none' })
    await recordSearches(page)
    await field(page).fill('one')
    await field(page).press('Enter')
    await count(page).getByText(/of 2$/).waitFor()
    expect((await searches(page)).filter(({ isHere }) => isHere)).toHaveLength(1)
  })

  it('counts in a tree', async () => {
    const page = await pages.open({ regions: { a: 'eu-7', b: { name: 'eu-7' }, c: 'eu-9' }, last: 'eu-7' })
    await field(page).fill('eu-7')
    await count(page).getByText('1 of 3', { exact: true }).waitFor()
    await field(page).press('Enter')
    await count(page).getByText('2 of 3', { exact: true }).waitFor()
    await page.locator('.tree-row.marked').filter({ hasText: 'name' }).waitFor()
  })

  it('in a table is one field, which also filters if the reader wants, until a link leads to a hidden row', async () => {
    const page = await pages.open({ csv: csvOf(10_001) })
    const rows = page.locator('.table-count')
    expect(await page.getByRole('searchbox').count()).toBe(1)
    await field(page).fill('Item 77')
    const onlyMatches = page.getByRole('button', { name: 'Only rows that match' })
    await count(page).getByText('1 of 111', { exact: true }).waitFor()
    expect(await rows.innerText()).toBe('10,000 rows')
    await onlyMatches.click()
    await rows.getByText('111 of 10,000 rows').waitFor()
    await count(page).getByText('1 of 111', { exact: true }).waitFor()
    await field(page).fill('Item 777')
    await rows.getByText('11 of 10,000 rows').waitFor()
    await page.getByRole('columnheader', { name: 'id' }).click()
    expect(await onlyMatches.getAttribute('aria-pressed')).toBe('true')
    await page.evaluate("location.hash = '#cell=6,2'")
    await rows.getByText('10,000 rows', { exact: true }).waitFor()
    await expect.poll(() => onlyMatches.getAttribute('aria-pressed')).toBe('false')
    expect(pages.browserErrors()).toEqual(noBrowserErrors)
  })

  it('of more than 5 MB starts with Enter, and says so', async () => {
    const line = `${'x'.repeat(99)}\n`
    const page = await pages.open({ text: `${line.repeat(30_000)}needle\n${line.repeat(30_000)}needle` })
    await recordSearches(page)
    expect(await field(page).getAttribute('placeholder')).toBe('Enter to search')
    await field(page).fill('needle')
    await count(page).getByText('Enter to search').waitFor()
    await field(page).press('Enter')
    await count(page).getByText('1 of 2', { exact: true }).waitFor()
    expect(await searches(page)).toHaveLength(1)
  })
})
