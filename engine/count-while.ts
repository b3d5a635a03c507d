/** How many of so many things come before the first for which a test does not hold; it holds for none behind that. */
export function countWhile(length: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/** The last index in an ascending list whose value is at most `limit`; -1 if all are greater. */
export function lastAtMost(ascending: ArrayLike<number>, limit: number): number {
  return countWhile(ascending.length, (at) => (ascending[at] ?? 0) <= limit) - 1
}
