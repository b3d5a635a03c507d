/** Runs the work of one key one after another, and that of different keys side by side. */
export interface Lanes {
  /** Runs `work` when what came before it under the same key has ended, well or not; gives what it gives. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
}

/** How work ended, for the work behind it. */
type End = { readonly failure: unknown } | null

/**
 * Lanes of this process; a key that nobody waits for takes no memory.
 * @param concernsAll whether a failure is one that the work behind it would meet as well, such as a database that does
 *   not answer: then all that waits fails with it at once, rather than each after a wait of its own.
 */
export function createLanes(concernsAll: (failure: unknown) => boolean = () => false): Lanes {
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
