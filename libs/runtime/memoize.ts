/**
 * The same pure function, which knows its last results by heart.
 * @param max how many; when there are more, all are forgotten, so that nobody fills the memory by asking.
 */
export function memoize<Result>(max: number, find: (key: string) => Result): (key: string) => Result {
  const known = new Map<string, Result>()
  return (key) => {
    const result = known.get(key)
    if (result !== undefined) return result
    if (known.size >= max) known.clear()
    const found = find(key)
    known.set(key, found)
    return found
  }
}
