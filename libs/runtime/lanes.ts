/** Runs the work of one key one after another, and that of different keys side by side. */
export interface Lanes {
  /** Runs `work` when what came before it under the same key has ended, well or not; gives what it gives. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
}

/** Lanes of this process; a key that nobody waits for takes no memory. */
export function createLanes(): Lanes {
  const ends = new Map<string, Promise<unknown>>()
  return {
    async run(key, work) {
      const result = (ends.get(key) ?? Promise.resolve()).then(work)
      const end = result.catch(() => undefined)
      ends.set(key, end)
      try {
        return await result
      } finally {
        if (ends.get(key) === end) ends.delete(key)
      }
    },
  }
}
