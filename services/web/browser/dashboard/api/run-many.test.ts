import { expect, it } from 'vitest'
import { problemOf } from '#sdk/problem-error.js'
import { failedOf, runMany } from './run-many.js'

const limited = (seconds: number) =>
  problemOf(new Response('', { status: 429, headers: { 'Retry-After': String(seconds) } }))

it('one that fails ends none of the others, and all outcomes keep their order', async () => {
  const outcomes = await runMany([1, 2, 3, 4, 5, 6], async (item) => {
    if (item % 3 === 0) throw new Error(`no ${item}`)
    return item * 10
  })
  expect(outcomes.map(({ result }) => result)).toEqual([10, 20, null, 40, 50, null])
  expect(failedOf(outcomes).map(({ item, error }) => [item, error.message])).toEqual([
    [3, 'no 3'],
    [6, 'no 6'],
  ])
})

it('at most so many run at the same time', async () => {
  let running = 0
  let most = 0
  await runMany(
    Array.from({ length: 20 }, (_, place) => place),
    async () => {
      running += 1
      most = Math.max(most, running)
      await Promise.resolve()
      running -= 1
    },
    { atOnce: 3 },
  )
  expect(most).toBe(3)
})

it('after 429 it waits as long as the server says, and tries again', async () => {
  const waits: number[] = []
  let refusals = 2
  const outcomes = await runMany(
    ['a'],
    async (item) => {
      if (refusals > 0) {
        refusals -= 1
        throw await limited(7)
      }
      return item
    },
    { wait: async (seconds) => void waits.push(seconds) },
  )
  expect(waits).toEqual([7, 7])
  expect(failedOf(outcomes)).toEqual([])
})

it('once stopped, it begins no other, ends the waits, and returns only what was done', async () => {
  const stop = new AbortController()
  const begun: number[] = []
  const waits: number[] = []
  const outcomes = await runMany(
    [1, 2, 3, 4],
    async (item) => {
      begun.push(item)
      if (item === 1) throw await limited(7)
      await expect.poll(() => waits).toEqual([7])
      stop.abort()
      return item
    },
    {
      atOnce: 2,
      stop: stop.signal,
      wait(seconds) {
        waits.push(seconds)
        return new Promise<never>(() => {})
      },
    },
  )
  expect(begun).toEqual([1, 2])
  expect(outcomes).toEqual([{ item: 2, result: 2, error: null }])
})

it('in a hurry, all the rest run at the same time, and those that wait are tried again', async () => {
  const hurry = new AbortController()
  const begun: number[] = []
  const waits: number[] = []
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const running = runMany(
    [1, 2, 3, 4, 5],
    async (item) => {
      begun.push(item)
      if (begun.length === 1) throw await limited(60)
      await held
      return item
    },
    {
      atOnce: 2,
      hurry: hurry.signal,
      wait(seconds) {
        waits.push(seconds)
        return new Promise<never>(() => {})
      },
    },
  )
  await expect.poll(() => waits).toEqual([60])
  expect(begun).toEqual([1, 2])
  hurry.abort()
  await expect.poll(() => begun.toSorted()).toEqual([1, 1, 2, 3, 4, 5])
  release()
  expect((await running).map(({ result }) => result)).toEqual([1, 2, 3, 4, 5])
})

it('a server that only ever answers 429 is not asked for ever', async () => {
  let asked = 0
  const outcomes = await runMany(
    ['a'],
    async () => {
      asked += 1
      throw await limited(1)
    },
    { wait: async () => {} },
  )
  expect(asked).toBe(6)
  expect(failedOf(outcomes)).toHaveLength(1)
})
