import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { noBrowserErrors } from './harness/browser-errors.js'
import { describeSharePages } from './harness/share-pages.js'
import { viewShown } from './harness/viewer.js'

const separator = (page: Page) => page.getByRole('combobox', { name: 'Separator' })
const quotes = (page: Page) => page.getByRole('combobox', { name: 'Wrong quotes' })
const chosen = (page: Page): Promise<string> => separator(page).locator('option:checked').innerText()
const headers = (page: Page): Promise<string[]> =>
  page.getByRole('grid').getByRole('columnheader').allInnerTexts()

describeSharePages('CSV on the share page', (pages) => {
  it('says which separator was found, and reads by another if the reader wants', async () => {
    const page = await pages.open({ csv: 'id;price\n1;1,5\n2;2,5\n' })
    expect(await chosen(page)).toBe('Found: semicolon')
    expect((await headers(page)).join()).toContain('price')
    await separator(page).focus()
    await separator(page).selectOption({ label: 'comma' })
    await page.getByRole('columnheader', { name: 'id;price' }).waitFor()
    await page.locator('select[name="separator"]:focus').waitFor()
    await separator(page).selectOption({ label: 'Find it' })
    await page.getByRole('columnheader', { name: 'price', exact: true }).waitFor()
    expect(pages.browserErrors()).toEqual(noBrowserErrors)
  })

  it('says where a quote is wrong and shows the text, and keeps it to the letter if the reader wants', async () => {
    const page = await pages.open({ csv: 'id,note\n1,"He said "hi" to me"\n2,fine\n' })
    await page.locator('span[lang=en]', { hasText: 'A character follows the closing quote' }).waitFor()
    await page.getByText('See line 2, column 13. It is shown as text.').waitFor()
    expect(await page.getByRole('grid').count()).toBe(0)
    await quotes(page).selectOption({ label: 'keep as they are' })
    await page.getByRole('gridcell', { name: '"He said "hi" to me"' }).waitFor()
    await viewShown(page)
    expect(await chosen(page)).toBe('Found: comma')
    expect(pages.browserErrors()).toEqual(noBrowserErrors)
  })

  it('takes the separator that the first line names, and refuses an unclear one with what it may be', async () => {
    const named = await pages.open({ csv: '\ufeffsep=;\r\nName;Betrag\r\nAnna;1.234,50\r\n' })
    expect(await chosen(named)).toBe('Named by the file: semicolon')
    const unclear = await pages.open({ csv: 'a,b;c\n1,2;3\n' })
    await unclear.getByText('a comma or a semicolon').waitFor()
    expect(await chosen(unclear)).toBe('Unclear')
    await separator(unclear).selectOption({ label: 'semicolon' })
    await unclear.getByRole('gridcell', { name: '1,2' }).waitFor()
  })
})
