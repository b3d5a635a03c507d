import { expect, test } from 'vitest'
import { messageOf, messageWithCauseOf } from './message-of.js'

test('anything thrown has a message', () => {
  expect(messageOf(new Error('it broke'))).toBe('it broke')
  expect(messageOf('it broke')).toBe('it broke')
  expect(messageOf(undefined)).toBe('undefined')
})

test('the code of a cause follows the message', () => {
  const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  expect(messageWithCauseOf(new TypeError('fetch failed', { cause }))).toBe('fetch failed (ECONNREFUSED)')
  expect(messageWithCauseOf(new TypeError('fetch failed'))).toBe('fetch failed')
  expect(messageWithCauseOf('fetch failed')).toBe('fetch failed')
})
