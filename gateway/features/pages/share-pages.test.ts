import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pageNonceHeader } from '#shared/core/page-nonce.js'
import { testPlanLimits } from '#shared/testing/plan-limits.js'
import { createRateLimits } from '../../rate-limits/rate-limits.js'
import { createSharePages, fastSharePage, type SharePages } from './share-pages.js'

let requests: IncomingMessage[]
let serve: (request: IncomingMessage, response: ServerResponse) => void
let time: number
let pages: SharePages
const web = createServer((request, response) => {
  requests.push(request)
  serve(request, response)
})

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
  pages = createSharePages(`http://127.0.0.1:${(web.address() as AddressInfo).port}`, () => time)
})

it('copies of a page may be compressed only if the web application says so', async () => {
  expect(await pages.read('a', 'one')).toMatchObject({ isCompressible: false })
  serve = (_request, response) => response.writeHead(404, { Vary: 'Accept-Encoding' }).end('<p>')
  expect(await pages.read('b', 'one')).toMatchObject({ isCompressible: true })
})

describe('the page of a share', () => {
  it('is rendered once in two seconds, shared by concurrent requests', async () => {
    const [first, second] = await Promise.all([pages.read('a', 'one'), pages.read('a', 'two')])
    expect(second).toBe(first)
    time = 1_999
    expect(await pages.read('a', 'three')).toBe(first)
    expect(requests.map(({ url, headers }) => [url, headers['x-request-id']])).toEqual([['/s/a', 'one']])
    time = 2_000
    expect(await pages.read('a', 'four')).not.toBe(first)
    expect(requests).toHaveLength(2)
  })

  it('has a unique nonce in each copy, the same in its policy and everywhere', async () => {
    const page = await pages.read('a', 'one')
    const seen = new Set<string>()
    for (let n = 0; n < 100; n += 1) {
      const { headerLines, body } = page.copy()
      const [, policy = ''] = /^Content-Security-Policy: (.*)\r$/m.exec(headerLines) ?? []
      const [, nonce = ''] = /^script-src 'nonce-([A-Za-z0-9+/]{22}==)'$/.exec(policy) ?? []
      expect(body).toBe(`<p>ä</p><script nonce="${nonce}"></script><meta nonce="${nonce}">`)
      expect(headerLines).not.toMatch(/^Connection:/m)
      seen.add(nonce)
    }
    expect(seen.size).toBe(100)
    expect([...seen].join()).not.toContain(String(requests[0]?.headers[pageNonceHeader]))
  })

  it('is rendered again after an invalidation', async () => {
    await pages.read('a', 'one')
    await pages.read('b', 'one')
    pages.forget('a')
    serve = (_request, response) => response.writeHead(404).end('<p>gone')
    expect(await pages.read('a', 'two')).toMatchObject({ status: 404 })
    expect(await pages.read('b', 'two')).toMatchObject({ status: 200 })
    pages.forgetAll()
    expect(await pages.read('b', 'three')).toMatchObject({ status: 404 })
  })

  it('is not cached when it expires soon, or says why there is no share', async () => {
    serve = live('private, max-age=59')
    for (let n = 0; n < 2; n += 1) await pages.read('a', 'one')
    serve = (_request, response) => response.writeHead(410, { 'Cache-Control': 'no-store' }).end('<p>')
    for (let n = 0; n < 2; n += 1) await pages.read('b', 'one')
    expect(requests).toHaveLength(4)
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
    await expect(pages.read('a', 'one')).rejects.toThrow()
    serve = live('private, max-age=60')
    expect(await pages.read('a', 'two')).toMatchObject({ status: 200 })
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
