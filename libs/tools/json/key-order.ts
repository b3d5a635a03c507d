import { backslash, quote } from '../../json-bytes/json-bytes.js'

const shortEscapes: ReadonlyMap<number, number> = new Map([
  [0x62, 0x08],
  [0x66, 0x0c],
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
])

/** The UTF-16 units of the valid JSON string that begins at `start`, with lone halves of pairs as they are. */
function unitsOf(bytes: Uint8Array, start: number): string {
  let units = ''
  for (let at = start + 1; bytes[at] !== quote; ) {
    const byte = bytes[at] as number
    if (byte !== backslash) {
      const size = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
      let codePoint = size === 1 ? byte : byte & (0xff >> (size + 1))
      for (let next = 1; next < size; next += 1)
        codePoint = (codePoint << 6) | ((bytes[at + next] as number) & 0x3f)
      units += String.fromCodePoint(codePoint)
      at += size
    } else if (bytes[at + 1] === 0x75) {
      units += String.fromCharCode(
        Number.parseInt(String.fromCharCode(...bytes.subarray(at + 2, at + 6)), 16),
      )
      at += 6
    } else {
      const letter = bytes[at + 1] as number
      units += String.fromCharCode(shortEscapes.get(letter) ?? letter)
      at += 2
    }
  }
  return units
}

function compareCodePoints(one: string, other: string): number {
  for (let at = 0; ; at += 1) {
    const [a, b] = [one.codePointAt(at), other.codePointAt(at)]
    if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1
    if (a !== b) return a - b
    if (a > 0xffff) at += 1
  }
}

/** Compares two valid JSON strings, which begin at these quotes, by the code points that they stand for. */
export function compareKeys(bytes: Uint8Array, one: number, other: number): number {
  // The order of UTF-8 is that of code points.
  for (let at = 1; ; at += 1) {
    const [a, b] = [bytes[one + at] as number, bytes[other + at] as number]
    if (a === backslash || b === backslash)
      return compareCodePoints(unitsOf(bytes, one), unitsOf(bytes, other))
    if (a !== b) return a === quote ? -1 : b === quote ? 1 : a - b
    if (a === quote) return 0
  }
}
