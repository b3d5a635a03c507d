import { LRUCache } from 'lru-cache'

/** A value, and how long it is valid from the start of its load; 0 for not at all. */
export interface Entry<Value> {
  readonly value: Value
  readonly ttlMs: number
}

/** A cache of recently loaded values. */
export interface TtlCache<Value> {
  /** The cached value if it is valid, or `null`. */
  find(key: string): Value | null
  /**
   * The cached value, else the one from `load`. Concurrent calls for the same key share one load.
   * @throws whatever `load` throws; then nothing is cached.
   */
  resolve(key: string, load: () => Promise<Entry<Value>>): Promise<Value>
  /** Drops these keys; the results of all pending loads are neither cached nor shared. */
  forget(keys: Iterable<string>): void
  /** The same for everything. */
  forgetAll(): void
}

/** The size of the cache, and its metrics. */
export interface TtlCacheOptions<Value> {
  /** A monotonic clock in milliseconds. */
  readonly now: () => number
  /** The maximum size of all values together; beyond it the least recently used ones are dropped. */
  readonly sizeMax: number
  readonly sizeOf: (value: Value) => number
  /** Counts the outcomes of lookups. */
  readonly lookups?: Readonly<Record<'hit' | 'shared' | 'miss', { inc(): void }>>
  readonly onKept?: (key: string, value: Value) => void
  readonly onDropped?: (key: string, value: Value) => void
}

interface Kept<Value> {
  readonly value: Value
  readonly until: number
}

/** A cache in which no entry outlives its time, and which discards loads that began before an invalidation. */
export function createTtlCache<Value>(options: TtlCacheOptions<Value>): TtlCache<Value> {
  const { now, sizeMax, sizeOf, lookups, onKept, onDropped } = options
  const entries = new LRUCache<string, Kept<Value>>({
    maxSize: sizeMax,
    sizeCalculation: ({ value }) => sizeOf(value),
    dispose: ({ value }, key) => onDropped?.(key, value),
  })
  let pending = new Map<string, Promise<Value>>()
  let changes = 0

  const keep = (key: string, entry: Kept<Value>): void => {
    entries.set(key, entry)
    onKept?.(key, entry.value)
  }

  const loadEntry = async (key: string, load: () => Promise<Entry<Value>>): Promise<Value> => {
    const beganAt = now()
    const began = changes
    const { value, ttlMs } = await load()
    if (ttlMs > 0 && changes === began) keep(key, { value, until: beganAt + ttlMs })
    return value
  }

  const change = (): void => {
    changes += 1
    pending = new Map()
  }

  const find = (key: string): Value | null => {
    const entry = entries.get(key)
    if (entry === undefined || now() >= entry.until) return null
    lookups?.hit.inc()
    return entry.value
  }

  return {
    find,
    async resolve(key, load) {
      const known = find(key)
      if (known !== null) return known
      const inProgress = pending.get(key)
      if (inProgress !== undefined) {
        lookups?.shared.inc()
        return inProgress
      }
      lookups?.miss.inc()
      const among = pending
      const loading = loadEntry(key, load).finally(() => among.delete(key))
      among.set(key, loading)
      return loading
    },
    forget(keys) {
      change()
      for (const key of [...keys]) entries.delete(key)
    },
    forgetAll() {
      change()
      entries.clear()
    },
  }
}
