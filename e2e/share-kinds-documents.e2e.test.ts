import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { noBrowserErrors } from './harness/browser-errors.js'
import { kindSamples } from './harness/kind-samples.js'
import { clipboardText, describeSharePages, kindShown, openPart } from './harness/share-pages.js'
import { inEachView, viewShown } from './harness/viewer.js'

/** Drawings in a canvas format, of which this repository has no file. */
function drawing(type: string): string {
  return `(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 200 })
    const context = canvas.getContext('2d')
    context.fillStyle = 'teal'
    context.fillRect(20, 20, 200, 100)
    return canvas.toDataURL('${type}')
  })()`
}

describeSharePages(
  'documents that people have are shown as what they are, whatever their members are called',
  (pages) => {
    it.each(Object.entries(kindSamples))('%s', async (kind, samples) => {
      const texts = await Promise.all(samples.map(({ read }) => read()))
      const page = await pages.open(
        Object.fromEntries(texts.map((text, place) => [`part ${place + 1}`, text])),
      )
      for (const [place, { view, shows }] of samples.entries()) {
        await openPart(page, `part ${place + 1}`)
        expect(await kindShown(page)).toBe(kind)
        for (const shown of shows)
          await expect.poll(async () => (await viewShown(page)).innerText()).toContain(shown)
        const views = await inEachView(page, (_view, panel) =>
          expect.poll(() => panel.innerText()).not.toBe(''),
        )
        expect(views).toContain(view)
        await page.getByRole('button', { name: 'More ways to copy' }).click()
        await page.getByRole('menuitem', { name: 'As sent' }).click()
        await expect.poll(() => clipboardText(page)).toBe(texts[place])
      }
      expect(pages.browserErrors()).toEqual(noBrowserErrors)
    })

    it('Markdown with the numbers of its lists, the alignment of its columns, and the links of its badges', async () => {
      const markdown = `[![CI](https://x.example/b.svg)](https://ci.example/run) <a href="https://x.example/"></a>

3. three
4. four

| a | b | c |
| :- | :-: | -: |
| 1 | 2 | 3 |
`
      const page = await pages.open({ markdown })
      await page.locator('.viewer-rendered').waitFor()
      const shown = await page.evaluate<unknown>(`(() => {
        const all = (wanted) => [...document.querySelectorAll('.viewer-rendered ' + wanted)]
        return {
          starts: all('ol').map((list) => list.start),
          aligned: all('td').map((cell) => getComputedStyle(cell).textAlign.replace('-webkit-', '')),
          links: all('a').map((link) => [link.href, link.textContent]),
        }
      })()`)
      expect(shown).toEqual({
        starts: [3],
        aligned: ['left', 'center', 'right'],
        links: [['https://ci.example/run', 'CI']],
      })
      expect(pages.browserErrors()).toEqual(noBrowserErrors)
    })

    it('pictures', async () => {
      const screenshot = (await readFile('docs/images/share-table-light.png')).toString('base64')
      const blank = await pages.open({ output: 'nothing yet' })
      const [jpeg, webp] = [
        await blank.evaluate<string>(drawing('image/jpeg')),
        await blank.evaluate<string>(drawing('image/webp')),
      ]
      const page = await pages.open({ 'part 1': screenshot, 'part 2': jpeg, 'part 3': webp })
      for (const [place, type] of ['image/png', 'image/jpeg, 320 × 200', 'image/webp, 320 × 200'].entries()) {
        await openPart(page, `part ${place + 1}`)
        expect(await kindShown(page)).toBe('Picture')
        await expect.poll(async () => (await viewShown(page)).innerText()).toContain(type)
        await page.locator('.viewer-picture img').waitFor()
        await expect
          .poll(() => page.evaluate<number>("document.querySelector('.viewer-picture img').naturalWidth"))
          .toBeGreaterThan(300)
      }
      expect(pages.browserErrors()).toEqual(noBrowserErrors)
    })
  },
)
