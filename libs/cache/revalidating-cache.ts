/** The source of a value, and how long it serves, in milliseconds. */
export interface RevalidatingCacheOptions<Value> {
  /** Rejects rather than return an unusable value. */
  readonly load: () => Promise<Value>
  /** A younger value is served without another load. */
  readonly freshMs: number
  /** An older one is renewed before it is served, unless its source is known to fail. */
  readonly staleMs: number
  /** How long a value is served while its source fails. */
  readonly maxMs: number
  /** The minimum time between two loads, whatever the result of the first. */
  readonly retryMs: number
  /** The same after the first failure, for callers who wait for a first value; doubled with each failure. */
  readonly firstRetryMs: number
  readonly now: () => number
  /** Called for each failed load. */
  readonly onFailure: (error: unknown) => void
}

/** Caches one remote value, and serves it while it is renewed or its source fails. */
export interface RevalidatingCache<Value> {
  /**
   * The part of the value that `pick` finds; `undefined` if it finds none or there is no value. If it finds nothing,
   * the value is renewed first, as far as `retryMs` allows.
   */
  find<Part>(pick: (value: Value) => Part | undefined): Promise<Part | undefined>
  /** Loads a value if there is none; resolves even on failure. */
  fill(): Promise<void>
  /** The value, unless it is older than `maxMs`. */
  current(): Value | undefined
  /** Milliseconds until `find` may load again. */
  retryInMs(): number
  /** Resolves when no load is in progress. */
  settled(): Promise<void>
}

interface Entry<Value> {
  readonly value: Value
  /** When its load began. */
  readonly loadedAt: number
}

interface Loading {
  readonly done: Promise<void>
  /** False if the last load failed just now: then callers use the value that they have. */
  readonly worthWaiting: boolean
}

/**
 * A cache whose loads never overlap, so that neither a crowd nor an outage causes more of them than `retryMs` allows.
 */
export function createRevalidatingCache<Value>(
  options: RevalidatingCacheOptions<Value>,
): RevalidatingCache<Value> {
  const { load, freshMs, staleMs, maxMs, retryMs, firstRetryMs, now, onFailure } = options
  let entry: Entry<Value> | undefined
  let triedAt = Number.NEGATIVE_INFINITY
  let failures = 0
  let loading: Loading | undefined

  /** A clock that was set back counts as expired: one load too many is better than none for an hour. */
  const hasPassed = (since: number, ms: number): boolean => now() - since >= ms || now() < since

  const live = (): Entry<Value> | undefined =>
    entry !== undefined && now() - entry.loadedAt < maxMs ? entry : undefined

  const attempt = async (loadedAt: number): Promise<void> => {
    try {
      entry = { value: await load(), loadedAt }
      failures = 0
    } catch (error) {
      failures += 1
      onFailure(error)
    }
  }

  const renew = (afterMs: number): void => {
    if (loading !== undefined || !hasPassed(triedAt, afterMs)) return
    const worthWaiting = failures === 0 || hasPassed(triedAt, staleMs)
    triedAt = now()
    const done = attempt(triedAt).finally(() => {
      loading = undefined
    })
    loading = { done, worthWaiting }
  }

  const wait = async (): Promise<void> => {
    if (loading !== undefined && (loading.worthWaiting || live() === undefined)) await loading.done
  }

  return {
    async find(pick) {
      const before = live()
      const part = before === undefined ? undefined : pick(before.value)
      if (before !== undefined && part !== undefined && !hasPassed(before.loadedAt, freshMs)) return part
      renew(retryMs)
      if (before === undefined || part === undefined || hasPassed(before.loadedAt, staleMs)) await wait()
      const after = live()
      return after === undefined ? undefined : pick(after.value)
    },
    async fill() {
      if (live() !== undefined) return
      renew(Math.min(retryMs, firstRetryMs * 2 ** (failures - 1)))
      await wait()
    },
    current: () => live()?.value,
    retryInMs: () => triedAt + retryMs - now(),
    async settled() {
      await loading?.done
    },
  }
}
