import { expect, it } from 'vitest'
import { type RefusalHead, refusalKey } from './refusal-key.js'

const head: RefusalHead = {
  method: 'GET',
  url: '/api/snippets?limit=1',
  rawHeaders: ['Host', 'example.org', 'Authorization', 'Bearer one', 'Accept', '*/*'],
  remoteAddress: '203.0.113.1',
}

function withHeaders(...rawHeaders: string[]): RefusalHead {
  return { ...head, rawHeaders }
}

it('is the same whatever is said beside, and however a name is spelled', () => {
  const key = refusalKey(head)
  expect(refusalKey({ ...head })).toBe(key)
  expect(refusalKey(withHeaders('authorization', 'Bearer one'))).toBe(key)
  expect(refusalKey(withHeaders('X-Request-Id', 'r-1', 'AUTHORIZATION', 'Bearer one'))).toBe(key)
})

it('is another for whatever may change the answer', () => {
  const others: readonly RefusalHead[] = [
    head,
    { ...head, method: 'HEAD' },
    { ...head, url: '/api/snippets?limit=2' },
    { ...head, url: '/api/snippets' },
    { ...head, remoteAddress: '203.0.113.2' },
    withHeaders(),
    withHeaders('Authorization', 'Bearer two'),
    withHeaders('Authorization', 'bearer one'),
    withHeaders('Authorization', 'Bearer one', 'Authorization', 'Bearer one'),
    withHeaders('Authorization', 'Bearer one', 'X-API-Key', 'one'),
    withHeaders('X-API-Key', 'one', 'Authorization', 'Bearer one'),
    withHeaders('X-API-Key', 'Bearer one'),
    withHeaders('Authorization', 'Bearer one', 'Origin', 'https://app.example'),
    withHeaders('Authorization', 'Bearer one', 'X-Forwarded-For', '198.51.100.1'),
    withHeaders('Authorization', 'Bearer one', 'X-Forwarded-For', '198.51.100.1', 'X-Forwarded-For', ''),
    withHeaders('Authorization', 'Bearer one', 'X-Forwarded-For', '198.51.100.1, '),
  ]
  expect(new Set(others.map(refusalKey)).size).toBe(others.length)
})

it('is none for a head that is too long to keep', () => {
  expect(refusalKey(withHeaders('Authorization', `Bearer ${'a'.repeat(4_096)}`))).toBeNull()
  expect(refusalKey({ ...head, url: `/${'a'.repeat(4_096)}` })).toBeNull()
})
