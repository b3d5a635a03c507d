import { expect, it } from 'vitest'
import { lineCache } from './line-cache.js'

function reading(log: number[]) {
  return async (from: number, count: number) => {
    log.push(from)
    return Array.from({ length: count }, (_, index) => ({ text: `line ${from + index}`, cutLength: 0 }))
  }
}

const fail = (error: unknown): void => expect.fail(String(error))
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))

it('lines that were asked for are there once they have been read', async () => {
  const reads: number[] = []
  const cache = lineCache(reading(reads), () => {}, fail)
  cache.want(190, 210)
  expect(cache.get(199)).toBeUndefined()
  await settled()
  expect([cache.get(199)?.text, cache.get(200)?.text]).toEqual(['line 199', 'line 200'])
  cache.want(195, 205)
  await settled()
  expect(reads).toEqual([0, 200])
})

it('what was only passed on the way is not read', async () => {
  const reads: number[] = []
  const cache = lineCache(reading(reads), () => {}, fail)
  for (let line = 0; line < 100_000; line += 1_000) cache.want(line, line + 50)
  await settled()
  expect(reads).toEqual([0, 99_000])
})

it('of a long text only the latest pages are kept', async () => {
  const cache = lineCache(reading([]), () => {}, fail)
  for (let line = 0; line < 20_000; line += 200) {
    cache.want(line, line + 200)
    await settled()
  }
  const kept = Array.from({ length: 100 }, (_, page) => cache.get(page * 200)).filter(Boolean)
  expect(kept).toHaveLength(40)
  expect(cache.get(19_999)?.text).toBe('line 19999')
})

it('a failure is told of once', async () => {
  const failures: unknown[] = []
  const broken = new Error('gone')
  const cache = lineCache(
    async () => {
      throw broken
    },
    () => {},
    (error) => failures.push(error),
  )
  cache.want(0, 10)
  await settled()
  cache.want(0, 10)
  await settled()
  expect(failures).toEqual([broken])
})
