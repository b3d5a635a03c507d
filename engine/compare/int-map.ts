/** Whole numbers from 0 up by small whole numbers, emptied in no time. */
export interface IntMap {
  clear(): void
  set(key: number, value: number): void
  /** -1 where nothing was set. */
  get(key: number): number
}

/** Values stay below this. */
const most = 0x4000_0000

/** An empty map, which grows to the largest key. */
export function createIntMap(): IntMap {
  let values = new Int32Array(256)
  /** Added to each stored value; anything smaller was set before the last clearing. */
  let base = 1
  let largest = -1

  return {
    clear() {
      base += largest + 1
      largest = -1
      if (base < most) return
      values.fill(0)
      base = 1
    },
    set(key, value) {
      if (key >= values.length) {
        const old = values
        values = new Int32Array(Math.max(key + 1, Math.ceil(old.length * 1.5)))
        values.set(old)
      }
      values[key] = base + value
      if (value > largest) largest = value
    },
    get(key) {
      const value = (values[key] ?? 0) - base
      return value < 0 ? -1 : value
    },
  }
}
