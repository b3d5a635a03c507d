/** Sorts the numbers up to `count` so that equal ones stay in their order; outside the heap, whatever the count. */
export function sortedIndexes(count: number, compare: (one: number, other: number) => number): Uint32Array {
  let from = Uint32Array.from({ length: count }, (_place, at) => at)
  let to = new Uint32Array(count)
  for (let width = 1; width < count; width *= 2) {
    for (let start = 0; start < count; start += 2 * width) {
      const [middle, end] = [Math.min(start + width, count), Math.min(start + 2 * width, count)]
      let [left, right] = [start, middle]
      for (let at = start; at < end; at += 1) {
        const takesLeft =
          left < middle && (right >= end || compare(from[left] as number, from[right] as number) <= 0)
        to[at] = from[takesLeft ? left++ : right++] as number
      }
    }
    ;[from, to] = [to, from]
  }
  return from
}
