import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithBrowser, startBrowser, type TestBrowser } from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { startSystem, type TestSystem } from './harness/system.js'

/** Runs in the page before anything else: records tasks of 50 ms and more since the drop, and what the progress says. */
const observer = `
window.longest = 0
window.droppedAt = 0
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries())
    if (startTime >= window.droppedAt) window.longest = Math.max(window.longest, duration)
}).observe({ type: 'longtask', buffered: true })
window.told = []
new MutationObserver(() => {
  const said = document.querySelector('.viewer-progress-text')?.textContent ?? ''
  if (said.includes(' of ') && said !== window.told.at(-1)) window.told.push(said)
}).observe(document, { subtree: true, childList: true, characterData: true })
`

/** A file of 50 MB, made and dropped in the page; with this at its end. */
const dropLarge = (end: string): string => `
(() => {
  const row = (id) => '{"id":' + id + ',"price":' + id * 1.5 + ',"note":"' + 'x'.repeat(70) + '"}'
  const pieces = ['[']
  for (let from = 0; from < 470; from += 1)
    pieces.push(Array.from({ length: 1_000 }, (_, index) => row(from * 1_000 + index)).join(',\\n') + ',\\n')
  const data = new DataTransfer()
  data.items.add(new File([...pieces, ${JSON.stringify(end)}], 'large.json'))
  const drop = () => {
    window.droppedAt = performance.now()
    document.getElementById('input-pane').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
  }
  // In a task of its own: making the file takes longer than anything that the page does with it.
  setTimeout(drop)
})()`

/** Text of more than a text area takes, pasted in the page. */
const pasteLarge = `
(() => {
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', 'id,city\\n' + '1,Zürich\\n'.repeat(150_000))
  const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
  document.querySelector('textarea').dispatchEvent(paste)
})()`

describeWithBrowser('someone with a large input', () => {
  let system: TestSystem
  let browser: TestBrowser

  beforeAll(async () => {
    ;[system, browser] = await Promise.all([startSystem(), startBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    await system?.stop()
  })

  it('keeps the place in the tree of the output with each edit', async () => {
    const profile = await browser.profile()
    const page = await profile.newPage()
    await page.goto(`${system.baseUrl()}/tools/json-format`)
    const input = page.getByRole('textbox', { name: 'Input', exact: true })
    const items = Array.from({ length: 500 }, (_none, item) => item)
    await input.fill(JSON.stringify(items))
    await page.getByRole('tab', { name: 'Tree' }).click()
    const tree = page.locator('#result .tree')
    await tree.locator('.tree-row').first().waitFor()
    await tree.evaluate((list) => list.scrollTo({ top: 700 }))
    await page.locator('#result > .viewer').evaluate((viewer) => viewer.setAttribute('id', 'outdated-viewer'))
    await input.fill(JSON.stringify([...items, 500]))
    await page.locator('#outdated-viewer').waitFor({ state: 'detached' })
    expect(await tree.evaluate(({ scrollTop }) => scrollTop)).toBe(700)
    expect(profile.browserErrors).toEqual(noBrowserErrors)
    await profile.close()
  })

  it('has what is pasted read as UTF-8, whatever the encoding of files is', async () => {
    const profile = await browser.profile({ permissions: ['clipboard-read', 'clipboard-write'] })
    const page = await profile.newPage()
    await page.goto(`${system.baseUrl()}/tools/csv-to-json#encoding=windows-1252`)
    await page.getByRole('button', { name: 'Try an example' }).waitFor()
    await page.evaluate(pasteLarge)
    await page.locator('.tool-file-name').getByText('pasted text').waitFor()
    await page.locator('#status').getByText(' ms').waitFor()
    await page.locator('#result .viewer-line').getByText('Zürich').first().waitFor()
    await page.getByRole('button', { name: 'Copy as' }).click()
    await page.getByRole('menuitem', { name: 'Command line' }).click()
    await expect
      .poll(() => page.evaluate<string>('navigator.clipboard.readText()'))
      .toBe('snipkeep tool csv-to-json input.csv')
    expect(profile.browserErrors).toEqual(noBrowserErrors)
    await profile.close()
  })

  it('drops 50 MB, sees how far it has come, gets the output or the place of the mistake, and has a page that responds', async () => {
    const profile = await browser.profile()
    const page = await profile.newPage()
    await page.addInitScript(observer)
    await page.goto(`${system.baseUrl()}/tools/json-to-csv`)
    await page.evaluate(dropLarge('{"id":12345678901234567890}]'))
    await page.locator('#status').getByText(' ms').waitFor({ timeout: 300_000 })
    await page.getByRole('grid').waitFor()
    await page.keyboard.press('Tab')
    // How often depends on how fast the machine is; that it only rises does not.
    const shares = (await page.evaluate<string[]>('window.told')).map((said) => Number.parseFloat(said))
    expect(shares.length).toBeGreaterThan(1)
    expect(shares).toEqual(shares.toSorted((one, other) => one - other))
    expect(await page.evaluate<number>('document.querySelectorAll("*").length')).toBeLessThan(3_000)

    await page.goto(`${system.baseUrl()}/tools/json-minify`)
    await page.evaluate(dropLarge('oops]'))
    await page.getByRole('button', { name: 'Go to line 470,001' }).click({ timeout: 300_000 })
    await page.locator('.tool-line.marked').getByText('oops]').waitFor()
    // What the page does itself takes a small part of the seconds that a run takes.
    expect(await page.evaluate<number>('window.longest')).toBeLessThan(1_000)
    expect(profile.browserErrors).toEqual(noBrowserErrors)
    await profile.close()
  }, 900_000)
})
