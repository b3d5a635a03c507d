import { LRUCache } from 'lru-cache'

/** What a look found, and for how long it may be used, counted from its beginning; 0 for not at all. */
export interface Loaded<Value> {
  readonly value: Value
  readonly lifeMs: number
}

/** A memory of what was found a moment ago. */
export interface TtlCache<Value> {
  /** What is remembered and may still be used, or `null`. */
  find(key: string): Value | null
  /**
   * What is remembered, else what `look` finds. Whoever asks for the same at the same time shares one look.
   * @throws whatever `look` throws; then nothing is remembered.
   */
  resolve(key: string, look: () => Promise<Loaded<Value>>): Promise<Value>
  /** Forgets these; of looks that are under way, whatever they are for, nothing is remembered and nothing shared. */
  forget(keys: Iterable<string>): void
  /** The same for everything. */
  forgetAll(): void
}

/** How much is remembered, and who is told. */
export interface TtlCacheOptions<Value> {
  /** Milliseconds that only grow. */
  readonly now: () => number
  /** The sizes of all values together; beyond it those that were used longest ago are dropped. */
  readonly sizeMax: number
  readonly sizeOf: (value: Value) => number
  readonly lookups: Readonly<Record<'hit' | 'shared' | 'miss', { inc(): void }>>
  readonly onKept?: (key: string, value: Value) => void
  readonly onDropped?: (key: string, value: Value) => void
}

interface Entry<Value> {
  readonly value: Value
  readonly until: number
}

/** A memory in which nothing outlives its time, and which keeps nothing of a look that began before a change. */
export function createTtlCache<Value>(options: TtlCacheOptions<Value>): TtlCache<Value> {
  const { now, sizeMax, sizeOf, lookups, onKept, onDropped } = options
  const entries = new LRUCache<string, Entry<Value>>({
    maxSize: sizeMax,
    sizeCalculation: ({ value }) => sizeOf(value),
    dispose: ({ value }, key) => onDropped?.(key, value),
  })
  let pending = new Map<string, Promise<Value>>()
  let changes = 0

  const keep = (key: string, entry: Entry<Value>): void => {
    entries.set(key, entry)
    onKept?.(key, entry.value)
  }

  const lookUp = async (key: string, look: () => Promise<Loaded<Value>>): Promise<Value> => {
    const beganAt = now()
    const began = changes
    const { value, lifeMs } = await look()
    if (lifeMs > 0 && changes === began) keep(key, { value, until: beganAt + lifeMs })
    return value
  }

  const change = (): void => {
    changes += 1
    pending = new Map()
  }

  const find = (key: string): Value | null => {
    const entry = entries.get(key)
    if (entry === undefined || now() >= entry.until) return null
    lookups.hit.inc()
    return entry.value
  }

  return {
    find,
    async resolve(key, look) {
      const known = find(key)
      if (known !== null) return known
      const underWay = pending.get(key)
      if (underWay !== undefined) {
        lookups.shared.inc()
        return underWay
      }
      lookups.miss.inc()
      const among = pending
      const asked = lookUp(key, look).finally(() => among.delete(key))
      among.set(key, asked)
      return asked
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
