import { expect, it } from 'vitest'
import { DomainError } from '#libs/core/domain-error.js'
import { methodNotAllowed, toProblem } from './problem.js'

const parse = (body: string): Record<string, unknown> => JSON.parse(body) as Record<string, unknown>

it('an expected error is sent with its status, code, message and details', () => {
  const error = new DomainError('too-large', 'data_too_large', 'It is too large.', {
    limit: 5,
    actual: 7,
    plan: 'free',
  })
  const problem = toProblem(error, 'r-1')
  expect(problem.status).toBe(413)
  expect(parse(problem.body)).toEqual({
    type: 'about:blank',
    title: 'Payload Too Large',
    status: 413,
    code: 'data_too_large',
    detail: 'It is too large.',
    request_id: 'r-1',
    limit: 5,
    actual: 7,
    plan: 'free',
  })
})

it('an unexpected error reveals only the request id', () => {
  const problem = toProblem(new Error('password=hunter2 at /srv/app.js:1'), 'r-2')
  expect(problem.status).toBe(500)
  expect(parse(problem.body)).toMatchObject({ code: 'internal', request_id: 'r-2' })
  expect(problem.body).not.toMatch(/hunter2|srv/)
})

it('401 names the scheme, 405 the allowed methods, and 503 when to retry', () => {
  expect(
    toProblem(new DomainError('unauthenticated', 'missing_credentials', 'x'), '').headers['WWW-Authenticate'],
  ).toBe('Bearer')
  expect(toProblem(methodNotAllowed(['GET', 'HEAD']), '').headers.Allow).toBe('GET, HEAD')
  const busy = toProblem(new DomainError('unavailable', 'unavailable', 'x', { retry_after: 1 }), '')
  expect(busy.headers['Retry-After']).toBe('1')
  expect(parse(busy.body)).not.toHaveProperty('retry_after')
})
