import { expect, test } from 'vitest'
import { messageOf, messageWithCauseOf } from './message-of.js'

test('whatever is thrown says something', () => {
  expect(messageOf(new Error('it broke'))).toBe('it broke')
  expect(messageOf('it broke')).toBe('it broke')
  expect(messageOf(undefined)).toBe('undefined')
})

test('the code of a cause stands behind the message', () => {
  const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  expect(messageWithCauseOf(new TypeError('fetch failed', { cause }))).toBe('fetch failed (ECONNREFUSED)')
  expect(messageWithCauseOf(new TypeError('fetch failed'))).toBe('fetch failed')
  expect(messageWithCauseOf('fetch failed')).toBe('fetch failed')
})
