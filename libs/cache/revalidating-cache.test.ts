import { expect, it } from 'vitest'
import { createRevalidatingCache } from './revalidating-cache.js'

function fixture() {
  const source = { fails: false, loads: 0, timeMs: 0, failures: 0 }
  const cache = createRevalidatingCache({
    async load() {
      source.loads += 1
      if (source.fails) throw new Error('away')
      return source.loads
    },
    ...{ freshMs: 100, staleMs: Number.POSITIVE_INFINITY, maxMs: 1_000, retryMs: 10, firstRetryMs: 1 },
    now: () => source.timeMs,
    onFailure: () => {
      source.failures += 1
    },
  })
  return { source, cache, find: () => cache.find((value) => value) }
}

it('a stale value is served while the next one is loading', async () => {
  const { source, cache, find } = fixture()
  expect(cache.current()).toBeUndefined()
  expect(await find()).toBe(1)
  source.timeMs = 100
  expect(await find()).toBe(1)
  await cache.settled()
  expect([await find(), source.loads]).toEqual([2, 2])
})

it('a failing source is retried at a limited rate, and its last value is served until it is too old', async () => {
  const { source, cache, find } = fixture()
  await find()
  source.fails = true
  for (source.timeMs = 100; source.timeMs < 200; source.timeMs += 1) {
    expect(await find()).toBe(1)
    await cache.settled()
  }
  expect([source.loads, source.failures]).toEqual([11, 10])
  source.timeMs = 1_000
  expect([await find(), cache.current()]).toEqual([undefined, undefined])
  expect(cache.retryInMs()).toBe(10)
  source.fails = false
  source.timeMs = 1_010
  expect(await find()).toBe(source.loads)
})

it('a missing key triggers a reload, at most once per interval', async () => {
  const { source, cache } = fixture()
  const third = (value: number): string | undefined => (value === 3 ? 'third' : undefined)
  expect(await cache.find(third)).toBeUndefined()
  expect(await cache.find(third)).toBeUndefined()
  expect(source.loads).toBe(1)
  source.timeMs = 10
  expect(await cache.find(third)).toBeUndefined()
  source.timeMs = 20
  expect([await cache.find(third), source.loads]).toEqual(['third', 3])
})
