import { expect, it } from 'vitest'
import { type FieldError, validationFailed } from '#libs/core/domain-error.js'
import { ApiProblem, networkProblem, readProblem } from '../api/api-problem.js'
import { describeProblem } from './describe-problem.js'

function words(status: number, code: string, more: Partial<ApiProblem> = {}) {
  return describeProblem(new ApiProblem({ status, code, detail: 'The API says so.', ...more }))
}

it.each([
  [429, 'rate_limited', 'wait'],
  [403, 'snippet_limit_reached', 'plan'],
  [403, 'pro_required', 'plan'],
  [413, 'data_too_large', 'plan'],
  [401, 'invalid_token', 'sign-in'],
  [503, 'unavailable', 'retry'],
  [500, 'internal', 'retry'],
  [400, 'validation_failed', 'none'],
] as const)('against %i %s helps: %s', (status, code, remedy) => {
  expect(words(status, code).remedy).toBe(remedy)
})

function detailOfInvalid(errors: readonly FieldError[]): string {
  const { code, message, details } = validationFailed(errors)
  const body = JSON.stringify({ code, detail: message, ...details })
  return describeProblem(readProblem({ status: 400, body, header: () => null })).detail
}

it('the API’s message is shown as is', () => {
  expect(words(403, 'pro_required').detail).toBe('The API says so.')
})

it('every error of a request is shown once', () => {
  const title = { pointer: '/title', code: 'too_long', detail: 'title must be at most 200 characters long.' }
  const tool = { pointer: '/tool', code: 'required', detail: 'tool is required.' }
  expect(detailOfInvalid([title])).toBe(title.detail)
  expect(detailOfInvalid([title, tool])).toBe(`${title.detail} ${tool.detail}`)
})

it('a failure without a message gets one', () => {
  for (const error of [
    networkProblem(),
    new Error('boom'),
    new ApiProblem({ status: 500, code: 'x', detail: '' }),
  ]) {
    expect(describeProblem(error).detail).toMatch(/^[A-Z].*\.$/)
    expect(describeProblem(error).detail).not.toContain('boom')
  }
})

it('the wait is the one that the API gave', () => {
  expect(words(429, 'rate_limited', { retryAfterSeconds: 42 }).waitSeconds).toBe(42)
})
