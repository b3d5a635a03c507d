/** A list of whole numbers that takes four bytes for each. */
export interface IntList {
  push(value: number): void
  at(index: number): number
  length(): number
  /** Forgets what comes after so many. */
  cutTo(length: number): void
  /** Its contents without a copy, valid until something is added. */
  values(): Int32Array
}

/** An empty list. */
export function createIntList(): IntList {
  let values = new Int32Array(64)
  let length = 0
  return {
    push(value) {
      if (length === values.length) {
        const larger = new Int32Array(length * 2)
        larger.set(values)
        values = larger
      }
      values[length++] = value
    },
    at: (index) => values[index] ?? 0,
    length: () => length,
    cutTo(rest) {
      length = rest
    },
    values: () => values.subarray(0, length),
  }
}
