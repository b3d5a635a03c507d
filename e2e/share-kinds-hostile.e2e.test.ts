import { expect, it } from 'vitest'
import { hostileMarkup } from '#libs/testing/hostile-markup.js'
import { unnestedMarkup } from '#libs/testing/unnested-markup.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { png, tokenOf } from './harness/kind-documents.js'
import { describeSharePages, kindShown } from './harness/share-pages.js'
import { inEachView, viewShown } from './harness/viewer.js'

/** What pages are made of around the frame of their Markdown, as a browser parses them. */
const outlines = `(pages) => pages.map((page) => {
  const parsed = new DOMParser().parseFromString(page, 'text/html')
  parsed.querySelector('.viewer-rendered').replaceChildren()
  const walker = parsed.createTreeWalker(parsed, NodeFilter.SHOW_ELEMENT + NodeFilter.SHOW_TEXT)
  const names = []
  while (walker.nextNode())
    if (walker.currentNode.data?.trim() !== '') names.push(walker.currentNode.nodeName)
  return names.join(' ')
})`

describeSharePages(
  'hostile content of each kind runs nothing, loads nothing and holds nothing up',
  (pages) => {
    it('Markdown runs no script, loads nothing and only links out of the page', async () => {
      const markdown = `# T
<script>__hit=1</script><img src=https://evil.example/a onerror=__hit=1>
![x](https://evil.example/b)<iframe src=https://evil.example></iframe>
[a](javascript:__hit=1) <a href="https://example.com" style="position:fixed" onclick="__hit=1">b</a>
<svg><style>@import "https://evil.example"</style></svg><form action=https://evil.example><input autofocus onfocus=__hit=1></form>
<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=__hit=1&gt;">`
      const page = await pages.open({ markdown })
      const rendered = page.locator('.viewer-rendered')
      expect(
        await rendered.locator('script, img, iframe, svg, style, form, input, math, [style]').count(),
      ).toBe(0)
      const links = await page.evaluate<readonly unknown[]>(
        "[...document.querySelectorAll('.viewer-rendered a[href]')].map((link) => [link.href, link.rel])",
      )
      const rel = 'noopener noreferrer nofollow ugc'
      expect(links).toEqual([
        ['https://evil.example/b', rel],
        ['https://example.com/', rel],
        // Text that looks like a URL becomes a link, as in any Markdown.
        ['https://evil.example/', rel],
      ])
      expect(pages.browserErrors()).toEqual(noBrowserErrors)
    })

    it('no Markdown changes the page around it, as browsers parse it', async () => {
      const texts = unnestedMarkup.map((text) => `${text}${text}\n\nafter`)
      for (let at = 0; at < hostileMarkup.length; at += 80)
        texts.push(hostileMarkup.slice(at, at + 80).join('\n\n'))
      const shared: string[] = []
      for (const markdown of ['*plain*', ...texts])
        shared.push(await (await fetch(await pages.share({ markdown }))).text())
      const blank = await pages.another('about:blank')
      const [plain, ...hostile] = await blank.evaluate<readonly string[]>(
        `(${outlines})(${JSON.stringify(shared)})`,
      )
      expect(texts.filter((_, place) => hostile[place] !== plain)).toEqual([])
    })

    it('Markdown without scripts stays where it is shown, whatever it closes', async () => {
      const markdown = ['# T', ...unnestedMarkup, '<script>__hit=1</script>', '*end*'].join('\n\n')
      const shared = (await pages.open({ markdown })).url()
      const bare = await pages.another(shared, { javaScriptEnabled: false })
      const shown = bare.locator('body > main > article > #data > #share > .viewer-rendered')
      expect(await shown.locator('em').innerText()).toBe('end')
      expect(await bare.locator('body > footer').count()).toBe(1)
      expect(await bare.locator('#share > *, #data > *').count()).toBe(2)
      expect(await shown.locator('script, div, [style], [id]').count()).toBe(0)
      const image = (await pages.open({ image: png })).url()
      const drawn = await pages.another(image, { javaScriptEnabled: false })
      expect(
        await drawn
          .locator('#share img')
          .evaluate((shown) => (shown as unknown as { naturalWidth: number }).naturalWidth),
      ).toBeGreaterThan(0)
      expect(pages.browserErrors()).toEqual(noBrowserErrors)
    })

    const levels = Array.from(
      { length: 30 },
      (_level, at) => `l${at + 1}: &l${at + 1} [${`*l${at},`.repeat(9)}]`,
    )
    const entities = Array.from(
      { length: 20 },
      (_entity, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`,
    )
    const bytes = Buffer.from(png, 'base64')
    bytes.writeUInt32BE(60_000, 16)
    bytes.writeUInt32BE(60_000, 20)
    it.each([
      ['aliases that explode', { yaml: `l0: &l0 [lol]\n${levels.join('\n')}` }, 'YAML', 'l30'],
      [
        'entities that explode',
        { xml: `<!DOCTYPE x [<!ENTITY e0 "lol">${entities.join('')}]><x>&e20;</x>` },
        'XML',
        '&e20;',
      ],
      ['a token of 1 MB', { jwt: tokenOf({ x: 'y'.repeat(1_000_000) }) }, 'JWT', '"alg": "HS256"'],
      [
        'a picture of 3,600 million pixels',
        { image: bytes.toString('base64') },
        'Picture',
        'too large to be drawn',
      ],
      ['100,000 open elements', { xml: '<a>'.repeat(100_000) }, 'Text', '<a>'],
      ['elements 512 deep', { xml: `${'<a>'.repeat(512)}${'</a>'.repeat(512)}` }, 'XML', '<a>'],
      ['Markdown of 1 MB', { markdown: '# T\n\n'.repeat(200_000) }, 'Text', 'T'],
    ])('%s', async (_name, data, kind, shown) => {
      const page = await pages.open(data)
      expect([kind, 'Markdown']).toContain(await kindShown(page))
      await expect.poll(async () => (await viewShown(page)).innerText()).toContain(shown)
      await inEachView(page, async () => undefined)
      expect(await page.locator('.viewer-picture img').count()).toBe(0)
      expect(pages.browserErrors()).toEqual(noBrowserErrors)
    })
  },
)
