import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DomainError } from '#libs/core/domain-error.js'
import { createLogger } from '#libs/log/logger.js'
import { createPageServer } from './server.js'
import type { SharePreview, ShareReader } from './share-reader.js'
import { styleSheetPath } from './style-sheet.js'

const id = 'AAAAAAAAAAAAAAAAAAAAAA'
const harmless: SharePreview = {
  id,
  tool: 'csv',
  title: 'Title',
  sizeBytes: 11,
  createdAt: new Date('2026-01-02T03:04:05.678Z'),
  expiresAt: new Date('2026-02-01T03:04:05.678Z'),
  timeLeftMs: 30 * 86_400_000 - 1,
  head: Buffer.from('{"csv":"a"}'),
}

let answer: () => SharePreview
let asked: number[]
const reader: ShareReader = {
  async read(_id, headBytesMax) {
    asked.push(headBytesMax)
    return answer()
  },
  close() {},
}
const server = createPageServer(reader, createLogger('test', 'silent'))
let base = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())
beforeEach(() => {
  asked = []
  answer = () => harmless
})

const get = (path = `/s/${id}`, method = 'GET'): Promise<Response> => fetch(`${base}${path}`, { method })
const withData = (text: string): SharePreview => {
  const head = Buffer.from(text)
  return { ...harmless, head, sizeBytes: head.length }
}

describe('the page of a share', () => {
  it('tells what it is, how large, and until when, and links to its data', async () => {
    const response = await get()
    const page = await response.text()
    expect(response.status).toBe(200)
    expect(page).toContain('<h1>Title</h1>')
    expect(page).toContain('11 bytes')
    expect(page).toContain('expires in 29 days (2026-02-01 03:04 UTC)')
    expect(page).toContain(`href="/api/shares/${id}/raw?pointer=%2Fcsv"`)
    expect(page).toContain(`href="/api/shares/${id}/raw?pointer=%2Fcsv&amp;download=true"`)
    expect(response.headers.get('cache-control')).toBe('public, max-age=60')
  })

  it('is cached no longer than it lives', async () => {
    answer = () => ({ ...harmless, timeLeftMs: 5_900 })
    expect((await get()).headers.get('cache-control')).toBe('public, max-age=5')
    answer = () => ({ ...harmless, timeLeftMs: 900 })
    expect((await get()).headers.get('cache-control')).toBe('no-store')
    answer = () => ({ ...harmless, expiresAt: null, timeLeftMs: null })
    expect(await (await get()).text()).toContain('never expires')
  })

  it('shows a lone string as itself, line by line, and anything else as the text that was sent', async () => {
    answer = () => withData('{"csv":"a,b\\n1,\\"2\\""}')
    expect(await (await get()).text()).toContain('<span>a,b</span><span>1,&quot;2&quot;</span>')
    for (const text of ['{"n":1.0,"m":1e400}', '{"a":"x","a":"y"}', '{"a":["x"]}', '{}']) {
      answer = () => withData(text)
      expect(await (await get()).text()).toContain(`<span>${text.replaceAll('"', '&quot;')}</span>`)
    }
  })

  it('reads and shows only the first part of large data, and says so', async () => {
    const head = Buffer.from(`{"v":"${'é'.repeat(40_000)}`)
    answer = () => ({ ...harmless, head, sizeBytes: 50_000_000 })
    const page = await (await get()).text()
    expect(asked).toEqual([65_540])
    expect(page).toContain('only the first part')
    expect(page).not.toContain('\ufffd')
    expect(page.length).toBeLessThan(80_000)
  })
})

describe('nothing of a share is markup', () => {
  const strings = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "'><svg/onload=alert(1)>",
    '</title><script>x</script>',
    '</pre><h1>x</h1>',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '</textarea>',
    '<style>*{display:none}</style>',
    '<iframe src=//evil.example>',
    '<a href="javascript:alert(1)">',
    '<base href=//evil.example>',
    '<meta http-equiv=refresh content=0>',
    '&lt;script&gt;',
    '&#60;b&#62;',
    '&amp;',
    '&',
    '<',
    '>',
    '"',
    "'",
    '`',
    '\u0024{x}',
    '{{x}}',
    '<%x%>',
    '\u2028<b>',
    '\u2029<b>',
    '\u202e<b>',
    '\u0000<b>',
    '\ud800<b>',
    '\ufeff<b>',
    '<b\u00a0onclick=x>',
    '<B>',
    '<\u0000script>',
    '<script\n>',
    '<scr<script>ipt>',
    '%3Cscript%3E',
    '\\u003cscript\\u003e',
    '+ADw-script+AD4-',
    '<math><mi xlink:href="data:x">',
    '<object data=x>',
    '<embed src=x>',
    '<form action=x>',
    '<input autofocus onfocus=x>',
    '<details open ontoggle=x>',
    '<video src=x>',
    '<link rel=stylesheet href=x>',
    '</span></pre></main>',
    '</body></html>',
    'a'.repeat(5_000),
    '🏴‍☠️<b>',
    'ｓｃｒｉｐｔ＜',
    '‹script›',
    '<xss style=x>',
    '<button formaction=x>',
    '<marquee>',
    '<template>',
    '<slot>',
    '<noscript><p title="</noscript><img>">',
  ]
  const tagsOf = (page: string): string[] => [...page.matchAll(/<\/?[a-z!][^\s>]*/gi)].map(([tag]) => tag)

  it('whichever field carries it', async () => {
    expect(strings.length).toBeGreaterThanOrEqual(60)
    for (const text of strings) {
      answer = () => withData('{"n":1}')
      const expected = tagsOf(await (await get()).text())
      for (const share of [
        { ...withData('{"n":1}'), title: text },
        { ...withData('{"n":1}'), tool: text },
        withData(JSON.stringify({ [text]: 1 })),
      ]) {
        answer = () => share
        const page = await (await get()).text()
        const lines = tagsOf(page).filter((tag) => !/^<\/?span$/.test(tag))
        expect(lines, text).toEqual(expected.filter((tag) => !/^<\/?span$/.test(tag)))
      }
      answer = () => withData(JSON.stringify({ csv: text }))
      expect(
        tagsOf(await (await get()).text()).filter((tag) => !/^<\/?(span|pre|h1|p|nav|a)$/.test(tag)),
        text,
      ).toEqual(expected.filter((tag) => !/^<\/?(span|pre|h1|p|nav|a)$/.test(tag)))
    }
  })
})

describe('the other pages', () => {
  const failing = (error: DomainError) => () => {
    throw error
  }

  it('are 404 for what is unknown, 410 for what has expired, and 503 for what cannot be had now', async () => {
    answer = failing(new DomainError('not-found', 'not_found', 'x'))
    expect((await get()).status).toBe(404)
    answer = failing(
      new DomainError('gone', 'share_expired', 'x', {
        title: 'Old <b>',
        expired_at: '2026-01-02T03:04:05.678Z',
      }),
    )
    const gone = await get()
    const page = await gone.text()
    expect(gone.status).toBe(410)
    expect(page).toContain('Old &lt;b&gt;')
    expect(page).toContain('2026-01-02 03:04 UTC')
    for (const kind of ['unavailable', 'timeout'] as const) {
      answer = failing(new DomainError(kind, kind, 'x'))
      const response = await get()
      expect([
        response.status,
        response.headers.get('retry-after'),
        response.headers.get('cache-control'),
      ]).toEqual([503, '2', 'no-store'])
    }
    answer = () => {
      throw new Error('secret detail')
    }
    const broken = await get()
    expect(broken.status).toBe(500)
    expect(await broken.text()).not.toContain('secret detail')
  })

  it('are 404 for any other address, without asking for a share', async () => {
    for (const path of [
      '/s/',
      '/s/short',
      `/s/${id}/`,
      `/s/${id}x`,
      '/S/x',
      '/assets/other.css',
      '/index.html',
      '/..%2fx',
      `/s/${id}%00`,
    ]) {
      expect((await get(path)).status, path).toBe(404)
    }
    expect(asked).toEqual([])
  })

  it('can only be read', async () => {
    const response = await get('/', 'POST')
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    const head = await get(`/s/${id}`, 'HEAD')
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('all carry the same strict headers, and load one style from here', async () => {
    for (const path of ['/', `/s/${id}`, '/nothing', styleSheetPath]) {
      const { headers } = await get(path)
      expect(headers.get('content-security-policy'), path).toMatch(
        /default-src 'none'.*base-uri 'none'.*frame-ancestors 'none'.*trusted-types/,
      )
      expect(headers.get('content-security-policy')).not.toMatch(/unsafe|\*|https?:/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-robots-tag')).toBe('noindex')
    }
    const page = await (await get('/')).text()
    expect(
      [...page.matchAll(/(?:src|href)="([^"]*)"/g)]
        .map((match) => match[1])
        .filter((url) => !url?.startsWith('/')),
    ).toEqual([])
    expect((await get(styleSheetPath)).headers.get('cache-control')).toContain('immutable')
  })
})
