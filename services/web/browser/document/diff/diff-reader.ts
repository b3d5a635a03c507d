import {
  commonLines,
  lineCount,
  lineText,
  readLines,
  type TextLines,
} from '#engine/compare/text/text-lines.js'
import { walkRuns } from '#engine/compare/walk-runs.js'
import type { DiffRow, DiffShape, DiffSide } from '../document-reader.js'
import { compareWords } from './compare-words.js'
import { parsePatch, type RawRow } from './parse-patch.js'

export interface DiffReader {
  shape(isFolded: boolean): DiffShape
  rows(isFolded: boolean, from: number, count: number): readonly DiffRow[]
}

/** Unchanged lines shown around a change, and how many more are needed for a fold. */
const contextLines = 3
const foldedLinesMin = 4

/** UTF-16 units shown of a line at most. */
const lengthMax = 10_000

function cut(text: string): { readonly text: string; readonly cutLength: number } {
  return { text: text.slice(0, lengthMax), cutLength: Math.max(0, text.length - lengthMax) }
}

function sideOf([number, text]: readonly [number, string]): DiffSide {
  const { text: shown, cutLength } = cut(text)
  return { number, pieces: [{ text: shown, isChanged: false }], cutLength }
}

function drawnRow(row: RawRow): DiffRow {
  if ('heading' in row) {
    const { text, cutLength } = cut(row.heading)
    return {
      change: 'heading',
      left: { number: null, pieces: [{ text, isChanged: false }], cutLength },
      right: null,
    }
  }
  const { left, right, isSame } = row
  if (left === null || right === null) {
    const change = left === null ? 'added' : 'removed'
    return { change, left: left && sideOf(left), right: right && sideOf(right) }
  }
  const [one, other] = [sideOf(left), sideOf(right)]
  if (isSame) return { change: 'same', left: one, right: other }
  const [leftPieces, rightPieces] = compareWords(cut(left[1]).text, cut(right[1]).text)
  return { change: 'changed', left: { ...one, pieces: leftPieces }, right: { ...other, pieces: rightPieces } }
}

function foldOf(hidden: number): DiffRow {
  const side: DiffSide = { number: hidden, pieces: [], cutLength: 0 }
  return { change: 'fold', left: side, right: null }
}

/** Rows by their numbers, made when they are asked for. */
interface Rows {
  readonly count: number
  isSame(at: number): boolean
  at(at: number): RawRow
}

/** The rows that stay when those far from any change are folded: their numbers, or how many a fold hides as -n. */
function foldedRows({ count, isSame }: Rows): Int32Array {
  const isNear = new Uint8Array(count)
  for (let at = 0; at < count; at += 1)
    if (!isSame(at)) isNear.fill(1, Math.max(0, at - contextLines), at + contextLines + 1)
  const kept: number[] = []
  for (let at = 0; at < count; ) {
    let end = at
    while (end < count && isNear[end] === 0) end += 1
    if (end - at >= foldedLinesMin) kept.push(at - end)
    else for (let row = at; row < end; row += 1) kept.push(row)
    if (end < count) kept.push(end)
    at = end + 1
  }
  return Int32Array.from(kept)
}

/** Reads the rows; the words of a row are compared when it is first read. */
function rowsReader(rows: Rows): DiffReader {
  const folded = foldedRows(rows)
  let [added, removed] = [0, 0]
  for (let at = 0; at < rows.count; at += 1) {
    const row = rows.isSame(at) ? null : rows.at(at)
    if (row === null || 'heading' in row) continue
    if (row.right !== null) added += 1
    if (row.left !== null) removed += 1
  }
  const drawnFrom = (from: number, count: number): readonly DiffRow[] =>
    Array.from({ length: Math.max(0, Math.min(count, rows.count - from)) }, (_row, place) =>
      drawnRow(rows.at(from + place)),
    )
  return {
    shape: (isFolded) => ({ rowCount: isFolded ? folded.length : rows.count, added, removed }),
    rows: (isFolded, from, count) =>
      isFolded
        ? Array.from(folded.subarray(from, from + count), (at) =>
            at < 0 ? foldOf(-at) : drawnRow(rows.at(at)),
          )
        : drawnFrom(from, count),
  }
}

function withoutBreak(line: string): string {
  return line.replace(/\r?\n$/, '')
}

/** The lines of two texts beside one another, as a comparison finds them; each is read when it is requested. */
export function linesDiff(first: Uint8Array, second: Uint8Array): DiffReader {
  const [lines, newLines] = [readLines(first), readLines(second)]
  const [count, newCount] = [lineCount(lines), lineCount(newLines)]
  const left = new Int32Array(count + newCount).fill(-1)
  const right = new Int32Array(count + newCount).fill(-1)
  const isSame = new Uint8Array(count + newCount)
  let rows = 0
  const put = (at: number, newAt: number): void => {
    left[rows] = at
    right[rows] = newAt
    rows += 1
  }
  walkRuns(commonLines(lines, newLines), count, newCount, {
    same(at, newAt, length) {
      isSame.fill(1, rows, rows + length)
      for (let offset = 0; offset < length; offset += 1) put(at + offset, newAt + offset)
    },
    pair: put,
    remove: (at) => put(at, -1),
    add: (_at, newAt) => put(-1, newAt),
  })
  const sideOfRow = (text: TextLines, line = -1): readonly [number, string] | null =>
    line < 0 ? null : [line + 1, withoutBreak(lineText(text, line))]
  return rowsReader({
    count: rows,
    isSame: (at) => isSame[at] === 1,
    at: (at) => ({
      left: sideOfRow(lines, left[at]),
      right: sideOfRow(newLines, right[at]),
      isSame: isSame[at] === 1,
    }),
  })
}

/** The two sides of a patch, with a heading for each file and each hunk. */
export function patchDiff(patch: string): DiffReader {
  const lines = patch.split(/\r\n|[\n\r]/)
  // A text that ends with a line break has no empty line after it.
  const rows = parsePatch(lines.at(-1) === '' ? lines.slice(0, -1) : lines)
  return rowsReader({
    count: rows.length,
    isSame: (at) => {
      const row = rows[at]
      return row !== undefined && !('heading' in row) && row.isSame
    },
    at: (at) => rows[at] ?? { heading: '' },
  })
}
