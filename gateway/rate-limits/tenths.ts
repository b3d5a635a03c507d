import { LRUCache } from 'lru-cache'

/** Decides which of the requests that count a tenth stay in the window. */
export interface Tenths {
  /** True for the first of every ten with this key. */
  countsOneOfTen(key: string): boolean
}

const keysMax = 10_000

/** Counts tenths, for each gateway separately. An evicted key starts with a full one, so no one counts less. */
export function createTenths(max = keysMax): Tenths {
  const counts = new LRUCache<string, number>({ max })
  return {
    countsOneOfTen(key) {
      const count = counts.get(key) ?? 0
      counts.set(key, (count + 1) % 10)
      return count === 0
    },
  }
}
