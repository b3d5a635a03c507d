import { expect, it } from 'vitest'
import { idempotencyKeyOf } from './idempotency-key.js'

it('only the same body from the same form has the same key', async () => {
  const key = await idempotencyKeyOf('form', new Blob(['a']))
  expect(await idempotencyKeyOf('form', new Blob(['a']))).toBe(key)
  expect(await idempotencyKeyOf('form', new Blob(['b']))).not.toBe(key)
  expect(await idempotencyKeyOf('other', new Blob(['a']))).not.toBe(key)
  expect(key).toMatch(/^[\x21-\x7e]{1,255}$/)
})
