import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RatePolicy } from '../request/counted-request.js'
import { createLeases, type LeasedWindow } from './redis-leases.js'
import type { RedisSlidingWindow } from './redis-sliding-window.js'

const standard: RatePolicy = { name: 'standard', requests: 300, seconds: 60 }
const strict: RatePolicy = { name: 'strict', requests: 5, seconds: 60 }

/** What Redis would do, on the clock of the test. */
function fakeRedis() {
  let times: number[] = []
  const asked: number[] = []
  const window: RedisSlidingWindow = {
    async take(_subject, policy, count = 1, aheadMs = 0) {
      asked.push(count)
      times = times.filter((time) => time > Date.now() - policy.seconds * 1_000)
      const room = policy.requests - times.length
      const refused = { admitted: false, remaining: 0, resetMs: 1, time: '', refund: () => {} }
      if (count > room) return refused
      const time = Date.now() + aheadMs
      times.push(...Array.from({ length: count }, () => time))
      return {
        ...{ admitted: true, remaining: room - count, resetMs: policy.seconds * 1_000, time: String(time) },
        refund(some = count) {
          for (let n = 0; n < some; n += 1) times.splice(times.lastIndexOf(time), 1)
        },
      }
    },
  }
  return { window, asked, counted: () => times.length }
}

/** As the limiter asks: first what is held, then Redis. */
const takeFrom = async (window: LeasedWindow, policy: RatePolicy) =>
  window.takeHeld('a', policy) ?? window.take('a', policy)

let redis: ReturnType<typeof fakeRedis>
let window: LeasedWindow

beforeEach(() => {
  vi.useFakeTimers()
  redis = fakeRedis()
  window = createLeases(redis.window, Date.now)
})
afterEach(() => {
  vi.useRealTimers()
})

describe('leases from a window in Redis', () => {
  it('let a busy subject ask seldom, by single requests near the limit, and admit exactly the policy', async () => {
    let admitted = 0
    for (let n = 0; n < 400; n += 1) {
      await vi.advanceTimersByTimeAsync(1)
      if ((await takeFrom(window, standard)).admitted) admitted += 1
    }
    expect(admitted).toBe(300)
    const granted = redis.asked.slice(0, -100)
    expect(granted.slice(0, 3)).toEqual([1, 18, 17])
    expect(granted.slice(-30)).toEqual(Array.from({ length: 30 }, () => 1))
    expect(granted.length).toBeLessThan(80)
  })

  it('say what remains of the policy, with what is held', async () => {
    const remaining: number[] = []
    for (let n = 0; n < 10; n += 1) remaining.push((await takeFrom(window, standard)).remaining)
    expect(remaining).toEqual([299, 298, 297, 296, 295, 294, 293, 292, 291, 290])
  })

  it('give back what was not used when they end', async () => {
    await takeFrom(window, standard)
    await takeFrom(window, standard)
    expect(redis.counted()).toBe(19)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(redis.counted()).toBe(2)
    expect(window.takeHeld('a', standard)).toBeNull()
  })

  it('give it back when the process ends', async () => {
    await takeFrom(window, standard)
    await takeFrom(window, standard)
    window.close()
    expect(redis.counted()).toBe(2)
    expect(window.takeHeld('a', standard)).toBeNull()
  })

  it('last a second however long the window is', async () => {
    const daily = { name: 'daily', requests: 1_000, seconds: 86_400 }
    await takeFrom(window, daily)
    await takeFrom(window, daily)
    expect(redis.counted()).toBe(33)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(redis.counted()).toBe(2)
  })

  it('take a refunded request back while they last, and tell Redis afterwards', async () => {
    await takeFrom(window, standard)
    const second = await takeFrom(window, standard)
    second.refund()
    const third = await takeFrom(window, standard)
    expect(third.remaining).toBe(298)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(redis.counted()).toBe(2)
    third.refund()
    expect(redis.counted()).toBe(1)
  })

  it('are not made for a seldom subject, a small policy, or several requests at once', async () => {
    for (let n = 0; n < 5; n += 1) {
      await takeFrom(window, standard)
      await vi.advanceTimersByTimeAsync(1_000)
    }
    for (let n = 0; n < 5; n += 1) await takeFrom(window, strict)
    await window.take('b', standard, 20)
    expect(redis.asked).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 20])
  })

  it('are asked for by one of many parallel requests', async () => {
    await takeFrom(window, standard)
    const parallel = await Promise.all(Array.from({ length: 20 }, () => takeFrom(window, standard)))
    expect(parallel.every(({ admitted }) => admitted)).toBe(true)
    expect(redis.asked.filter((count) => count > 1)).toHaveLength(1)
  })

  it('count from when they end, so that a request that comes late is in no window with more than the policy', async () => {
    const other = createLeases(redis.window, Date.now)
    const times: number[] = []
    const admit = async (gateway: LeasedWindow, requests: number): Promise<void> => {
      for (let n = 0; n < requests; n += 1)
        if ((await takeFrom(gateway, standard)).admitted) times.push(Date.now())
    }
    await admit(window, 2)
    await vi.advanceTimersByTimeAsync(500)
    await admit(other, 300)
    await vi.advanceTimersByTimeAsync(499)
    await admit(window, 17)
    expect(times).toHaveLength(300)
    const [first = 0] = times
    await vi.advanceTimersByTimeAsync(first + 60_001 - Date.now())
    await admit(other, 300)
    const late = times.filter((at) => at >= first + 500)
    expect(late.length).toBeLessThanOrEqual(300)
    await vi.advanceTimersByTimeAsync(2_000)
    await admit(other, 300)
    expect(times.length).toBeGreaterThan(590)
  })

  it('never let three gateways admit more than the policy in any window, and refuse only a little early', async () => {
    const gateways = [window, createLeases(redis.window, Date.now), createLeases(redis.window, Date.now)]
    const policy = { name: 'scaled', requests: 300, seconds: 6 }
    const times: number[] = []
    for (let step = 0; step < 60_000; step += 1) {
      await vi.advanceTimersByTimeAsync(1)
      // Sometimes a burst, sometimes nothing for a while; each gateway at its own pace.
      for (const [index, gateway] of gateways.entries()) {
        if ((step * (index + 3)) % 997 < 120 && (await takeFrom(gateway, policy)).admitted)
          times.push(Date.now())
      }
    }
    const most = times.map((from, index) => {
      const after = times.findIndex((at, later) => later > index && at >= from + 6_000)
      return (after === -1 ? times.length : after) - index
    })
    expect(Math.max(...most)).toBeLessThanOrEqual(300)
    // Ten windows follow each other; leases make them a sixtieth longer.
    expect(times.length).toBeGreaterThan(2_600)
  })
})
