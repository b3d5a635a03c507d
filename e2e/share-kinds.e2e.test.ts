import { crc32, deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { noBrowserErrors } from './harness/browser-errors.js'
import { kindDocuments } from './harness/kind-documents.js'
import { clipboardText, describeSharePages, kindShown, showAs } from './harness/share-pages.js'
import { chooseInMenu, inEachView, viewShown } from './harness/viewer.js'

/** A transparent PNG of this size, as a `data:` URL. */
function pngOf(width: number, height: number): string {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length, 0)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 6], 8)
  const pixels = deflateSync(Buffer.alloc((width * 4 + 1) * height))
  const chunks = [chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]
  const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks])
  return `data:image/png;base64,${png.toString('base64')}`
}

describeSharePages('a share is shown as what it is', (pages) => {
  it.each(kindDocuments)('$kind: $data', async ({ kind, data, tool = 'tool', view, shows, views }) => {
    const page = await pages.open(data, { tool })
    expect(await kindShown(page)).toBe(kind)
    await expect.poll(() => page.locator('.viewer-tabs [aria-selected=true]').textContent()).toBe(view)
    for (const shown of shows)
      await expect.poll(async () => (await viewShown(page)).innerText()).toContain(shown)
    expect(await inEachView(page, async () => undefined)).toEqual(views)
    await page.evaluate("location.hash = '#sent-L1'")
    await page.getByText('Line 1 as sent', { exact: true }).waitFor()
    expect((await (await viewShown(page)).innerText()).replace(/^1\n/, '')).toContain(JSON.stringify(data))
    expect(pages.browserErrors()).toEqual(noBrowserErrors)
  })

  it('members are tabs that the keyboard reaches, and links lead into them', async () => {
    const data = { input: 'a,b\n1,2', output: '[{"a":"1"}]', options: { indent: 2 } }
    const page = await pages.open(data, { tool: 'csv-to-json' })
    const parts = page.getByRole('tablist', { name: 'Parts of the data' }).getByRole('tab')
    await expect.poll(() => parts.allTextContents()).toEqual(['input', 'output', 'options'])
    await expect.poll(() => parts.nth(1).getAttribute('aria-selected')).toBe('true')
    await parts.nth(1).focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await page.getByRole('tab', { name: 'Table', selected: true }).waitFor()
    expect(new URL(page.url()).hash).toBe('#/input')
    await page.evaluate("location.hash = '#/output/0/a'")
    await page.getByRole('tab', { name: 'output', selected: true }).waitFor()
    await page.getByText('/output/0/a').waitFor()
    await page.evaluate("location.hash = '#cell=2,1@/input'")
    await page.getByText('Row 2, column 1').waitFor()
    expect(pages.browserErrors()).toEqual(noBrowserErrors)
  })

  it('two sides are compared side by side and inline, with the words that differ', async () => {
    const data = { left: 'same\none word\nend', right: 'same\none sentence\nend' }
    const page = await pages.open(data, { viewport: { width: 1280, height: 800 } })
    await expect.poll(() => page.locator('mark').allTextContents()).toEqual(['word', 'sentence'])
    await expect.poll(() => page.locator('.diff-change').count()).toBe(1)
    await page.getByRole('button', { name: 'Unified' }).click()
    await page.locator('.diff-change').nth(1).waitFor()
    await expect.poll(() => page.locator('.diff-removed').innerText()).toBe('one word')
    await expect.poll(() => page.locator('.diff-added').innerText()).toBe('one sentence')
    expect(pages.browserErrors()).toEqual(noBrowserErrors)
  })

  it.each([1280, 390])(
    'line numbers of a patch, which begins with a heading, leave the width to the lines: %i px',
    async (width) => {
      const patch = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n'
      const page = await pages.open({ patch }, { viewport: { width, height: 800 } })
      await page.locator('.diff-change').first().waitFor()
      const widths = await page.evaluate<readonly number[]>(
        "[...document.querySelectorAll('.diff-change')].map((row) => [...row.querySelectorAll('.diff-number')].reduce((sum, { offsetWidth }) => sum + offsetWidth, 0))",
      )
      const table = await page.locator('.diff-table').evaluate(({ clientWidth }) => clientWidth)
      expect(Math.max(...widths)).toBeLessThan(table / 4)
      expect(pages.browserErrors()).toEqual(noBrowserErrors)
    },
  )

  it('rendered Markdown and long patches are readable to their end, and nothing lies over it', async () => {
    const lines = Array.from({ length: 200 }, (_, line) => line)
    const markdown = `# First\n\n${lines.map((line) => `Paragraph ${line}.\n\n`).join('')}## The end\n`
    const patch = `--- a/x\n+++ b/x\n@@ -1,200 +1,200 @@\n${lines.map((line) => `-old ${line}\n+new ${line}\n`).join('')}`
    for (const [data, last] of [
      [{ markdown }, 'The end'],
      [{ patch }, 'new 199'],
    ] as const) {
      const page = await pages.open(data, { viewport: { width: 1280, height: 800 } })
      const end = (await viewShown(page)).getByText(last)
      await end.scrollIntoViewIfNeeded()
      const isOnTop = await end.evaluate((element) => {
        const { x, y, height } = element.getBoundingClientRect()
        const seen = element.ownerDocument.elementFromPoint(x + 5, y + height / 2)
        return seen !== null && (element.contains(seen) || seen.contains(element))
      })
      expect(isOnTop, last).toBe(true)
      const place = await page.locator('.viewer-place').boundingBox()
      const shown = await end.boundingBox()
      expect((shown?.y ?? 0) + (shown?.height ?? 0), last).toBeLessThanOrEqual((place?.y ?? 0) + 1)
    }
  })

  it('a picture is fitted to the width, on a checkerboard and named with its size, and as large as it is on demand', async () => {
    const page = await pages.open({ image: pngOf(2_000, 40) }, { viewport: { width: 1280, height: 800 } })
    const image = page.getByRole('img', { name: 'The shared picture' })
    const width = async (): Promise<number> => (await image.boundingBox())?.width ?? 0
    await page.getByText('image/png, 2,000 × 40 pixels').waitFor()
    await expect.poll(width).toBeGreaterThan(1_000)
    expect(await width()).toBeLessThan(1_280)
    const ground = await page.evaluate<string>(
      "getComputedStyle(document.querySelector('.viewer-picture img')).backgroundImage",
    )
    expect(ground).toContain('conic-gradient')
    const actual = page.getByRole('button', { name: 'Actual size' })
    await actual.click()
    await expect.poll(width).toBe(2_000)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1_280)
    const scroller = page.getByRole('region', { name: 'Picture' })
    await scroller.focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => scroller.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0)
    await actual.click()
    await expect.poll(width).toBeLessThan(1_280)
    expect(pages.browserErrors()).toEqual(noBrowserErrors)
  })

  it('nested JSON opens as a tree of two levels, and the reader expands and collapses all of it', async () => {
    const page = await pages.open({
      a: { b: { c: { d: 1 } } },
      e: [{ f: [2] }, 3].map(String),
      g: { h: null },
    })
    const keys = (): Promise<readonly string[]> => page.locator('.tree-key').allInnerTexts()
    await page.getByRole('tab', { name: 'Tree', selected: true }).waitFor()
    await expect.poll(keys).toEqual(['a', 'b', 'e', '0', '1', 'g', 'h'])
    await chooseInMenu(page, 'Expand all')
    await expect.poll(keys).toEqual(['a', 'b', 'c', 'd', 'e', '0', '1', 'g', 'h'])
    await chooseInMenu(page, 'Collapse all')
    await expect.poll(keys).toEqual(['a', 'e', 'g'])
    const many = {
      many: Object.fromEntries(Array.from({ length: 250 }, (_, key) => [`k${key}`, [key]])),
      few: [1],
    }
    const large = await pages.open(many)
    await expect.poll(() => large.getByRole('treeitem').count()).toBe(3)
    expect(pages.browserErrors()).toEqual(noBrowserErrors)
  })

  it('the reader chooses another kind, and copies what was sent or what is shown', async () => {
    const sent = '{"b":1.0,"a":[2]}'
    const page = await pages.open({ output: sent })
    const copies = page.getByRole('button', { name: 'More ways to copy' })
    const shown = '{\n  "b": 1.0,\n  "a": [\n    2\n  ]\n}'
    await copies.click()
    await page.getByRole('menuitem', { name: 'As sent' }).click()
    await page.getByText('Copied 17 bytes', { exact: true }).waitFor()
    expect(await clipboardText(page)).toBe(sent)
    await copies.click()
    await page.getByRole('menuitem', { name: 'Formatted' }).click()
    await expect.poll(() => clipboardText(page)).toBe(shown)
    const copy = page.getByRole('button', { name: 'Copy', exact: true })
    await page.getByRole('button', { name: 'As sent' }).click()
    await copy.click()
    await expect.poll(() => clipboardText(page)).toBe(sent)
    await page.getByRole('button', { name: 'As sent' }).click()
    await copy.click()
    await expect.poll(() => clipboardText(page)).toBe(shown)
    await showAs(page, 'TOML')
    await page.getByText('This is not valid TOML, so it is shown as text.').waitFor()
    await showAs(page, 'YAML')
    await page.locator('.viewer-tabs').getByRole('tab', { name: 'Tree' }).click()
    await page.getByRole('treeitem').filter({ hasText: '1.0' }).waitFor()
    expect(pages.browserErrors()).toEqual(noBrowserErrors)
  })
})
