import { expect, it } from 'vitest'
import { type FieldError, validationFailed } from '#libs/core/domain-error.js'
import { ConnectionError, SilenceTimeoutError, SnipkeepError } from '#sdk/exports.js'
import { problemOf } from '#sdk/problem-error.js'
import { describeProblem } from './describe-problem.js'

async function described(status: number, body: string, headers: Readonly<Record<string, string>> = {}) {
  return describeProblem(await problemOf(new Response(body, { status, headers })))
}

function words(status: number, code: string, headers?: Readonly<Record<string, string>>) {
  return described(status, JSON.stringify({ code, detail: 'The API says so.' }), headers)
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
] as const)('against %i %s helps: %s', async (status, code, remedy) => {
  expect((await words(status, code)).remedy).toBe(remedy)
})

async function detailOfInvalid(errors: readonly FieldError[]): Promise<string> {
  const { code, message, details } = validationFailed(errors)
  const body = JSON.stringify({ code, detail: message, ...details })
  return (await described(400, body)).detail
}

it('the API’s message is shown as is', async () => {
  expect((await words(403, 'pro_required')).detail).toBe('The API says so.')
})

it('only the API’s own sentence is marked as English', async () => {
  expect(await words(403, 'pro_required')).toHaveProperty('detailLanguage', 'en')
  expect(await words(503, 'unavailable')).not.toHaveProperty('detailLanguage')
  expect(await described(500, '')).not.toHaveProperty('detailLanguage')
  expect(describeProblem(new ConnectionError('boom'))).not.toHaveProperty('detailLanguage')
})

it('every error of a request is shown once', async () => {
  const title = { pointer: '/title', code: 'too_long', detail: 'title must be at most 200 characters long.' }
  const tool = { pointer: '/tool', code: 'required', detail: 'tool is required.' }
  expect(await detailOfInvalid([title])).toBe(title.detail)
  expect(await detailOfInvalid([title, tool])).toBe(`${title.detail} ${tool.detail}`)
})

it('a failure without a message of the API gets one', async () => {
  const failures = [
    describeProblem(new ConnectionError('boom')),
    describeProblem(new SilenceTimeoutError('boom')),
    describeProblem(new Error('boom')),
    await described(500, ''),
    await described(500, '<html>boom</html>'),
    await described(502, '{"code":"x","detail":"boom"}'),
  ]
  for (const { detail, remedy } of failures) {
    expect(detail).toMatch(/^[A-Z].*\.$/)
    expect(detail).not.toContain('boom')
    expect(remedy).toBe('retry')
  }
})

it('what we say ourselves is shown, and repeating it would not help', () => {
  expect(describeProblem(new SnipkeepError('There is no such snippet.'))).toMatchObject({
    detail: 'There is no such snippet.',
    remedy: 'none',
  })
})

it('the wait is the one that the API gave', async () => {
  expect((await words(429, 'rate_limited', { 'Retry-After': '42' })).waitSeconds).toBe(42)
})
