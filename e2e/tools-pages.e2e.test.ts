import { createHash } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { accessibilityProblems, overflowOf } from './harness/accessibility.js'
import { describeWithBrowser, type ProfileOptions } from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { signInAtIssuer, startDashboard } from './harness/dashboard.js'
import { inBrowser } from './harness/in-browser.js'
import { inputOf, madeOn } from './harness/tool-page.js'
import { inEachView, viewShown } from './harness/viewer.js'

const exact = '{"id":12345678901234567890,"a":1.0,"a":"\\u00e9"}'
const rows = '[{"id":12345678901234567890,"name":"Ada"},{"id":2,"name":"Grace"}]'

describeWithBrowser('someone with a tool', () => {
  const { system: dashboard, newPage, browserErrors } = inBrowser(() => startDashboard())
  const baseUrl = (): string => dashboard().system.baseUrl()

  async function open(path: string, options?: ProfileOptions): Promise<Page> {
    const page = await newPage(options)
    await page.goto(`${baseUrl()}${path}`)
    return page
  }
  const output = (page: Page) => page.locator('#result .viewer-panel:not([hidden])')
  const clipboard = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()')

  it('formats as someone types, and sends nothing', async () => {
    const page = await open('/tools/json-format', { permissions: ['clipboard-read', 'clipboard-write'] })
    const sent: string[] = []
    page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`))
    await inputOf(page).pressSequentially(exact)
    await madeOn(page)
    expect(await page.evaluate("getComputedStyle(document.querySelector('#input')).whiteSpace")).toBe('pre')
    await output(page).getByText('"id": 12345678901234567890,').waitFor()
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    const formatted = '{\n  "id": 12345678901234567890,\n  "a": 1.0,\n  "a": "\\u00e9"\n}\n'
    await expect.poll(() => clipboard(page)).toBe(formatted)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    expect((await downloading).suggestedFilename()).toBe('json-format.json')
    await page.getByLabel('Indent', { exact: true }).selectOption('4')
    await output(page).getByText('    "a": 1.0,').waitFor()
    expect(sent.filter((one) => !/^GET \/(tools\/)?assets\//.test(one))).toEqual([])
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('is told where the input is wrong, goes there, and puts it right', async () => {
    const page = await open('/tools/json-format')
    await inputOf(page).fill('{\n  "a": 1\n  "b": 2\n}')
    await page.getByRole('button', { name: 'Go to line 3' }).click()
    expect(await page.locator('.tool-number.marked').textContent()).toBe('3')
    expect(await page.getByRole('button', { name: 'Save…' }).isDisabled()).toBe(true)
    // The cursor stands there: what is typed replaces the wrong character.
    await page.keyboard.type(',"')
    await output(page).getByText('"b": 2').waitFor()
    expect(await page.locator('.tool-number.marked').count()).toBe(0)
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('converts JSON to a table of CSV, by options that the address keeps', async () => {
    const page = await open('/tools/json-to-csv', { permissions: ['clipboard-read', 'clipboard-write'] })
    await inputOf(page).fill(rows)
    await page.getByRole('gridcell', { name: '12345678901234567890' }).waitFor()
    await page.getByLabel('Separator', { exact: true }).selectOption('semicolon')
    await page.getByLabel('Header', { exact: true }).uncheck()
    await expect.poll(() => new URL(page.url()).hash).toBe('#header=false&separator=semicolon')
    await page.reload()
    expect(await page.getByLabel('Header', { exact: true }).isChecked()).toBe(false)
    await inputOf(page).fill(rows)
    await madeOn(page)
    await page.getByRole('button', { name: 'Copy as' }).click()
    await page.getByRole('menuitem', { name: 'Command line' }).click()
    await expect
      .poll(() => clipboard(page))
      .toBe('snipkeep tool json-to-csv input.json --no-header --separator semicolon')
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('finds the input again after a reload, in the next tool, and on the way back, until it is cleared', async () => {
    const page = await open('/tools/json-format')
    await inputOf(page).fill(exact)
    await page.getByLabel('Indent', { exact: true }).selectOption('4')
    await madeOn(page)
    await page.reload()
    await output(page).getByText('    "a": 1.0,').waitFor()
    expect(await inputOf(page).inputValue()).toBe(exact)
    await page.getByRole('link', { name: 'Minify JSON' }).click()
    await output(page).getByText('"a":1.0,').waitFor()
    await page.goBack()
    await output(page).getByText('    "a": 1.0,').waitFor()
    // What does not take JSON begins empty, and leaves the input to the others.
    await page.goto(`${baseUrl()}/tools/yaml-format`)
    await page.getByText('Paste on the left.').waitFor()
    await page.getByLabel('Indent', { exact: true }).selectOption('4')
    await page.goto(`${baseUrl()}/tools/json-format`)
    await output(page).getByText('    "a": 1.0,').waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.reload()
    await page.getByText('Paste on the left.').waitFor()
    expect(await inputOf(page).inputValue()).toBe('')
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('sees the wrong line with a mark below the place, and why nothing can be copied', async () => {
    const page = await open('/tools/json-format')
    await inputOf(page).fill('{\n\t"a": 1\n\t"b": 2\n}')
    const wrong = page.locator('.tool-wrong')
    await expect.poll(() => wrong.textContent()).toBe('\t"b": 2\n\t^')
    const copy = page.getByRole('button', { name: 'Copy', exact: true })
    expect(await copy.isDisabled()).toBe(true)
    expect(await copy.getAttribute('title')).toBe('There is no output yet.')
    expect(await page.locator('#no-output').getAttribute('hidden')).toBe('')
    expect(await copy.getAttribute('aria-describedby')).toBe('no-output')
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('runs, copies and finds the shortcuts with keys, and goes to another tool by its name, with the input', async () => {
    const page = await open('/tools/json-format', { permissions: ['clipboard-read', 'clipboard-write'] })
    await inputOf(page).fill('{"a":1?}')
    await page.getByRole('button', { name: 'Go to line 1' }).waitFor()
    await inputOf(page).fill('{"a":1}')
    await madeOn(page)
    await page.keyboard.press('Control+Shift+C')
    await expect.poll(() => clipboard(page)).toBe('{\n  "a": 1\n}\n')
    // In a field it is a character like any other.
    await page.keyboard.press('?')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.keyboard.press('Backspace')
    await madeOn(page)
    await page.getByRole('button', { name: 'Copy', exact: true }).focus()
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await dialog.getByText('Ctrl+Shift+C').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.locator('#switch summary').click()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.keyboard.type('minify j')
    await page.keyboard.press('Enter')
    await output(page).getByText('{"a":1}').waitFor()
    expect(new URL(page.url()).pathname).toBe('/tools/json-minify')
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('has both panes in the window, below the header and above what explains the tool', async () => {
    const page = await open('/tools/csv-to-json', { viewport: { width: 1_280, height: 800 } })
    await page.getByRole('button', { name: 'Try an example' }).click()
    await madeOn(page)
    for (const pane of ['#input-pane', '#output-pane']) {
      const { y = 0, height = 0 } = (await page.locator(pane).boundingBox()) ?? {}
      expect(height).toBeGreaterThan(500)
      expect(y + height).toBeLessThanOrEqual(800)
    }
  })

  it('is led from a mistake to the repair, with the input', async () => {
    const page = await open('/tools/json-minify')
    await inputOf(page).fill('{"a": 1 "b": 2}')
    await page.getByRole('link', { name: 'Repair it' }).click()
    await output(page).getByText('"b": 2').waitFor()
    expect(new URL(page.url()).pathname).toBe('/tools/json-repair')
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('drops a file, whose bytes stay as they are', async () => {
    const page = await open('/tools/hash')
    await page.locator('input[type=file]').setInputFiles({
      name: 'lines.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('a\r\nb\r\n'),
    })
    await page.getByText('lines.txt').waitFor()
    await output(page).getByText(createHash('sha256').update('a\r\nb\r\n').digest('hex')).waitFor()
    await page.getByRole('button', { name: 'Remove file' }).click()
    expect(await inputOf(page).inputValue()).toBe('')
    const dropped = await page.evaluateHandle(`(() => {
      const data = new DataTransfer()
      data.items.add(new File(['[ 1 ]'], 'small.json'))
      return data
    })()`)
    await page.dispatchEvent('#input-pane', 'drop', { dataTransfer: dropped })
    await expect.poll(() => inputOf(page).inputValue()).toBe('[ 1 ]')
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('is offered an encoding for a file that is not UTF-8, and for no other', async () => {
    const page = await open('/tools/csv-to-json')
    const encoding = page.getByLabel('Encoding', { exact: true })
    await inputOf(page).fill('id,city\n1,Köln\n')
    await madeOn(page)
    expect(await encoding.isVisible()).toBe(false)
    const buffer = Buffer.from('id,city\n1,K\xf6ln\n', 'latin1')
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'windows.csv', mimeType: 'text/csv', buffer })
    await page.getByText('It may be windows-1252').waitFor()
    await encoding.selectOption('windows-1252')
    await page.getByRole('gridcell', { name: 'Köln' }).or(output(page).getByText('Köln')).first().waitFor()
    await expect.poll(() => new URL(page.url()).hash).toBe('#encoding=windows-1252')
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('signs in to save, comes back to what was there, and shares a link that anyone can open', async () => {
    const page = await open('/tools/json-minify', dashboard().profile)
    await inputOf(page).fill('{ "n": 1.50 }')
    await madeOn(page)
    await page.getByRole('button', { name: 'Save…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL((url) => url.origin !== baseUrl())
    await signInAtIssuer(page, 'mia')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Title').fill('Small')
    expect(await accessibilityProblems(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save as snippet' }).click()
    await dialog.getByText('Saved.').waitFor()
    const saved = await dialog.getByRole('link').getAttribute('href')
    await dialog.getByRole('button', { name: 'Close' }).click()
    expect(await inputOf(page).inputValue()).toBe('{ "n": 1.50 }')
    await page.getByRole('button', { name: 'Share…' }).click()
    await dialog.getByLabel('Expires').selectOption('In 1 day')
    await dialog.getByRole('button', { name: 'Share by link' }).click()
    const link = (await dialog.getByRole('link').getAttribute('href')) ?? ''
    const raw = await fetch(`${baseUrl()}/api/shares/${link.split('/').at(-1)}/raw`)
    expect(await raw.text()).toBe('{"json":"{\\"n\\":1.50}"}')
    await page.goto(link)
    await viewShown(page)
    await page.goto(`${baseUrl()}${saved}`)
    await page.getByRole('heading', { name: 'Small' }).waitFor()
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('finds tools by words, and again those used last', async () => {
    const page = await open('/tools')
    await page.getByRole('searchbox', { name: 'Search tools' }).fill('json csv')
    await page.getByRole('status').getByText('3 tools').waitFor()
    const found = page.getByRole('article').getByRole('listitem').getByRole('link')
    for (const [query, first] of [
      ['csv to json', 'CSV to JSON'],
      ['Prettier', 'Format JSON'],
      ['diff', 'Compare two JSON, CSV or text files'],
      ['checksum', 'Hash'],
    ] as const) {
      await page.getByRole('searchbox', { name: 'Search tools' }).fill(query)
      await expect.poll(() => found.first().textContent()).toBe(first)
    }
    await page.getByRole('searchbox', { name: 'Search tools' }).fill('nothing like it')
    await page.getByText('No tool for “nothing like it”.').waitFor()
    await page.keyboard.press('Enter')
    expect(new URL(page.url()).pathname).toBe('/tools')
    await page.getByRole('searchbox', { name: 'Search tools' }).fill('')
    expect(await found.first().textContent()).toBe('Format JSON')
    await page.getByRole('link', { name: 'JSON to CSV' }).click()
    await page.getByRole('button', { name: 'Try an example' }).click()
    await madeOn(page)
    await page.getByRole('link', { name: 'Tools', exact: true }).click()
    await page.getByRole('heading', { name: 'Recently used' }).waitFor()
    expect(await page.locator('.tools-recent a').allTextContents()).toEqual(['JSON to CSV'])
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('formats without scripts', async () => {
    const page = await open('/tools/json-format', { javaScriptEnabled: false })
    await page.getByLabel('Final newline', { exact: true }).uncheck()
    await inputOf(page).fill('{"a":1,\n"a":2.0}')
    await page.getByRole('button', { name: 'Run' }).click()
    await page.waitForLoadState()
    expect(await page.locator('body').textContent()).toBe('{\n  "a": 1,\n  "a": 2.0\n}')
  })

  it.each([320, 1_600])('finds no fault by WCAG 2.2 A and AA, %i px', async (width) => {
    const page = await open('/tools', { viewport: { width, height: 900 } })
    await page.getByRole('searchbox', { name: 'Search tools' }).waitFor()
    expect(await accessibilityProblems(page), 'list').toEqual([])
    expect(await overflowOf(page), 'list').toBe(0)
    for (const name of ['json-to-csv', 'json-query', 'csv-format']) {
      await page.goto(`${baseUrl()}/tools/${name}`)
      await page.getByRole('button', { name: 'Try an example' }).waitFor()
      expect(await accessibilityProblems(page), `${name}, empty`).toEqual([])
      await page.getByRole('button', { name: 'Try an example' }).click()
      await madeOn(page)
      await inEachView(page, async (view) => {
        expect(await accessibilityProblems(page), `${name}, ${view}`).toEqual([])
        expect(await overflowOf(page), `${name}, ${view}`).toBe(0)
      })
    }
    await page.goto(`${baseUrl()}/tools/json-format`)
    await inputOf(page).fill('{"a":')
    await page.getByRole('button', { name: /Go to line 1/ }).waitFor()
    expect(await accessibilityProblems(page), 'refused').toEqual([])
    expect(browserErrors()).toEqual(noBrowserErrors)
  })
})
