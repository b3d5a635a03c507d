import { expect, it } from 'vitest'
import { hostileTexts } from '../testing/hostile-texts.js'
import { parsePage } from '../testing/parse-page.js'
import { testSite, testSiteApart } from '../testing/test-site.js'
import { cliCallbackResponse } from './cli-callback-page.js'

const secret = 's'.repeat(43)

function respond(parameters: Record<string, string> | string, site = testSite) {
  const { status, body, headers } = cliCallbackResponse(site, new URLSearchParams(parameters))
  return { status, headers, page: parsePage(body.toString()) }
}

it.each([1_024, 49_152, 65_535])('passes a sign-in on to port %i of this machine', (port) => {
  const state = `${port}.${secret}`
  const { status, headers, page } = respond({ code: 'a/b+c', state, iss: 'https://issuer.example' })
  const target = `http://127.0.0.1:${port}/callback?code=a%2Fb%2Bc&state=${state}&iss=https%3A%2F%2Fissuer.example&server=https%3A%2F%2Fsnip.example`
  expect([status, headers]).toEqual([200, { 'Cache-Control': 'no-store', Refresh: `0; url=${target}` }])
  expect(page.attributeOf('<a class="button first"', 'href')).toBe(target)
})

it('passes a refusal of the issuer on, too', () => {
  const error = { error: 'access_denied', error_description: 'No; "never"' }
  const { headers } = respond({ ...error, state: `49152.${secret}` })
  const { searchParams } = new URL(headers.Refresh?.replace('0; url=', '') ?? '')
  expect(Object.fromEntries(searchParams)).toMatchObject(error)
})

it('names its own server, also where shares have a host of their own, and whatever the request names', () => {
  const { headers } = respond(`code=c&state=49152.${secret}&server=https://evil.example`, testSiteApart)
  const { searchParams } = new URL(headers.Refresh?.replace('0; url=', '') ?? '')
  expect(searchParams.getAll('server')).toEqual(['https://snip.example'])
})

it.each([
  ['no state', 'code=c'],
  ['a port of the system', `code=c&state=80.${secret}`],
  ['the last port of the system', `code=c&state=1023.${secret}`],
  ['a port that there is not', `code=c&state=65536.${secret}`],
  ['a port with a zero before it', `code=c&state=08080.${secret}`],
  ['a host', `code=c&state=evil.example:8080.${secret}`],
  ['a user before a host', `code=c&state=8080@evil.example.${secret}`],
  ['a path', `code=c&state=8080/x.${secret}`],
  ['a short secret', 'code=c&state=8080.s'],
  ['two states', `code=c&state=8080.${secret}&state=8081.${secret}`],
  ['two codes', `code=c&code=d&state=8080.${secret}`],
])('passes nothing on with %s', (_name, query) => {
  const { status, headers, page } = respond(query)
  expect([status, headers]).toEqual([400, { 'Cache-Control': 'no-store' }])
  expect(page.tags.filter((tag) => tag.includes('127.0.0.1'))).toEqual([])
  expect(page.attributeOf('<a class="button"', 'href')).toBe('/')
})

it('what the issuer sends is text, whatever it contains', () => {
  const tagsFor = (code: string) =>
    respond({ code, state: `49152.${secret}` }).page.tags.map((tag) => tag.replace(/\s.*$/s, ''))
  for (const code of hostileTexts) expect(tagsFor(code), code).toEqual(tagsFor('c'))
})
