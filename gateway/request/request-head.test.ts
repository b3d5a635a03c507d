import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { DomainError } from '#libs/core/domain-error.js'
import {
  isHost,
  looksInternal,
  noneMatchHolds,
  quoteTag,
  readIfMatch,
  stripInternalHeaders,
} from './request-head.js'

const forged = [
  'X-User-Id',
  'x_user_id',
  'X-INTERNAL-AUTH',
  'x-plan',
  'X-Plan-Name',
  'x-owner-id',
  'grpc-timeout',
  'snipkeep_grant',
  'X-Snipkeep-Reveal-Error',
  'Grpc_Status',
  'snipkeep-error-bin',
  'anything-bin',
  'Forwarded',
  'X-Forwarded-For',
  'x_forwarded_host',
  'X-Real-IP',
  'X-Original-URL',
  'X-Rewrite-URL',
  'X-HTTP-Method-Override',
  'X-Method-Override',
  'CF-Connecting-IP',
]

const ordinary = [
  'Authorization',
  'X-API-Key',
  'Snipkeep-Grant',
  'Snipkeep-Share-Password',
  'X-Request-Id',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'Host',
  'Origin',
  'Expect',
]

it('headers that processes behind a gateway might trust are recognized in every spelling', () => {
  for (const name of forged) expect(looksInternal(name), name).toBe(true)
})

it('headers of the API are kept', () => {
  for (const name of ordinary) expect(looksInternal(name), name).toBe(false)
})

it('a stripped header disappears from every view of the request', async () => {
  const seen = await new Promise<{ views: unknown[]; accept: unknown }>((resolve) => {
    const server = createServer((request, response) => {
      stripInternalHeaders(request)
      resolve({
        views: [request.headers, request.headersDistinct, request.rawHeaders],
        accept: request.headersDistinct.accept,
      })
      response.end()
      server.close()
    }).listen(0, '127.0.0.1', () => {
      const headers = { 'X-User-Id': 'forged', x_plan: 'forged', Accept: '*/*', Connection: 'close' }
      get({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, headers })
    })
  })
  expect(JSON.stringify(seen.views)).not.toMatch(/forged|x-user-id|x_plan/i)
  expect(seen.accept).toEqual(['*/*'])
})

describe('If-None-Match', () => {
  it('matches the current tag alone, in a list or marked as weak, and matches *', () => {
    for (const header of ['"abc"', '"x", "abc"', 'W/"abc"', '*', ' "abc" ']) {
      expect(noneMatchHolds(header, 'abc'), header).toBe(true)
    }
  })

  it.each([
    ['"x",,"abc"', true],
    [',"abc"', true],
    ['"x" , \t,, "abc" ,', true],
    ['"a,b", "abc"', true],
    ['W/"a,b",W/"abc"', true],
    ['"a,abc"', false],
    ['"a,"abc"', false],
    ['"abc" "x"', false],
    ['"x", abc, "abc"', false],
    ['w/"abc"', false],
    ['W/ "abc"', false],
    [',', false],
  ])('is read as a list that may have empty members and commas inside tags: %s', (header, holds) => {
    expect(noneMatchHolds(header, 'abc')).toBe(holds)
  })

  it('matches a tag that contains a comma', () => {
    expect(noneMatchHolds('"x", "a,b"', 'a,b')).toBe(true)
    expect(noneMatchHolds('"x", "a,b"', 'b')).toBe(false)
  })

  it('is read in linear time', () => {
    const startedAt = performance.now()
    expect(noneMatchHolds(`${' '.repeat(8_000)}${',\t'.repeat(4_000)}x`, 'abc')).toBe(false)
    expect(performance.now() - startedAt).toBeLessThan(1_000)
  })

  it('does not match if it is absent, malformed or names another tag', () => {
    for (const header of [undefined, '"abd"', 'abc', '"abc', '', '"x",']) {
      expect(noneMatchHolds(header, 'abc'), String(header)).toBe(false)
    }
  })
})

describe('If-Match', () => {
  it('is read as tags without quotes, as *, or as none if absent', () => {
    expect(readIfMatch('"a", "b"')).toEqual(['a', 'b'])
    expect(readIfMatch('*')).toEqual(['*'])
    expect(readIfMatch(undefined)).toEqual([])
  })

  it('may have empty members, and commas inside tags', () => {
    expect(readIfMatch('"a",, "b,c" ,')).toEqual(['a', 'b,c'])
  })

  it('takes a tag that a proxy has made weak for the strong one', () => {
    expect(readIfMatch('W/"a", "b", W/"c,d"')).toEqual(['a', 'b', 'c,d'])
  })

  it('never confuses the tag "*" with *', () => {
    for (const header of ['"*"', 'W/"*"']) expect(readIfMatch(header), header).not.toContain('*')
  })

  it('is rejected if malformed, not ignored', () => {
    for (const header of ['a', '"a', '"a" "b"', '', ' ', ',', ', ,', '*, "a"'])
      expect(() => readIfMatch(header), header).toThrow(DomainError)
  })
})

it('an ETag header is a strong tag', () => {
  expect(quoteTag('a.1')).toBe('"a.1"')
})

describe('a Host header', () => {
  it.each([
    'snipkeep.example',
    'localhost:8080',
    '[::1]:8080',
    '127.0.0.1',
    '',
    'a%20b',
    'xn--fa-hia.example:',
  ])('may be %j', (value) => {
    expect(isHost(value)).toBe(true)
  })

  it.each([
    'a b',
    'a/b',
    'a b/c@d',
    'user@host',
    'host:port',
    'host:123456',
    '[::1',
    'a%2',
    'a?b',
    'http://a',
  ])('may not be %j', (value) => {
    expect(isHost(value)).toBe(false)
  })
})
