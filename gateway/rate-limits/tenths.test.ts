import { expect, it } from 'vitest'
import { createTenths } from './tenths.js'

it('the first of ten counts, for each key separately', () => {
  const tenths = createTenths()
  const kept = (key: string) => Array.from({ length: 25 }, () => tenths.countsOneOfTen(key)).indexOf(true, 1)
  expect([kept('a'), kept('b')]).toEqual([10, 10])
})

it('at least a tenth counts, however many keys are interleaved', () => {
  const tenths = createTenths(3)
  let kept = 0
  for (let n = 0; n < 1_000; n += 1) if (tenths.countsOneOfTen(`key ${n % 5}`)) kept += 1
  expect(kept).toBeGreaterThanOrEqual(100)
})
