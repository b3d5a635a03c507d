import { LRUCache } from 'lru-cache'

/** Tells which of the requests that count a tenth keep their place in the window. */
export interface Tenths {
  /** True for the first of every ten with this key. */
  countsOneOfTen(key: string): boolean
}

const keysMax = 10_000

/** Counts by tenths, each gateway for itself. Whoever is forgotten begins with a full one, so nobody counts less. */
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
