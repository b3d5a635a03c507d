import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { derivedId } from './ids.js'

const idOf = (text: string): string => derivedId(createHash('sha256').update(text).digest('hex'))

it('a derived id looks like a random one, and follows from its digest', () => {
  expect(idOf('a')).toMatch(/^[0-9A-Za-z]{22}$/)
  expect(idOf('a')).toBe(idOf('a'))
  expect(new Set(Array.from({ length: 1_000 }, (_none, n) => idOf(String(n)))).size).toBe(1_000)
  expect(derivedId('0'.repeat(64))).toBe('0'.repeat(22))
})
