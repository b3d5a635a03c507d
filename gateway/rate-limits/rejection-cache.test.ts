import { afterEach, expect, it, vi } from 'vitest'
import { createRefusalMemory } from './rejection-cache.js'

let time = 0
const now = (): number => time

afterEach(() => {
  vi.useRealTimers()
  time = 0
})

it('a refusal holds until it ends, and for a second at most', () => {
  const memory = createRefusalMemory<string>(now, 10)
  memory.add('short', 'no', 300)
  memory.add('long', 'no', 60_000)
  expect([memory.find('short', 299), memory.find('short', 300)]).toEqual(['no', null])
  expect([memory.find('long', 999), memory.find('long', 1_000)]).toEqual(['no', null])
  expect(memory.find('other', 0)).toBeNull()
})

it('a flood of refusals takes no more room than was allowed', () => {
  const memory = createRefusalMemory<number>(now, 100)
  for (let n = 0; n < 1_050; n += 1) {
    memory.add(`key ${n}`, n, 1_000)
    expect(memory.size()).toBeLessThanOrEqual(100)
  }
  expect(memory.find('key 1049', 0)).toBe(1_049)
})

it('what no longer holds is gone within two seconds, though nobody asks for it', () => {
  vi.useFakeTimers()
  const memory = createRefusalMemory<string>(now, 10)
  const pass = (ms: number): void => {
    time += ms
    vi.advanceTimersByTime(ms)
  }
  memory.add('early', 'no', 1_000)
  pass(500)
  memory.add('late', 'no', 1_000)
  pass(500)
  expect(memory.size()).toBe(1)
  pass(1_000)
  expect(memory.size()).toBe(0)
  memory.add('again', 'no', 10)
  pass(1_000)
  expect(memory.size()).toBe(0)
})
