import { createIntList } from '#engine/compare/int-list.js'
import { textBetween } from '#engine/json-bytes/json-bytes.js'
import type { Line } from '../document-reader.js'

/** UTF-8 text and the offset of each line; there is always a first line. */
export interface LinedText {
  readonly bytes: Uint8Array
  readonly starts: Int32Array
}

/** UTF-16 units shown of a line at most. */
const lineLengthMax = 10_000

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** The length of the line break at this offset, 0 if there is none. U+2028 and U+2029 count as well. */
function breakAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at]
  if (byte === lineFeed) return 1
  if (byte === carriageReturn) return bytes[at + 1] === lineFeed ? 2 : 1
  return byte === 0xe2 && bytes[at + 1] === 0x80 && ((bytes[at + 2] ?? 0) & 0xfe) === 0xa8 ? 3 : 0
}

export function indexLines(bytes: Uint8Array): LinedText {
  const starts = createIntList()
  starts.push(0)
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte !== lineFeed && byte !== carriageReturn && byte !== 0xe2) continue
    const length = breakAt(bytes, at)
    if (length === 0) continue
    at += length - 1
    starts.push(at + 1)
  }
  return { bytes, starts: starts.values() }
}

/** The number of UTF-16 units of a range of UTF-8. */
function unitsBetween(bytes: Uint8Array, start: number, end: number): number {
  let units = 0
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0
    if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1
  }
  return units
}

/** Where a line ends, without its line break. */
function lineEnd({ bytes, starts }: LinedText, line: number): number {
  const next = starts[line + 1]
  if (next === undefined) return bytes.length
  for (const length of [3, 2, 1]) if (breakAt(bytes, next - length) === length) return next - length
  return next
}

function cutLine({ bytes }: LinedText, start: number, end: number): Line {
  if (end - start <= lineLengthMax) return { text: textBetween(bytes, start, end), cutLength: 0 }
  // A unit takes at most three bytes: this many cover all that is shown, and may end within a character.
  const head = textBetween(bytes, start, Math.min(end, start + (lineLengthMax + 1) * 3))
  const text = head.slice(0, lineLengthMax).replace(/[\ud800-\udbff]$/, '')
  return { text, cutLength: unitsBetween(bytes, start, end) - text.length }
}

/** Lines from this index on; fewer at the end of the text. */
export function linesOf(text: LinedText, from: number, count: number): readonly Line[] {
  const lines: Line[] = []
  const end = Math.min(text.starts.length, from + count)
  for (let line = from; line < end; line += 1)
    lines.push(cutLine(text, text.starts[line] ?? 0, lineEnd(text, line)))
  return lines
}
