import { expect, it } from 'vitest'
import { createRepeats } from './repeats.js'

it('lets the first failure through, then one in each period with the number of those between', () => {
  let nowMs = 0
  const repeats = createRepeats(1_000, () => nowMs)
  expect(repeats.next('a')).toEqual({})
  expect([repeats.next('a'), repeats.next('a'), repeats.next('b')]).toEqual([null, null, {}])
  nowMs = 1_000
  expect([repeats.next('a'), repeats.next('a'), repeats.next('b')]).toEqual([{ repeated: 2 }, null, {}])
})

it('remembers a limited number of different failures', () => {
  const repeats = createRepeats(1_000, () => 0)
  for (let n = 0; n <= 200; n += 1) expect(repeats.next(String(n))).toEqual({})
  expect([repeats.next('200'), repeats.next('0')]).toEqual([null, {}])
})
