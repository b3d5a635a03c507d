import { LRUCache } from 'lru-cache'

/** A cache of responses. It never says that one is current: whoever uses one revalidates its ETag first. */
export interface VersionMemory<Value> {
  find(key: string): Value | null
  keep(key: string, value: Value): void
  /** Counts how a question was answered: from memory, anew because it had changed, or anew because it was not known. */
  count(outcome: Outcome): void
}

type Outcome = 'unchanged' | 'changed' | 'unknown'

/** How much is remembered, and who is told. */
export interface VersionMemoryOptions<Value> {
  /** Beyond it, what was used longest ago makes room. */
  readonly bytesMax: number
  readonly bytesOf: (value: Value, key: string) => number
  readonly lookups: { series(outcome: Outcome): { inc(): void } }
}

/** A memory of answers, bounded by their size. */
export function createVersionMemory<Value extends object>(
  options: VersionMemoryOptions<Value>,
): VersionMemory<Value> {
  const { bytesMax, bytesOf, lookups } = options
  const values = new LRUCache<string, Value>({ maxSize: bytesMax, sizeCalculation: bytesOf })
  const counts = {
    unchanged: lookups.series('unchanged'),
    changed: lookups.series('changed'),
    unknown: lookups.series('unknown'),
  }
  return {
    find: (key) => values.get(key) ?? null,
    keep(key, value) {
      values.set(key, value)
    },
    count(outcome) {
      counts[outcome].inc()
    },
  }
}
