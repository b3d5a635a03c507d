import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient, ApiResponse } from './harness/api-client.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess
let anyone: ApiClient
let share: string
let gated: string

beforeAll(async () => {
  system = await startSystem()
  anyone = system.anyone()
  const mia = await system.user('mia')
  const make = async (gate: object): Promise<string> => {
    const made = await mia.post('/api/shares', {
      ...gate,
      tool: 'csv',
      title: 'Team',
      data: { csv: 'a,b\n1,2\n' },
    })
    expect(made.status).toBe(201)
    return new URL(String(made.json().share_url)).pathname
  }
  share = await make({})
  gated = await make({ max_views: 3 })
})
afterAll(() => system?.stop())

const read = (path: string, language: string, headers: Record<string, string> = {}): Promise<ApiResponse> =>
  anyone.get(path, { 'Accept-Language': language, Accept: 'text/html', ...headers })

/** The part of a page that its nonce does not change. */
const steady = ({ text }: ApiResponse): string => text.replaceAll(/nonce="[^"]*"/g, '')

/** Each page with what it says in German and Japanese, and not in English. */
const pages: readonly (readonly [
  name: string,
  path: () => string,
  english: string,
  german: string,
  japanese: string,
])[] = [
  ['the front page', () => '/', 'Paste data.', 'Daten einfügen.', 'データを貼り付ける'],
  ['a share', () => share, 'Report</a>', 'Melden</a>', '報告</a>'],
  [
    'an embedded share',
    () => `${share}/embed`,
    'shared with Snipkeep',
    'geteilt mit Snipkeep',
    'Snipkeep で共有',
  ],
  ['a gated share', () => gated, 'Show it (3 views left)', 'Anzeigen (noch 3 Aufrufe)', '表示（残り 3 回）'],
  ['the form of a report', () => `${share}/report`, 'Send report', 'Meldung senden', '報告を送信'],
  [
    'a comparison of shares',
    () => `${share}/compare`,
    '<h1>Compare</h1>',
    '<h1>Vergleichen</h1>',
    '<h1>比較</h1>',
  ],
  ['a comparison of files', () => '/compare', 'How it compares', 'So wird verglichen', '比較の方法'],
  ['the list of tools', () => '/tools', '<h1>Tools</h1>', '<h1>Werkzeuge</h1>', '<h1>ツール</h1>'],
  ['a tool', () => '/tools/json-format', 'What is preserved', 'Was erhalten bleibt', '保たれるもの'],
  ['the list of guides', () => '/docs', 'Search the guides', 'Anleitungen durchsuchen', 'ガイドを検索'],
  ['a guide', () => '/docs/cli', 'All guides', 'Alle Anleitungen', 'すべてのガイド'],
  [
    'the dashboard',
    () => '/dashboard',
    'The dashboard needs JavaScript',
    'Das Dashboard braucht JavaScript',
    'JavaScript が必要です',
  ],
  ['no page', () => '/nothing', 'Page not found', 'Seite nicht gefunden', 'ページが見つかりません'],
  [
    'no share',
    () => '/s/AAAAAAAAAAAAAAAAAAAAAA',
    'Page not found',
    'Seite nicht gefunden',
    'ページが見つかりません',
  ],
]

describe.each(pages)('%s', (_name, path, english, german, japanese) => {
  it.each([
    ['en', english],
    ['de', german],
    ['ja', japanese],
  ])('speaks %s to who asks for it', async (language, words) => {
    const response = await read(path(), `${language}-XX,${language};q=0.9,fr;q=0.8`)
    expect(response.text).toContain(`<html lang="${language}">`)
    expect(response.text).toContain(words)
    if (language !== 'en') expect(response.text).not.toContain(english)
    expect(response.headers.get('content-language')).toBe(language)
    expect(response.headers.get('vary')).toContain('Accept-Language, Cookie')
    expect(response.headers.get('cache-control')).toMatch(/^(private|no-store)/)
  })
})

it('a kept page of a share is never shown in a language that was not asked for', async () => {
  const languages = ['de', 'en', 'ja', 'de', 'ja', 'en', 'en', 'de']
  const found = await Promise.all(languages.map((language) => read(share, language)))
  for (const [index, language] of languages.entries())
    expect(found[index]?.text).toContain(`<html lang="${language}">`)
  for (const language of languages)
    expect((await read(share, language)).text).toContain(`<html lang="${language}">`)
  const scripts = found.map(({ text }) => /<script type="module"[^>]* src="([^"]+)"/.exec(text)?.[1])
  expect(scripts.every((script) => script !== undefined)).toBe(true)
})

it('the reader’s choice counts more than the browser’s, on pages that are kept and on others', async () => {
  for (const path of [share, '/tools'])
    for (const cookie of ['lang=de', 'other=1; lang=de; more=2'])
      expect((await read(path, 'ja', { Cookie: cookie })).text).toContain('<html lang="de">')
  expect((await read(share, 'ja', { Cookie: 'lang=xx; xlang=de' })).text).toContain('<html lang="ja">')
})

it('a link of each page keeps the choice in a cookie, and leads back', async () => {
  const page = await read(share, 'de')
  const links = [...page.text.matchAll(/href="(\/language\/\w+)"/g)].map(([, link = '']) => link)
  expect(links).toEqual(['/language/en', '/language/ja'])
  const chosen = await read('/language/ja', 'de', { Referer: `${system.baseUrl()}${share}?x=1` })
  expect([chosen.status, chosen.headers.get('location')]).toEqual([303, `${share}?x=1`])
  const [cookie = '', ...attributes] = (chosen.headers.get('set-cookie') ?? '').split('; ')
  expect(cookie).toBe('lang=ja')
  expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'HttpOnly', 'SameSite=Lax']))
  expect(chosen.headers.get('cache-control')).toBe('no-store')
  expect((await read(share, 'de', { Cookie: cookie })).text).toContain('<html lang="ja">')
})

it('a choice leads to no other site, whatever its link says', async () => {
  const base = system.baseUrl()
  for (const referer of ['https://evil.example/', `${base}//evil.example/`, `${base}/\\evil.example`, '']) {
    const { status, headers } = await read('/language/de', 'en', { Referer: referer })
    const location = headers.get('location') ?? ''
    expect([status, new URL(location, base).origin], referer).toEqual([303, new URL(base).origin])
  }
  expect((await read('/language/xx', 'en')).status).toBe(404)
})

it('a caller cannot choose by the header that the gateway sends', async () => {
  const forged = await read('/tools', 'en', { 'X-Snipkeep-Page-Language': 'de' })
  expect(forged.text).toContain('<html lang="en">')
})

it('what tools keep for when there is no network is in the language of the page', async () => {
  const version = async (language: string) =>
    /"version":"(\w+)"/.exec((await read('/tools/service-worker.js', language)).text)?.[1]
  const [english, german] = [await version('en'), await version('de')]
  expect(english).not.toBe(german)
  const kept = (await read('/tools/offline.json', 'de')).json<{
    version: string
    pages: Record<string, string>
  }>()
  expect(kept.version).toBe(german)
  expect(kept.pages['/tools']).toContain('<html lang="de">')
})

it('the API and what is shared stay as they are', async () => {
  const [english, german] = await Promise.all(
    ['en', 'de'].map((language) => read('/api/shares/AAAAAAAAAAAAAAAAAAAAAA', language)),
  )
  expect(german?.json().detail).toBe(english?.json().detail)
  const raw = await Promise.all(
    ['en', 'de'].map((language) => read(`/api${share.replace('/s/', '/shares/')}/raw`, language)),
  )
  expect(raw[1]?.text).toBe(raw[0]?.text)
  expect(raw[1]?.headers.get('vary') ?? '').not.toContain('Accept-Language')
  expect(steady(await read('/api/docs', 'de'))).toBe(steady(await read('/api/docs', 'en')))
})
