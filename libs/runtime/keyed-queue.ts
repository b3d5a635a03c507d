/** A queue for each key: work of one key runs one after another, that of different keys side by side. */
export interface KeyedQueue {
  /** Runs `work` when what came before it under the same key has ended, well or not; gives what it gives. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
}

/** How work ended, for the work behind it. */
type End = { readonly failure: unknown } | null

/**
 * Queues of this process; an idle key takes no memory.
 * @param concernsAll whether a failure would repeat for the work behind it, such as a database that does not respond: then
 *   everything that waits fails with it at once, rather than each after a timeout of its own.
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
