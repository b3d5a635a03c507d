import { expect, it } from 'vitest'
import { ConnectionError, SilenceTimeoutError } from '#sdk/exports.js'
import { problemOf } from '#sdk/problem-error.js'
import { isTransient } from './query-client.js'

it('temporary failures are retried, rejections are not', async () => {
  expect(isTransient(new ConnectionError('gone'))).toBe(true)
  expect(isTransient(new SilenceTimeoutError('silent'))).toBe(true)
  for (const status of [502, 503, 504])
    expect(isTransient(await problemOf(new Response('', { status })))).toBe(true)
  for (const status of [403, 429, 500])
    expect(isTransient(await problemOf(new Response('', { status })))).toBe(false)
  expect(isTransient(new Error('x'))).toBe(false)
})
