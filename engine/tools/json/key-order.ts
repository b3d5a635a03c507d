import { decodedString } from '../../compare/json/canonical-scalar.js'
import { backslash, quote, stringBetween, stringEnd } from '../../json-bytes/json-bytes.js'

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

/** Compares texts by their code points. */
export function compareCodePoints(one: string, other: string): number {
  for (let at = 0; ; at += 1) {
    const [a, b] = [one.codePointAt(at), other.codePointAt(at)]
    if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1
    if (a !== b) return a - b
    if (a > 0xffff) at += 1
  }
}

function decodedKey(bytes: Uint8Array, start: number): Uint8Array {
  return decodedString(bytes, start, stringEnd(bytes, start))
}

function compareBytes(one: Uint8Array, other: Uint8Array): number {
  const shared = Math.min(one.length, other.length)
  for (let at = 0; at < shared; at += 1)
    if (one[at] !== other[at]) return (one[at] as number) - (other[at] as number)
  return one.length - other.length
}

/** Compares two valid JSON strings, which begin at these quotes, by the code points that they stand for. */
export function compareKeys(bytes: Uint8Array, one: number, other: number): number {
  // The order of UTF-8 is that of code points.
  for (let at = 1; ; at += 1) {
    const [a, b] = [bytes[one + at] as number, bytes[other + at] as number]
    if (a === backslash || b === backslash)
      return compareBytes(decodedKey(bytes, one), decodedKey(bytes, other))
    if (a !== b) return a === quote ? -1 : b === quote ? 1 : a - b
    if (a === quote) return 0
  }
}

/** Compares texts with runs of ASCII digits as numbers, however long; what is equal then, by code points. */
export function compareNaturally(one: string, other: string): number {
  const runs = (text: string): readonly string[] => text.split(/([0-9]+)/)
  const [a, b] = [runs(one), runs(other)]
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const [left, right] = [a[at] ?? '', b[at] ?? '']
    if (at % 2 === 0) {
      const order = compareCodePoints(left, right)
      if (order !== 0) return order
    } else {
      const [first, second] = [left.replace(/^0+(?=.)/, ''), right.replace(/^0+(?=.)/, '')]
      if (first.length !== second.length) return first.length - second.length
      if (first !== second) return first < second ? -1 : 1
    }
  }
  return a.length - b.length || compareCodePoints(one, other)
}

/** As `compareKeys`, but naturally. */
export function compareKeysNaturally(bytes: Uint8Array, one: number, other: number): number {
  const textAt = (start: number): string => stringBetween(bytes, start, stringEnd(bytes, start))
  return compareNaturally(textAt(one), textAt(other))
}
