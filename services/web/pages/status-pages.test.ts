import { describe, expect, it } from 'vitest'
import { hostileTexts } from '../testing/hostile-texts.js'
import { type ParsedPage, parsePage } from '../testing/parse-page.js'
import { testAssets } from '../testing/test-assets.js'
import { testPlans } from '../testing/test-plans.js'
import { testSiteApart } from '../testing/test-site.js'
import { landingPage } from './landing-page.js'
import {
  disabledPage,
  expiredPage,
  failurePage,
  nearestTool,
  noSharePage,
  notFoundPage,
  readOnlyPage,
  unavailablePage,
} from './status-pages.js'

const home = testSiteApart
const expiredAt = new Date('2026-01-02T03:04:05.678Z')
const now = new Date('2026-01-05T04:04:05.678Z')
const expired = (title: string): ParsedPage => parsePage(expiredPage(home, title, expiredAt, now).toString())

const pages: readonly (readonly [string, Buffer])[] = [
  ['landing', landingPage(home, { assets: testAssets.of('landing'), nonce: 'bm9uY2U=' }, testPlans)],
  ['404', notFoundPage(home, '/nothing')],
  ['404 of a tool', notFoundPage(home, '/tools/format-json')],
  ['404 of a share', noSharePage(home)],
  ['405', readOnlyPage(home)],
  ['410', expiredPage(home, 'Old', expiredAt, now)],
  ['410 of a disabled share', disabledPage(home)],
  ['500', failurePage(home)],
  ['503', unavailablePage(home)],
]

it('an expired share without a title says when it expired, and shows no empty name', () => {
  const page = expiredPage(home, null, expiredAt, now).toString()
  expect(page).toContain('2026-01-02 03:04 UTC')
  expect(page).not.toContain('<dt>Title</dt>')
})

it('only the page of a missing share speaks of one; elsewhere there is no page, and ways to go on', () => {
  expect(noSharePage(home).toString()).toContain('the person who shared this has deleted it')
  const page = notFoundPage(home, '/anything').toString()
  expect(page).toContain('There is no page at this address.')
  expect(page).not.toContain('shared')
  for (const path of ['tools', 'docs', 'api/docs', 'dashboard'])
    expect(page).toContain(`href="https://snip.example/${path}"`)
  expect(notFoundPage({ ...home, tools: false }, '/tools/format-json').toString()).not.toContain('/tools')
})

it('the page of a missing tool names the one that was most likely meant', () => {
  const page = notFoundPage(home, '/tools/format-json').toString()
  expect(page).toContain('Did you mean <a href="https://snip.example/tools/json-format">Format JSON</a>?')
  expect(notFoundPage(home, '/tools/nope').toString()).not.toContain('Did you mean')
})

describe.each(pages)('the page %s', (name, bytes) => {
  const page = parsePage(bytes.toString())

  it('has an accurate preview, and is indexed only if it is the landing page', () => {
    const preview = page.attributeOf('<meta property="og:title"', 'content')
    expect(page.textOf('title')).toBe(`${preview} · Snipkeep`)
    expect(page.attributeOf('<meta property="og:description"', 'content')).not.toBe('')
    expect(bytes.includes('<meta name="robots" content="noindex">')).toBe(name !== 'landing')
  })

  it('links to the home page absolutely if shares have their own origin', () => {
    expect(page.attributeOf('<a class="brand"', 'href')).toBe('https://snip.example/')
  })

  it('has one heading, a way to continue, and no script but the landing page’s', () => {
    expect(page.tags.filter((tag) => tag.startsWith('<h1'))).toHaveLength(1)
    const way = name === 'landing' ? '<a href="/tools' : '<a class="button'
    expect(page.attributeOf(way, 'href')).toBeTypeOf('string')
    expect(page.tags.filter((tag) => tag.startsWith('<script'))).toHaveLength(name === 'landing' ? 1 : 0)
  })
})

it('a late visitor sees its title and when it expired', () => {
  const facts = expired('Q3 figures').textOf('dl')
  expect(facts).toContain('TitleQ3 figures')
  expect(facts).toContain('Expired3 days ago (2026-01-02 03:04 UTC)')
})

it('the title of an expired share is text, whatever it contains', () => {
  const { tags } = expired('Old')
  for (const title of hostileTexts) expect(expired(title).tags, title).toEqual(tags)
})

it('retrying is only offered where it can help', () => {
  const withRetry = pages.filter(([, bytes]) => bytes.toString().includes('href=""')).map(([name]) => name)
  expect(withRetry).toEqual(['500', '503'])
})

it.each([
  ['format-json', 'json-format'],
  ['json-formatter', 'json-format'],
  ['JSON_Format', 'json-format'],
  ['json-fromat', 'json-format'],
  ['csv2json', 'csv-to-json'],
  ['nope', undefined],
  ['', undefined],
  ['x'.repeat(100_000), undefined],
])('for %j the nearest tool is %s', (name, nearest) => {
  expect(nearestTool(name)?.name).toBe(nearest)
})
