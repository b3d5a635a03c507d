/** Numbers by small whole numbers, emptied in no time. */
export interface IntMap {
  clear(): void
  set(key: number, value: number): void
  /** 0 where nothing was set. */
  get(key: number): number
}

/** An empty map, which grows to the largest key. */
export function createIntMap(): IntMap {
  let values = new Int32Array(256)
  /** Which clearing a value was set after; all others are gone. */
  let rounds = new Int32Array(256)
  let round = 1

  return {
    clear() {
      round += 1
      if (round === 0x7fff_ffff) {
        rounds.fill(0)
        round = 1
      }
    },
    set(key, value) {
      if (key >= values.length) {
        const [oldValues, oldRounds] = [values, rounds]
        const length = Math.max(key + 1, values.length * 2)
        values = new Int32Array(length)
        rounds = new Int32Array(length)
        values.set(oldValues)
        rounds.set(oldRounds)
      }
      values[key] = value
      rounds[key] = round
    },
    get: (key) => (rounds[key] === round ? (values[key] ?? 0) : 0),
  }
}
