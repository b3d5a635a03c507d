import { expect, it } from 'vitest'
import { idempotencyKeyOf } from './idempotency-key.js'

const output = (text: string, title = 'T') => ({ title, json: new Blob([text]) })

it('only the same output from the same form has the same key', async () => {
  const key = await idempotencyKeyOf('form', output('a'))
  expect(await idempotencyKeyOf('form', output('a'))).toBe(key)
  expect(await idempotencyKeyOf('form', output('b'))).not.toBe(key)
  expect(await idempotencyKeyOf('form', output('a', 'U'))).not.toBe(key)
  expect(await idempotencyKeyOf('other', output('a'))).not.toBe(key)
  expect(key).toMatch(/^[\x21-\x7e]{1,255}$/)
})
