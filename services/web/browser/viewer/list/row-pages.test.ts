import { expect, it } from 'vitest'
import { pageRows, type RowPages, rowPages } from './row-pages.js'

interface Asked {
  readonly pages: RowPages<number>
  readonly loads: readonly number[]
  readonly events: readonly string[]
}

function numbers(limit: number): Asked {
  const loads: number[] = []
  const events: string[] = []
  const pages = rowPages<number>({
    load: (from, count) => {
      loads.push(from)
      if (from > limit) return Promise.reject(new Error('no such page'))
      return Promise.resolve(
        Array.from({ length: Math.min(count, limit - from) }, (_row, index) => from + index),
      )
    },
    onLoaded: () => events.push('loaded'),
    onFailed: () => events.push('failed'),
  })
  return { pages, loads, events }
}

it('a row is available once its page has arrived, which is requested once', async () => {
  const { pages, loads, events } = numbers(1_000)
  expect(pages.get(205)).toBeUndefined()
  expect(pages.get(299)).toBeUndefined()
  expect(await pages.wait(205)).toBe(205)
  expect(pages.get(299)).toBe(299)
  expect(loads).toEqual([200])
  expect(events).toEqual(['loaded'])
})

it('there is no row past the last one', async () => {
  expect(await numbers(50).pages.wait(51)).toBeUndefined()
})

it('a page that failed to load is reported, and requested again', async () => {
  const { pages, loads, events } = numbers(50)
  await expect(pages.wait(500)).rejects.toThrow('no such page')
  pages.get(500)
  expect(loads).toEqual([500, 500])
  expect(events).toEqual(['failed'])
})

it('pages not used recently are evicted', async () => {
  const { pages, loads } = numbers(1_000_000)
  for (let page = 0; page <= 40; page += 1) await pages.wait(page * pageRows)
  expect(pages.get(40 * pageRows)).toBe(4_000)
  expect(pages.get(0)).toBeUndefined()
  expect(loads.filter((from) => from === 0).length).toBe(2)
})

it('most pages passed while scrolling are not loaded', async () => {
  const { pages, loads } = numbers(1_000_000)
  for (let page = 0; page < 1_000; page += 1) pages.get(page * pageRows)
  expect(loads).toEqual([0, 100, 200])
  await pages.wait(0)
  pages.get(99_900)
  expect(loads.at(-1)).toBe(99_900)
})
