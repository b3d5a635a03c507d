import { expect, it } from 'vitest'
import { isTransient, networkProblem, readProblem } from './api-problem.js'

function refusal(status: number, body: string, headers: Readonly<Record<string, string>> = {}) {
  return readProblem({ status, body, header: (name) => headers[name] ?? null })
}

it('a problem has its code, its message, its errors, and when to retry', () => {
  const errors = [{ pointer: '/title', code: 'too_long', detail: 'must be shorter' }]
  const body = JSON.stringify({ code: 'rate_limited', detail: 'Wait.', request_id: 'r1', errors })
  expect(refusal(429, body, { 'Retry-After': '12' })).toMatchObject({
    status: 429,
    code: 'rate_limited',
    detail: 'Wait.',
    errors,
    retryAfterSeconds: 12,
    requestId: 'r1',
  })
})

it.each([
  [502, '<html>Bad gateway</html>', 'unavailable'],
  [500, '', 'internal'],
  [504, 'null', 'unavailable'],
  [418, '[]', 'internal'],
] as const)('a response %i that is no problem (%s) becomes %s', (status, body, code) => {
  expect(refusal(status, body)).toMatchObject({ status, code, detail: '', errors: [] })
})

it('a date in Retry-After is ignored', () => {
  expect(refusal(503, '', { 'Retry-After': 'Sat, 01 Jan 2030 00:00:00 GMT' }).retryAfterSeconds).toBeNull()
})

it('temporary failures are retried, rejections are not', () => {
  expect(isTransient(networkProblem())).toBe(true)
  expect(isTransient(refusal(503, ''))).toBe(true)
  expect(isTransient(refusal(429, ''))).toBe(false)
  expect(isTransient(refusal(403, ''))).toBe(false)
  expect(isTransient(new Error('x'))).toBe(false)
})
