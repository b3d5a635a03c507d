import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { accessibilityProblems, overflowOf } from './harness/accessibility.js'
import type { ApiClient } from './harness/api-client.js'
import {
  describeWithBrowser,
  type Profile,
  type ProfileOptions,
  startBrowser,
  type TestBrowser,
} from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { kindDocuments, png, tokenOf } from './harness/kind-documents.js'
import { makeShare } from './harness/make-share.js'
import { startSystem, type TestSystem } from './harness/system.js'
import { inEachView, viewShown } from './harness/viewer.js'

let system: TestSystem
let browser: TestBrowser
let ada: ApiClient
let profile: Profile

describeWithBrowser('a share is shown as what it is', () => {
  beforeAll(async () => {
    ;[system, browser] = await Promise.all([startSystem(), startBrowser()])
    ada = await system.user('ada', 'pro')
  })
  afterAll(async () => {
    await browser?.close()
    await system?.stop()
  })
  afterEach(() => profile?.close())

  async function open(
    data: object,
    { tool = 'tool', ...options }: ProfileOptions & { readonly tool?: string } = {},
  ): Promise<Page> {
    const { share_url } = await makeShare(ada, { tool, data })
    profile = await browser.profile({ permissions: ['clipboard-read', 'clipboard-write'], ...options })
    const page = await profile.newPage()
    await page.goto(share_url)
    await viewShown(page)
    return page
  }
  const kindOf = (page: Page): Promise<string> =>
    page.getByRole('combobox', { name: 'Shown as' }).locator('option:checked').innerText()
  const clipboard = (page: Page): Promise<string> => page.evaluate<string>('navigator.clipboard.readText()')

  it.each(kindDocuments)('$kind: $data', async ({ kind, data, tool = 'tool', view, shows, views }) => {
    const page = await open(data, { tool })
    expect(await kindOf(page)).toBe(kind)
    expect(await page.locator('.viewer-tabs [aria-selected=true]').innerText()).toBe(view)
    for (const shown of shows) expect(await (await viewShown(page)).innerText()).toContain(shown)
    expect(await inEachView(page, async () => undefined)).toEqual(views)
    await page.locator('.viewer-tabs').getByRole('tab', { name: 'Raw' }).click()
    expect((await (await viewShown(page)).innerText()).replace(/^1\n/, '')).toContain(JSON.stringify(data))
    expect(profile.incidents).toEqual(noBrowserErrors)
  })

  it('members are tabs that the keyboard reaches, and links lead into them', async () => {
    const data = { input: 'a,b\n1,2', output: '[{"a":"1"}]', options: { indent: 2 } }
    const page = await open(data, { tool: 'csv-to-json' })
    const parts = page.getByRole('tablist', { name: 'Parts of the data' }).getByRole('tab')
    expect(await parts.allTextContents()).toEqual(['input', 'output', 'options'])
    expect(await parts.nth(1).getAttribute('aria-selected')).toBe('true')
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
    expect(profile.incidents).toEqual(noBrowserErrors)
  })

  it('two sides are compared side by side and unified, with the words that differ', async () => {
    const data = { left: 'same\none word\nend', right: 'same\none sentence\nend' }
    const page = await open(data, { viewport: { width: 1280, height: 800 } })
    expect(await page.locator('mark').allTextContents()).toEqual(['word', 'sentence'])
    expect(await page.locator('.diff-change').count()).toBe(1)
    await page.getByRole('button', { name: 'Unified' }).click()
    await page.locator('.diff-change').nth(1).waitFor()
    expect(await page.locator('.diff-removed').innerText()).toBe('one word')
    expect(await page.locator('.diff-added').innerText()).toBe('one sentence')
    expect(profile.incidents).toEqual(noBrowserErrors)
  })

  it('the reader chooses another kind, and copies what was sent or what is shown', async () => {
    const sent = '{"b":1.0,"a":[2]}'
    const page = await open({ output: sent })
    await page.getByRole('button', { name: 'Copy text' }).click()
    await page.getByText('Copied', { exact: true }).waitFor()
    expect(await clipboard(page)).toBe(sent)
    await page.getByRole('button', { name: 'Copy formatted' }).click()
    await expect.poll(() => clipboard(page)).toBe('{\n  "b": 1.0,\n  "a": [\n    2\n  ]\n}')
    await page.getByRole('combobox', { name: 'Shown as' }).selectOption('toml')
    await page.getByText('This is not valid TOML, so it is shown as text.').waitFor()
    await page.getByRole('combobox', { name: 'Shown as' }).selectOption('yaml')
    await page.locator('.viewer-tabs').getByRole('tab', { name: 'Tree' }).click()
    await page.getByRole('treeitem').filter({ hasText: '1.0' }).waitFor()
    expect(profile.incidents).toEqual(noBrowserErrors)
  })

  it('Markdown runs no script, loads nothing and leads out of the page by links alone', async () => {
    const markdown = `# T
<script>__hit=1</script><img src=https://evil.example/a onerror=__hit=1>
![x](https://evil.example/b)<iframe src=https://evil.example></iframe>
[a](javascript:__hit=1) <a href="https://example.com" style="position:fixed" onclick="__hit=1">b</a>
<svg><style>@import "https://evil.example"</style></svg><form action=https://evil.example><input autofocus onfocus=__hit=1></form>
<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=__hit=1&gt;">`
    const page = await open({ markdown })
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
      // Text that looks like an address is a link, as in any Markdown.
      ['https://evil.example/', rel],
    ])
    expect(profile.incidents).toEqual(noBrowserErrors)
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
    ['100,000 open elements', { xml: '<a>'.repeat(100_000) }, 'XML', '<a>'],
    ['Markdown of 1 MB', { markdown: '# T\n\n'.repeat(200_000) }, 'Text', 'T'],
  ])('%s', async (_name, data, kind, shown) => {
    const page = await open(data)
    expect([kind, 'Markdown']).toContain(await kindOf(page))
    await expect.poll(async () => (await viewShown(page)).innerText()).toContain(shown)
    await inEachView(page, async () => undefined)
    expect(await page.locator('.viewer-picture img').count()).toBe(0)
    expect(profile.incidents).toEqual(noBrowserErrors)
  })

  const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
    [320, 1280].map((width) => ({ colorScheme, width })),
  )
  it.each(looks)(
    'axe finds nothing in any view ($colorScheme, $width px)',
    async ({ colorScheme, width }) => {
      const datas = [
        {
          input: '# T\n\n- a\n- b\n\n[l](https://example.com) `c`\n\n> q\n',
          output: '<a><b c="d">e</b></a>',
          left: 'a\nb',
          right: 'a\nc',
        },
        { image: png, yaml: 'a: 1\nb: "x" # c\n', jwt: tokenOf({ exp: 1 }) },
        { sql: 'select 1 from t', patch: '--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n', toml: 'a = 1\n' },
      ]
      for (const data of datas) {
        const page = await open(data, { colorScheme, viewport: { width, height: 800 } })
        const parts = page.getByRole('tablist', { name: 'Parts of the data' }).getByRole('tab')
        for (let part = 0; part < (await parts.count()); part += 1) {
          await parts.nth(part).click()
          await page.locator('.viewer-part:not([aria-busy=true])').waitFor()
          await inEachView(page, async (view) => {
            expect(await accessibilityProblems(page), view).toEqual([])
            expect(await overflowOf(page), view).toBe(0)
          })
        }
        await profile.close()
      }
    },
  )
})
