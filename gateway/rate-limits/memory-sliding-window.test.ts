import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMemorySlidingWindow } from './memory-sliding-window.js'

const strict = { name: 'strict', requests: 5, seconds: 60 }

/** The most admissions in any window of this length. */
function mostInAnyWindow(times: readonly number[], windowMs: number): number {
  return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + windowMs).length))
}

function bytesInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  return arrayBuffers + heapUsed
}

describe('a sliding window in memory', () => {
  it('never admits more than its limit in any window, and rejects no one it could admit', () => {
    const arrivals = fc.array(fc.integer({ min: 0, max: 600_000 }), {
      minLength: 1,
      maxLength: 400,
      size: 'max',
    })
    void fc.assert(
      fc.property(arrivals, (unsorted) => {
        let time = 0
        const window = createMemorySlidingWindow(() => time)
        const admitted: number[] = []
        for (const at of unsorted.toSorted((a, b) => a - b)) {
          time = at
          const free = admitted.filter((before) => before > at - 60_000).length < 5
          const { admitted: isIn, remaining, resetMs } = window.takeNow('a', strict)
          if (isIn) admitted.push(at)
          if (isIn !== free || remaining < 0 || resetMs <= 0 || resetMs > 60_000) return false
        }
        return mostInAnyWindow(admitted, 60_000) <= 5
      }),
      { numRuns: 300 },
    )
  })

  it('a request leaves its window after exactly its length, whatever the clock says', () => {
    for (let time = 0.1; time < 1e9; time = time * 3 + 0.7)
      expect(createMemorySlidingWindow(() => time).takeNow('a', strict).resetMs).toBe(60_000)
  })

  it('a subject rejected by the shared window is rejected locally for a second', () => {
    let time = 0
    const window = createMemorySlidingWindow(() => time)
    window.refuse('a', strict, 30_000)
    time = 999
    expect(window.takeNow('a', strict)).toMatchObject({ admitted: false, remaining: 0, resetMs: 29_001 })
    expect(window.takeNow('b', strict).admitted).toBe(true)
    time = 1_000
    expect(window.takeNow('a', strict)).toMatchObject({ admitted: true, remaining: 4 })
    window.refuse('a', strict, 400)
    time = 1_400
    expect(window.takeNow('a', strict).admitted).toBe(true)
  })

  it('the reported wait never exceeds the window, whatever the clock says', () => {
    // In floating point, at + 60,000 - at exceeds 60,000 for many times.
    let time = 0
    for (let n = 1; n <= 1_000; n += 1) {
      time = n * 1_234.567_891
      const window = createMemorySlidingWindow(() => time)
      expect(window.takeNow('a', strict).resetMs).toBe(60_000)
    }
  })

  it('reports the remaining requests, and when one more is possible', () => {
    let time = 0
    const window = createMemorySlidingWindow(() => time)
    const seen: [boolean, number, number][] = []
    for (const at of [0, 10_000, 20_000, 30_000, 40_000, 50_000, 59_999, 60_000, 60_001]) {
      time = at
      const { admitted, remaining, resetMs } = window.takeNow('a', strict)
      seen.push([admitted, remaining, resetMs])
    }
    expect(seen).toEqual([
      [true, 4, 60_000],
      [true, 3, 50_000],
      [true, 2, 40_000],
      [true, 1, 30_000],
      [true, 0, 20_000],
      [false, 0, 10_000],
      [false, 0, 1],
      [true, 0, 10_000],
      [false, 0, 9_999],
    ])
  })

  it('a batch waits until as many requests have left as it needs', () => {
    let time = 0
    const window = createMemorySlidingWindow(() => time)
    for (const [at, count] of [
      [0, 2],
      [0.4, 1],
      [1_000, 1],
      [2_000, 1],
    ] as const) {
      time = at
      expect(window.takeNow('a', strict, count).admitted).toBe(true)
    }
    const waits = [1, 2, 3, 4, 5].map((count) => window.takeNow('a', strict, count).resetMs)
    expect(waits).toEqual([58_000, 58_000, 58_001, 59_000, 60_000])
  })

  it('takes no more memory for many requests of a millisecond than for one', () => {
    let time = 0
    const window = createMemorySlidingWindow(() => time)
    const many = { name: 'many', requests: 1e9, seconds: 1 }
    const before = bytesInUse()
    for (let n = 0; n < 1_000_000; n += 1) {
      time = Math.floor(n / 3_000)
      window.takeNow('a', many)
    }
    expect(bytesInUse() - before).toBeLessThan(2_500_000)
    expect(window.takeNow('a', many).remaining).toBe(1e9 - 1_000_001)
  })

  it('separates subjects and policies', () => {
    const window = createMemorySlidingWindow(() => 0)
    for (let n = 0; n < 5; n += 1) window.takeNow('a', strict)
    expect(window.takeNow('a', strict).admitted).toBe(false)
    expect(window.takeNow('b', strict).admitted).toBe(true)
    expect(window.takeNow('a', { ...strict, name: 'standard' }).admitted).toBe(true)
  })

  it('refunds a request once', () => {
    let time = 0
    const window = createMemorySlidingWindow(() => time)
    for (let n = 0; n < 1_000; n += 1) {
      time += 10
      const { admitted, refund } = window.takeNow('a', strict)
      expect(admitted).toBe(true)
      refund()
      refund()
    }
    for (let n = 0; n < 5; n += 1) expect(window.takeNow('a', strict).admitted).toBe(true)
    expect(window.takeNow('a', strict).admitted).toBe(false)
  })

  it('stays bounded, and drops subjects whose requests have left the window', () => {
    let time = 0
    const small = createMemorySlidingWindow(() => time, 100)
    for (let n = 0; n < 5; n += 1) small.takeNow('first', strict)
    for (let n = 0; n < 99; n += 1) small.takeNow(`other ${n}`, strict)
    expect(small.takeNow('first', strict).admitted).toBe(false)
    for (let n = 0; n < 300; n += 1) small.takeNow(`more ${n}`, strict)
    expect(small.takeNow('first', strict).admitted).toBe(true)
    const before = bytesInUse()
    const many = createMemorySlidingWindow(() => time)
    const brief = { ...strict, seconds: 10 }
    for (let n = 0; n < 200_000; n += 1) {
      time += 1
      many.takeNow(`address ${n}`, brief)
    }
    expect(bytesInUse() - before).toBeLessThan(25_000_000)
    expect(many.takeNow('address 199999', brief).remaining).toBe(3)
  })
})
