import { LRUCache } from 'lru-cache'

/** Decides which requests count if only every tenth does. */
export interface Tenths {
  /** True for the first of every ten with this key. */
  countsOneOfTen(key: string): boolean
}

const keysMax = 10_000

/**
 * Each gateway counts separately. An evicted key starts over with one that counts, so eviction never helps a client.
 */
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
