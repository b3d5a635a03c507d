import { expect, it } from 'vitest'
import { memoize } from './memoize.js'

it('a result that is known is not looked for again, and no more than the agreed number are kept', () => {
  const asked: string[] = []
  const length = memoize(2, (key) => {
    asked.push(key)
    return key.length
  })
  expect([length('a'), length('bb'), length('a'), length('ccc'), length('a')]).toEqual([1, 2, 1, 3, 1])
  expect(asked).toEqual(['a', 'bb', 'ccc', 'a'])
})
