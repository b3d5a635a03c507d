import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DomainError } from '#libs/core/domain-error.js'
import { pageLanguageHeader } from '#shared/core/page-language.js'
import { pageNonceHeader } from '#shared/core/page-nonce.js'
import { testPlanLimits } from '#shared/testing/plan-limits.js'
import { createRateLimits } from '../../rate-limits/rate-limits.js'
import { createShareCache, type LoadShare, type ShareCache } from '../shares/share-cache.js'
import { createSharePages, fastSharePage, type SharePages } from './share-pages.js'

let requests: IncomingMessage[]
let serve: (request: IncomingMessage, response: ServerResponse) => void
let time: number
let pages: SharePages
let shares: ShareCache
/** The shares that content has, by id. */
let tags: Map<string, string>
let timeLeftMs: number | undefined
const web = createServer((request, response) => {
  requests.push(request)
  serve(request, response)
})

const share = {
  ...{ tool: 't', title: 'T', sizeBytes: 1, createdAt: new Date(0), expiresAt: undefined },
  ...{ data: undefined, disabledAt: undefined, gate: undefined },
}

const live = (caching: string) => (request: IncomingMessage, response: ServerResponse) => {
  const nonce = request.headers[pageNonceHeader]
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `script-src 'nonce-${nonce}'`,
    'Cache-Control': caching,
  })
  response.end(`<p>ä</p><script nonce="${nonce}"></script><meta nonce="${nonce}">`)
}

beforeAll(() => once(web.listen(0, '127.0.0.1'), 'listening'))
afterAll(() => {
  web.closeAllConnections()
  web.close()
})
beforeEach(() => {
  requests = []
  time = 0
  serve = live('private, max-age=60')
  tags = new Map([
    ['a', 'one'],
    ['b', 'one'],
  ])
  timeLeftMs = undefined
  const load: LoadShare = async ({ id }) => {
    const etag = tags.get(id)
    if (etag === undefined) throw new DomainError('not-found', 'not_found', 'There is no such share.')
    return { share: { ...share, id, etag }, timeLeftMs }
  }
  const now = () => time
  shares = createShareCache(now, load)
  pages = createSharePages(`http://127.0.0.1:${(web.address() as AddressInfo).port}`, now, shares, load)
})

it('copies of a page may be compressed only if the web application says so', async () => {
  expect(await pages.read('a', 'en', 'one')).toMatchObject({ isCompressible: false })
  serve = (_request, response) => response.writeHead(404, { Vary: 'Accept-Encoding' }).end('<p>')
  expect(await pages.read('b', 'en', 'one')).toMatchObject({ isCompressible: true })
})

describe('the page of a share', () => {
  it('is rendered once while its share says the same, shared by concurrent requests', async () => {
    const [first, second] = await Promise.all([pages.read('a', 'en', 'one'), pages.read('a', 'en', 'two')])
    expect(second).toBe(first)
    time = 7_499
    expect(await pages.read('a', 'en', 'three')).toBe(first)
    expect(requests.map(({ url, headers }) => [url, headers['x-request-id']])).toEqual([['/s/a', 'one']])
  })

  it('is kept in each language by itself, also while it expires soon', async () => {
    const asked = () => requests.map(({ headers }) => headers[pageLanguageHeader])
    const [german, english] = await Promise.all([pages.read('a', 'de', 'one'), pages.read('a', 'en', 'two')])
    expect(german).not.toBe(english)
    expect(await pages.read('a', 'de', 'three')).toBe(german)
    expect(await pages.read('a', 'en', 'four')).toBe(english)
    expect(asked().sort()).toEqual(['de', 'en'])
    timeLeftMs = 1_000
    const soon = await Promise.all([pages.read('b', 'de', 'five'), pages.read('b', 'en', 'six')])
    expect(soon[0]).not.toBe(soon[1])
    expect(asked().sort()).toEqual(['de', 'de', 'en', 'en'])
  })

  it('is rendered again before it is ten seconds old, and no reader waits for it', async () => {
    const first = await pages.read('a', 'en', 'one')
    time = 7_500
    expect(await pages.read('a', 'en', 'two')).toBe(first)
    await expect.poll(() => pages.read('a', 'en', 'three')).not.toBe(first)
    expect(requests).toHaveLength(2)
  })

  it('is rendered again when its share has changed, at once on the gateway that was told', async () => {
    const first = await pages.read('a', 'en', 'one')
    tags.set('a', 'two')
    time = 1_999
    expect(await pages.read('a', 'en', 'two')).toBe(first)
    shares.forget('a')
    expect(await pages.read('a', 'en', 'three')).not.toBe(first)
    tags.set('a', 'three')
    time = 4_000
    expect(await pages.read('a', 'en', 'four')).not.toBe(first)
    expect(requests).toHaveLength(3)
  })

  it('has a unique nonce in each copy, the same in its policy and everywhere', async () => {
    const page = await pages.read('a', 'en', 'one')
    const seen = new Set<string>()
    for (let n = 0; n < 100; n += 1) {
      const { headerLines, body } = page.copy()
      const [, policy = ''] = /^Content-Security-Policy: (.*)\r$/m.exec(headerLines) ?? []
      const [, nonce = ''] = /^script-src 'nonce-([A-Za-z0-9+/]{22}==)'$/.exec(policy) ?? []
      expect(Buffer.from(body, 'latin1').toString()).toBe(
        `<p>ä</p><script nonce="${nonce}"></script><meta nonce="${nonce}">`,
      )
      expect(headerLines).not.toMatch(/^Connection:/m)
      seen.add(nonce)
    }
    expect(seen.size).toBe(100)
    expect([...seen].join()).not.toContain(String(requests[0]?.headers[pageNonceHeader]))
  })

  it('gives way to the page that says why there is no share', async () => {
    await pages.read('a', 'en', 'one')
    await pages.read('b', 'en', 'one')
    tags.delete('a')
    shares.forget('a')
    serve = (_request, response) => response.writeHead(404).end('<p>gone')
    expect(await pages.read('a', 'en', 'two')).toMatchObject({ status: 404 })
    expect(await pages.read('b', 'en', 'two')).toMatchObject({ status: 200 })
    tags.clear()
    shares.forgetAll()
    expect(await pages.read('b', 'en', 'three')).toMatchObject({ status: 404 })
  })

  it('is not cached when it expires soon, or says why there is no share', async () => {
    serve = live('private, max-age=59')
    for (let n = 0; n < 2; n += 1) await pages.read('a', 'en', 'one')
    serve = live('private, max-age=60')
    shares.forget('a')
    timeLeftMs = 60_000
    for (let n = 0; n < 2; n += 1)
      await Promise.all([pages.read('a', 'en', 'one'), pages.read('a', 'en', 'two')])
    expect(requests).toHaveLength(4)
    serve = (_request, response) => response.writeHead(410, { 'Cache-Control': 'no-store' }).end('<p>')
    for (let n = 0; n < 2; n += 1) await pages.read('b', 'en', 'one')
    expect(requests).toHaveLength(6)
  })

  it.each<[string, (response: ServerResponse) => void]>([
    ['has its own nonce', (response) => response.end('<script nonce="own"></script>')],
    [
      'is broken off',
      (response) => response.writeHead(200, { 'Content-Length': 9 }).write('<p>', () => response.destroy()),
    ],
    ['is not sent at all', (response) => response.destroy()],
  ])('is nothing when it %s', async (_what, respond) => {
    serve = (_request, response) => respond(response)
    await expect(pages.read('a', 'en', 'one')).rejects.toThrow()
    serve = live('private, max-age=60')
    expect(await pages.read('a', 'en', 'two')).toMatchObject({ status: 200 })
  })
})

it('the page of a gated share is never read from the cache: its form may be sent by one reader alone', () => {
  const unused = async (): Promise<never> => {
    throw new Error('this is not called')
  }
  const limits = createRateLimits({
    policies: { strict: null, standard: null, fairUse: null },
    ...{ scope: 'create', window: { take: unused } },
  })
  const plans = { free: testPlanLimits, pro: testPlanLimits }
  const route = fastSharePage(pages, { authenticate: unused, limits, plans })
  expect(route.read('A'.repeat(22))).not.toBeNull()
  expect(route.read('A'.repeat(24))).toBeNull()
})
