import { describe, expect, it } from 'vitest'
import { visibleMarks } from '#libs/core/readable-text.js'
import { hostileMarkup } from '#libs/testing/hostile-markup.js'
import { naughtyStrings } from '#libs/testing/naughty-strings.js'
import { hostileTexts } from '../testing/hostile-texts.js'
import { type ParsedPage, parsePage } from '../testing/parse-page.js'
import { preview, previewId } from '../testing/previews.js'
import { testAssets } from '../testing/test-assets.js'
import { testSite } from '../testing/test-site.js'
import { sharePage } from './share-page.js'

const render = (...given: Parameters<typeof preview>): string =>
  sharePage(preview(...given), {
    now: new Date('2026-01-04T03:04:05.678Z'),
    live: { assets: testAssets.of('share'), nonce: 'bm9uY2U=' },
    site: testSite,
  }).toString()
const parsed = (...given: Parameters<typeof preview>): ParsedPage => parsePage(render(...given))

/** How a browser decodes text that HTML or UTF-8 cannot carry as is. */
const carried = (text: string): string => text.toWellFormed().replaceAll('\u0000', '\ufffd')
const asOneLine = (text: string): string => carried(visibleMarks(text))

describe('the page of a share', () => {
  it('shows its title, size and expiry, and links to its data', () => {
    const page = render('{"csv":"a"}')
    expect(page).toContain('<h1>Title</h1>')
    expect(page).toContain('<dd>11 bytes</dd>')
    expect(parsePage(page).textOf('dl')).toContain('Expires in 29 days')
    expect(page).toContain(
      '<time id="expiry" datetime="2026-02-01T03:04:05.678Z" title="2026-02-01 03:04 UTC">',
    )
    expect(render('{"n":1}')).toContain(`href="/api/shares/${previewId}/raw"`)
    expect(page).toContain(`href="/api/shares/${previewId}/raw?pointer=%2Fcsv"`)
    expect(page).toContain(`href="/api/shares/${previewId}/raw?pointer=%2Fcsv&amp;download=true"`)
    expect(render('{"n":1}')).toContain(`href="/api/shares/${previewId}/raw?download=true"`)
    expect(parsePage(page).textOf('dl')).toContain('2 days ago')
    expect(page).toContain('datetime="2026-01-02T03:04:05.678Z" title="2026-01-02 03:04 UTC"')
    expect(parsed('{"n":1}', { expiresAt: null, timeLeftMs: null }).textOf('dl')).toMatch(/Never expires\s*$/)
  })

  it('has a title and description for link previews', () => {
    const page = parsed('{"n":1}', { title: 'Q3 "figures" <draft>' })
    expect(page.attributeOf('<meta property="og:title"', 'content')).toBe('Q3 "figures" <draft>')
    expect(page.attributeOf('<meta property="og:description"', 'content')).toBe(
      'csv · 7 bytes · Expires in 29 days',
    )
  })

  it('keeps lines apart without styles', () => {
    expect(render('{"csv":"a,b\\n1,\\"2\\""}')).toContain(
      '<span>a,b</span>\n<span>1,&quot;2&quot;</span>\n</pre>',
    )
  })

  it('says clearly when it shows a part, how much of it, and links to all', () => {
    const head = Buffer.from(`{"v":["${'é'.repeat(40_000)}`)
    const page = render('', { head, sizeBytes: 50_000_000 })
    expect(page).toContain('Only the first 64 KB of 47.7 MB are shown here.')
    expect(page).toContain(`<a href="/api/shares/${previewId}/raw">Show everything</a>`)
    expect(page).not.toContain('\ufffd')
    expect(page.length).toBeLessThan(50_000)
    expect(render(JSON.stringify({ csv: '\n'.repeat(3_000) }))).toContain('Only the first 200 lines')
    expect(render('{"n":1}')).not.toContain('Only the first')
  })

  it('has one heading, names its regions, and lets the keyboard reach the data', () => {
    const { tags, attributeOf } = parsed('{"csv":"a"}')
    expect(tags.filter((tag) => tag.startsWith('<h1'))).toHaveLength(1)
    expect(attributeOf('<pre', 'aria-label')).toBe('Data: csv')
    expect(attributeOf('<pre', 'tabindex')).toBe('0')
    expect(attributeOf('<html', 'lang')).toBe('en')
  })
})

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe('without scripts', () => {
  it('Markdown is rendered, all of the first 64 KiB', () => {
    const page = render(JSON.stringify({ markdown: `# One\n\n${'- a\n'.repeat(300)}\n**end**` }))
    expect(page).toContain('<div class="viewer-rendered" dir="auto"><h1>One</h1>')
    expect(page).toContain('<strong>end</strong>')
    expect(page).not.toContain('Only the first')
    expect(page).not.toContain('<pre')
  })

  it('of larger Markdown the beginning is, and it says so', () => {
    const head = Buffer.from(
      JSON.stringify({ markdown: `# One\n\n${'words\n\n'.repeat(12_000)}` }).slice(0, 65_540),
    )
    const page = render('', { head, sizeBytes: 200_000 })
    expect(page).toContain('<h1>One</h1>')
    expect(page).toContain('Only the first 64 KB of 195.4 KB are shown here.')
  })

  it('Markdown that would take too much work is text', () => {
    const page = render(JSON.stringify({ markdown: '!'.repeat(60_000) }))
    expect(page).toContain('<pre class="data"')
    expect(page).not.toContain('viewer-rendered')
  })

  it('text that is of another kind is text, however much it looks like Markdown', () => {
    const text = '# One\n\nSome **bold** words.\n\n- a\n- b'
    expect(render(JSON.stringify({ text }), { tool: 'notes' })).toContain('<h1>One</h1>')
    for (const key of ['csv', 'yaml', 'sql', 'log'])
      expect(render(JSON.stringify({ [key]: text }), { tool: 'notes' }), key).toContain('<pre class="data"')
    expect(render(JSON.stringify({ text: `<!doctype html>\n${text}` }), { tool: 'notes' })).toContain(
      '<pre class="data"',
    )
  })

  it('an image is drawn', () => {
    for (const image of [png, `data:image/png;base64,${png}`]) {
      const { attributeOf } = parsed(JSON.stringify({ image }))
      expect(attributeOf('<img', 'src')).toBe(`data:image/png;base64,${png.replace(/=+$/, '')}`)
      expect([attributeOf('<img', 'width'), attributeOf('<img', 'height')]).toEqual(['1', '1'])
    }
  })

  it('an image that is not whole, or no image, is text', () => {
    const head = Buffer.from(JSON.stringify({ image: png + 'A'.repeat(70_000) })).subarray(0, 65_540)
    expect(render('', { head, sizeBytes: 100_000 })).not.toContain('<img')
    for (const image of [`${png}<`, 'data:image/svg+xml;base64,PHN2Zz4=', 'data:image/png;base64,AAAA'])
      expect(render(JSON.stringify({ image })), image).not.toContain('<img')
  })
})

describe('the settings of the page’s script', () => {
  const shareData = (...given: Parameters<typeof preview>): Record<string, unknown> =>
    JSON.parse(parsed(...given).attributeOf('<div id="share"', 'data-share'))

  it('contain the share, and the URLs of its data and a single value', () => {
    expect(shareData('{"csv":"a"}')).toEqual({
      id: previewId,
      tool: 'csv',
      title: 'Title',
      size_bytes: 11,
      time_left_ms: 30 * 86_400_000 - 1,
      raw_path: `/api/shares/${previewId}/raw`,
      text_path: `/api/shares/${previewId}/raw?pointer=%2Fcsv`,
      extension: 'csv',
    })
    expect(shareData('{"n":1}', { timeLeftMs: null })).toMatchObject({
      text_path: null,
      time_left_ms: null,
      extension: 'json',
    })
  })

  it('survive unchanged, whatever they contain', () => {
    const texts = [...hostileTexts, ...naughtyStrings, ...hostileMarkup]
    expect(texts.length).toBeGreaterThan(2_500)
    for (const text of texts) {
      const { title, tool } = shareData('{"n":1}', { title: text, tool: text })
      expect([title, tool]).toEqual([text, text])
    }
  })
})

describe('no part of a share becomes markup', () => {
  const single = parsed('{"csv":"a"}').tags
  const plain = parsed('{"n":1}').tags
  /** The tags, without those of the lines. */
  const frame = (tags: readonly string[]): readonly string[] => tags.filter((tag) => !/^<\/?span>$/.test(tag))

  it('there are enough texts', () => {
    expect(new Set(hostileTexts).size).toBeGreaterThanOrEqual(60)
  })

  it('not as the title', () => {
    for (const text of hostileTexts) {
      const page = parsed('{"n":1}', { title: text })
      expect(page.tags, text).toEqual(plain)
      expect(page.textOf('h1')).toBe(asOneLine(text))
      expect(page.textOf('title')).toBe(`${asOneLine(text)} · Snipkeep`)
      expect(page.attributeOf('<meta property="og:title"', 'content')).toBe(asOneLine(text))
    }
  })

  it('not as the tool', () => {
    for (const text of hostileTexts) {
      const page = parsed('{"n":1}', { tool: text })
      expect(page.tags, text).toEqual(plain)
      expect(page.textOf('dd')).toBe(asOneLine(text))
    }
  })

  it('not as a string shown as text', () => {
    for (const text of hostileTexts) {
      const page = parsed(JSON.stringify({ csv: text }))
      expect(frame(page.tags), text).toEqual(frame(single))
      const lines = carried(text).split(/\r\n|[\n\r\u2028\u2029]/)
      expect(page.textOf('pre')).toBe(lines.map((line) => `${line}\n`).join(''))
      expect(page.tags.filter((tag) => tag === '<span>')).toHaveLength(lines.length)
    }
  })

  it('not as JSON text', () => {
    for (const text of hostileTexts) {
      const json = JSON.stringify({ data: [text] })
      const page = parsed(json)
      expect(frame(page.tags), text).toEqual(frame(plain))
      expect(page.textOf('pre').replaceAll('\n', '')).toBe(json.replaceAll(/[\u2028\u2029]/g, ''))
    }
  })

  it('not as a key, on the page or in a link', () => {
    for (const text of hostileTexts) {
      const page = parsed(JSON.stringify({ [text]: 'x' }))
      const shownAsItself = page.attributeOf('<pre', 'aria-label') !== 'Data'
      expect(frame(page.tags), text).toEqual(frame(shownAsItself ? single : plain))
      const link = new URL(page.attributeOf('<a class="button"', 'href'), 'http://page.example')
      expect([link.host, link.pathname]).toEqual(['page.example', `/api/shares/${previewId}/raw`])
      const key = text.replaceAll('~', '~0').replaceAll('/', '~1')
      expect(link.searchParams.get('pointer')).toBe(shownAsItself ? `/${key}` : null)
    }
  })
})
