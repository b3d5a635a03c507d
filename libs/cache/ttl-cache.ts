import { LRUCache } from 'lru-cache'

/** A value, and for how long it may be used, counted from the beginning of its load; 0 for not at all. */
export interface Entry<Value> {
  readonly value: Value
  readonly ttlMs: number
}

/** A cache of values that were loaded a moment ago. */
export interface TtlCache<Value> {
  /** The cached value, while it may be used, or `null`. */
  find(key: string): Value | null
  /**
   * The cached value, else the one that `load` gives. Whoever asks for the same at the same time shares one load.
   * @throws whatever `load` throws; then nothing is cached.
   */
  resolve(key: string, load: () => Promise<Entry<Value>>): Promise<Value>
  /** Drops these; of loads that are under way, whatever they are for, nothing is cached and nothing shared. */
  forget(keys: Iterable<string>): void
  /** The same for everything. */
  forgetAll(): void
}

/** How much is cached, and who is told. */
export interface TtlCacheOptions<Value> {
  /** Milliseconds that only grow. */
  readonly now: () => number
  /** The sizes of all values together; beyond it the least recently used ones are dropped. */
  readonly sizeMax: number
  readonly sizeOf: (value: Value) => number
  /** Counts how lookups end. */
  readonly lookups?: Readonly<Record<'hit' | 'shared' | 'miss', { inc(): void }>>
  readonly onKept?: (key: string, value: Value) => void
  readonly onDropped?: (key: string, value: Value) => void
}

interface Kept<Value> {
  readonly value: Value
  readonly until: number
}

/** A cache in which nothing outlives its time, and which keeps nothing of a load that began before a change. */
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
      const underWay = pending.get(key)
      if (underWay !== undefined) {
        lookups?.shared.inc()
        return underWay
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
