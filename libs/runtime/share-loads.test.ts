import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { shareLoads } from './share-loads.js'

/** Loads that end when told, each with its number. */
function slowLoads() {
  const ends: ((error?: Error) => void)[] = []
  const load = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const number = ends.length
      ends.push((error) => (error === undefined ? resolve(number) : reject(error)))
    })
  return { load, ends, end: (number: number, error?: Error) => ends[number]?.(error) }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('loads of one key', () => {
  it('that are requested while one runs share the next one, which begins after it', async () => {
    const share = shareLoads<number>(100)
    const { load, ends, end } = slowLoads()
    const first = share('a', load)
    const later = [share('a', load), share('a', load), share('a', load)]
    expect(ends).toHaveLength(1)
    end(0)
    expect(await first).toBe(0)
    await vi.waitFor(() => expect(ends).toHaveLength(2))
    const latest = share('a', load)
    end(1)
    expect(await Promise.all(later)).toEqual([1, 1, 1])
    await vi.waitFor(() => expect(ends).toHaveLength(3))
    end(2)
    expect(await latest).toBe(2)
    const again = share('a', load)
    expect(ends).toHaveLength(4)
    end(3)
    expect(await again).toBe(3)
  })

  it('fail together, and the next one does not', async () => {
    const share = shareLoads<number>(100)
    const { load, ends, end } = slowLoads()
    const first = share('a', load)
    const later = share('a', load)
    end(0, new Error('lost'))
    await expect(first).rejects.toThrow('lost')
    await vi.waitFor(() => expect(ends).toHaveLength(2))
    end(1)
    expect(await later).toBe(1)
  })

  it('wait no longer than allowed for one that hangs', async () => {
    const share = shareLoads<number>(100)
    const { load, ends, end } = slowLoads()
    void share('a', load)
    const later = share('a', load)
    await vi.advanceTimersByTimeAsync(99)
    expect(ends).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(ends).toHaveLength(2)
    end(1)
    expect(await later).toBe(1)
  })
})

it('loads of different keys share nothing', () => {
  const share = shareLoads<number>(100)
  const { load, ends } = slowLoads()
  void share('a', load)
  void share('b', load)
  expect(ends).toHaveLength(2)
})
