import { LRUCache } from 'lru-cache'
import { isUnavailability } from '../core/domain-error.js'

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
  /**
   * Loads a value again in the background when it is still in use after three quarters of its time, so that no one
   * waits for it. If that fails, the value serves the rest of its time, unless it turned out to be gone.
   */
  readonly renew?: (key: string) => Promise<Entry<Value>>
  /** Counts the outcomes of lookups. */
  readonly lookups?: Readonly<Record<'hit' | 'shared' | 'miss', { inc(): void }>>
  readonly onKept?: (key: string, value: Value) => void
  readonly onDropped?: (key: string, value: Value) => void
}

interface Kept<Value> {
  readonly value: Value
  readonly until: number
  renewAt: number
}

/** The share of its time after which an entry is renewed. */
const renewAfter = 0.75

/** A cache in which no entry outlives its time, and which discards loads that began before an invalidation. */
export function createTtlCache<Value>(options: TtlCacheOptions<Value>): TtlCache<Value> {
  const { now, sizeMax, sizeOf, renew, lookups, onKept, onDropped } = options
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
    if (ttlMs > 0 && changes === began) {
      keep(key, { value, until: beganAt + ttlMs, renewAt: beganAt + ttlMs * renewAfter })
    }
    return value
  }

  const loadOnce = (key: string, load: () => Promise<Entry<Value>>): Promise<Value> => {
    const among = pending
    const loading = loadEntry(key, load).finally(() => among.delete(key))
    among.set(key, loading)
    return loading
  }

  const renewEntry = (key: string, entry: Kept<Value>, load: () => Promise<Entry<Value>>): void => {
    entry.renewAt = Number.POSITIVE_INFINITY
    if (pending.has(key)) return
    loadOnce(key, load).catch((error: unknown) => {
      if (!isUnavailability(error) && entries.peek(key) === entry) entries.delete(key)
    })
  }

  const change = (): void => {
    changes += 1
    pending = new Map()
  }

  const find = (key: string): Value | null => {
    const entry = entries.get(key)
    if (entry === undefined || now() >= entry.until) return null
    if (renew !== undefined && now() >= entry.renewAt) renewEntry(key, entry, () => renew(key))
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
      return loadOnce(key, load)
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
