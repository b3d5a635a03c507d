import { expect, it } from 'vitest'
import { languageOf, languageResponse } from './language-response.js'
import { siteAt } from './site.js'

const site = siteAt('https://snip.example', 'https://shares.example')

const backFrom = (referer: string | undefined): string | undefined =>
  languageResponse(site, 'de', referer)?.headers.Location

it('a chosen language is kept in a cookie that says nothing else, and the reader comes back', () => {
  expect(languageResponse(site, 'de', 'https://snip.example/docs?q=a%20b')).toEqual({
    status: 303,
    body: Buffer.alloc(0),
    headers: {
      'Cache-Control': 'no-store',
      'Set-Cookie': 'lang=de; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure',
      Location: '/docs?q=a%20b',
    },
  })
  expect(backFrom('https://shares.example/s/AAAAAAAAAAAAAAAAAAAAAA')).toBe('/s/AAAAAAAAAAAAAAAAAAAAAA')
})

it('over HTTP the cookie works, too', () => {
  const { headers } = languageResponse(siteAt('http://a.example', 'http://a.example'), 'de', undefined) ?? {}
  expect(headers?.['Set-Cookie']).not.toContain('Secure')
})

it.each([undefined, '', 'nonsense'])('from %s the way leads home', (referer) => {
  expect(backFrom(referer)).toBe(site.homeUrl)
})

it('a page that was opened at another address than the configured one is found again', () => {
  expect(backFrom('http://127.0.0.1:8080/docs?q=a')).toBe('/docs?q=a')
})

it.each([
  'https://evil.example/docs',
  'https://snip.example.evil.example/',
  'javascript:alert(1)',
  'https://snip.example//evil.example/',
  'https://snip.example///evil.example',
  'https://snip.example/\\\\evil.example',
  'https://snip.example/\t/evil.example',
  'https://snip.example/./\\/evil.example',
  'https://user@snip.example//evil.example',
])('%s leads to no other host', (referer) => {
  const back = backFrom(referer) ?? ''
  expect(new URL(back, 'https://snip.example').host).toBe('snip.example')
})

it('there is no page for a language that the pages do not speak', () => {
  expect(languageResponse(site, 'xx', undefined)).toBeNull()
})

it('pages are in English unless the gateway says another language that there is', () => {
  expect(
    [{}, { 'x-snipkeep-page-language': 'xx' }, { 'x-snipkeep-page-language': 'de' }].map(languageOf),
  ).toEqual(['en', 'en', 'de'])
})
