/** A queue for each key: work with the same key runs one after another, with different keys concurrently. */
export interface KeyedQueue {
  /** Runs `work` after everything before it with the same key has settled; returns its result. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
}

/** The outcome of work, for the work behind it. */
type End = { readonly failure: unknown } | null

/**
 * Queues of this process; an idle key takes no memory.
 * @param concernsAll whether a failure would repeat for the work behind it, such as an unresponsive database: then
 *   everything that waits fails with it at once, instead of each after its own timeout.
 */
export function createKeyedQueue(concernsAll: (failure: unknown) => boolean = () => false): KeyedQueue {
  const ends = new Map<string, Promise<End>>()
  return {
    async run(key, work) {
      const result = (ends.get(key) ?? Promise.resolve(null)).then((before) => {
        if (before !== null) throw before.failure
        return work()
      })
      const end = result.then(
        () => null,
        (failure: unknown) => (concernsAll(failure) ? { failure } : null),
      )
      ends.set(key, end)
      try {
        return await result
      } finally {
        if (ends.get(key) === end) ends.delete(key)
      }
    },
  }
}
