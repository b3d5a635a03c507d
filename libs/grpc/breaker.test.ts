import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLogger } from '../log/logger.js'
import { type Breaker, createBreaker } from './breaker.js'

let now = 0
let serving = false
let breaker: Breaker

/** Advances the clock without failures. */
async function pass(ms: number): Promise<void> {
  now += ms
  await vi.advanceTimersByTimeAsync(ms)
}

function lose(times: number): void {
  for (let done = 0; done < times; done += 1) breaker.lost(now)
}

beforeEach(() => {
  vi.useFakeTimers()
  now = 0
  serving = false
  const log = createLogger('test', 'silent')
  breaker = createBreaker({ process: 'content', isServing: async () => serving, log, now: () => now })
})
afterEach(() => {
  breaker.close()
  vi.useRealTimers()
})

describe('a breaker', () => {
  it('rejects calls after five consecutive failures, immediately', () => {
    lose(4)
    expect(() => breaker.check()).not.toThrow()
    lose(1)
    expect(() => breaker.check()).toThrow(expect.objectContaining({ kind: 'unavailable' }))
    expect(breaker.isOpen()).toBe(true)
  })

  it('lets calls through while some succeed', () => {
    for (let round = 0; round < 20; round += 1) {
      lose(4)
      breaker.responded()
    }
    expect(breaker.isOpen()).toBe(false)
  })

  it('only counts failures within ten seconds', async () => {
    lose(4)
    await pass(10_000)
    lose(1)
    expect(breaker.isOpen()).toBe(false)
    lose(4)
    expect(breaker.isOpen()).toBe(true)
  })

  it('closes within a second of the process’s recovery, and then starts counting again', async () => {
    lose(5)
    await pass(30_000)
    expect(breaker.isOpen()).toBe(true)
    serving = true
    await pass(1_000)
    expect(breaker.isOpen()).toBe(false)
    lose(4)
    expect(breaker.isOpen()).toBe(false)
  })

  it('counts calls that broke off together as one, and timed-out ones individually', () => {
    now = 1_000
    for (let call = 0; call < 20; call += 1) breaker.lost(900 + call)
    expect(breaker.isOpen()).toBe(false)
    now = 2_000
    lose(4)
    expect(breaker.isOpen()).toBe(true)
  })

  it('probes immediately, and lets calls through if the process serves', async () => {
    serving = true
    lose(5)
    await vi.advanceTimersByTimeAsync(0)
    expect(breaker.isOpen()).toBe(false)
  })

  it('closes when an earlier call succeeds', () => {
    lose(5)
    breaker.responded()
    expect(breaker.isOpen()).toBe(false)
    lose(4)
    expect(breaker.isOpen()).toBe(false)
  })

  it('sends no probes once it is closed', async () => {
    lose(5)
    breaker.close()
    expect(vi.getTimerCount()).toBe(0)
    expect(breaker.isOpen()).toBe(false)
  })
})
