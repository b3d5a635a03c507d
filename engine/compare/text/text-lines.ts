import { textBetween } from '../../json-bytes/json-bytes.js'
import { createAligner } from '../align.js'
import { drawSeed, hashOf, sameBytes } from '../byte-hash.js'
import { createIdTable } from '../id-table.js'
import { createProgressMeter } from '../progress-meter.js'

/** A text by its lines, each with the line feed that ends it. */
export interface TextLines {
  readonly bytes: Uint8Array
  /** Where each line begins, and then where the text ends. */
  readonly starts: Uint32Array
}

const lineFeed = 0x0a

/** Finds the lines of a text. An empty text has none. */
export function readLines(bytes: Uint8Array): TextLines {
  let count = 0
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === lineFeed) count += 1
  const isOpen = bytes.length > 0 && bytes[bytes.length - 1] !== lineFeed
  const starts = new Uint32Array(count + (isOpen ? 2 : 1))
  let line = 1
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === lineFeed) starts[line++] = at + 1
  if (isOpen) starts[line] = bytes.length
  return { bytes, starts }
}

/** How many lines there are. */
export function lineCount({ starts }: TextLines): number {
  return starts.length - 1
}

/** A line with its line feed. */
export function lineText({ bytes, starts }: TextLines, line: number): string {
  return textBetween(bytes, starts[line] ?? 0, starts[line + 1] ?? 0)
}

/** A number for each line of two texts, the same one for equal lines. */
export function lineIds(
  first: TextLines,
  second: TextLines,
  onProgress?: (share: number) => void,
): readonly [Uint32Array, Uint32Array] {
  const seed = drawSeed()
  const newFrom = lineCount(first)
  const textOf = (line: number): readonly [TextLines, number] =>
    line < newFrom ? [first, line] : [second, line - newFrom]
  const table = createIdTable((known, candidate) => {
    const [one, line] = textOf(known)
    const [other, otherLine] = textOf(candidate)
    const [start, end] = [one.starts[line] ?? 0, one.starts[line + 1] ?? 0]
    const [otherStart, otherEnd] = [other.starts[otherLine] ?? 0, other.starts[otherLine + 1] ?? 0]
    return sameBytes(one.bytes, start, end, other.bytes, otherStart, otherEnd)
  })
  const meter = createProgressMeter(onProgress, newFrom + lineCount(second))
  const idsOf = ({ bytes, starts }: TextLines, from: number): Uint32Array => {
    const ids = new Uint32Array(starts.length - 1)
    for (let line = 0; line < ids.length; line += 1) {
      meter.at(from + line)
      ids[line] = table.idOf(hashOf(seed, bytes, starts[line] ?? 0, starts[line + 1] ?? 0), from + line)
    }
    return ids
  }
  return [idsOf(first, 0), idsOf(second, newFrom)]
}

/** The runs of lines that two texts have in common, as an aligner gives them. */
export function commonLines(
  first: TextLines,
  second: TextLines,
  onProgress?: (share: number) => void,
): Int32Array {
  const [ids, newIds] = lineIds(first, second, onProgress)
  return createAligner().align(ids, newIds)
}
