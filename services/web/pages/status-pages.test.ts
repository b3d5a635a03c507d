import { describe, expect, it } from 'vitest'
import { hostileTexts } from '../testing/hostile-texts.js'
import { type ParsedPage, parsePage } from '../testing/parse-page.js'
import { testAssets } from '../testing/test-assets.js'
import { testSiteApart } from '../testing/test-site.js'
import { landingPage } from './landing-page.js'
import { expiredPage, failurePage, notFoundPage, readOnlyPage, unavailablePage } from './status-pages.js'

const home = testSiteApart
const expiredAt = new Date('2026-01-02T03:04:05.678Z')
const now = new Date('2026-01-05T04:04:05.678Z')
const expired = (title: string): ParsedPage => parsePage(expiredPage(home, title, expiredAt, now).toString())

const pages: readonly (readonly [string, Buffer])[] = [
  ['landing', landingPage(home, { assets: testAssets.of('landing'), nonce: 'bm9uY2U=' })],
  ['404', notFoundPage(home)],
  ['405', readOnlyPage(home)],
  ['410', expiredPage(home, 'Old', expiredAt, now)],
  ['500', failurePage(home)],
  ['503', unavailablePage(home)],
]

it('an expired share whose title is no longer known tells when it expired, and no empty name', () => {
  const page = expiredPage(home, null, expiredAt, now).toString()
  expect(page).toContain('2026-01-02 03:04 UTC')
  expect(page).not.toContain('<dt>Title</dt>')
})

describe.each(pages)('the page %s', (name, bytes) => {
  const page = parsePage(bytes.toString())

  it('previews as what it is, and asks not to be listed', () => {
    expect(page.attributeOf('<meta property="og:title"', 'content')).toBe(page.textOf('title'))
    expect(page.attributeOf('<meta property="og:description"', 'content')).not.toBe('')
    expect(page.attributeOf('<meta name="robots"', 'content')).toBe('noindex')
  })

  it('leads home by absolute links where shares have an origin of their own', () => {
    expect(page.attributeOf('<a class="brand"', 'href')).toBe('https://snip.example/')
  })

  it('has one heading, a way to go on, and no script but that of the landing page', () => {
    expect(page.tags.filter((tag) => tag.startsWith('<h1'))).toHaveLength(1)
    expect(page.attributeOf('<a class="button', 'href')).toBeTypeOf('string')
    expect(page.tags.filter((tag) => tag.startsWith('<script'))).toHaveLength(name === 'landing' ? 1 : 0)
  })
})

it('whoever comes too late reads what it was called and when it expired', () => {
  const facts = expired('Q3 figures').textOf('dl')
  expect(facts).toContain('TitleQ3 figures')
  expect(facts).toContain('Expired3 days ago (2026-01-02 03:04 UTC)')
})

it('the title of what has expired is text, whatever it holds', () => {
  const { tags } = expired('Old')
  for (const title of hostileTexts) expect(expired(title).tags, title).toEqual(tags)
})

it('only what may come back offers to try again', () => {
  const withRetry = pages.filter(([, bytes]) => bytes.toString().includes('href=""')).map(([name]) => name)
  expect(withRetry).toEqual(['500', '503'])
})
