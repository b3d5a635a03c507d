import type { DiffRow, DiffShape, DiffSide } from '../document-reader.js'
import { compareLines, type LinePairs } from './compare-lines.js'
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
function rowsReader(rows: Rows, isRough: boolean): DiffReader {
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
    shape: (isFolded) => ({ rowCount: isFolded ? folded.length : rows.count, added, removed, isRough }),
    rows: (isFolded, from, count) =>
      isFolded
        ? Array.from(folded.subarray(from, from + count), (at) =>
            at < 0 ? foldOf(-at) : drawnRow(rows.at(at)),
          )
        : drawnFrom(from, count),
  }
}

/** Reads lines of two texts side by side, each line when it is requested. */
export function pairedLines(
  { left, right, isSame, isRough }: LinePairs,
  leftLine: (line: number) => string,
  rightLine: (line: number) => string,
): DiffReader {
  const lineAt = (
    line: number | undefined,
    read: (line: number) => string,
  ): readonly [number, string] | null => (line === undefined || line < 0 ? null : [line + 1, read(line)])
  const rows: Rows = {
    count: isSame.length,
    isSame: (at) => isSame[at] === 1,
    at: (at) => ({
      left: lineAt(left[at], leftLine),
      right: lineAt(right[at], rightLine),
      isSame: isSame[at] === 1,
    }),
  }
  return rowsReader(rows, isRough)
}

function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r\n|[\n\r]/)
  // A text that ends with a line break has no empty line after it.
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** Compares two texts by lines, and by words within lines. */
export function textsDiff(left: string, right: string): DiffReader {
  const [leftLines, rightLines] = [linesOf(left), linesOf(right)]
  const lineOf =
    (lines: readonly string[]) =>
    (line: number): string =>
      lines[line] ?? ''
  return pairedLines(compareLines(leftLines, rightLines), lineOf(leftLines), lineOf(rightLines))
}

/** The two sides of a patch, with a heading for each file and each hunk. */
export function patchDiff(patch: string): DiffReader {
  const rows = parsePatch(linesOf(patch))
  return rowsReader(
    {
      count: rows.length,
      isSame: (at) => {
        const row = rows[at]
        return row !== undefined && !('heading' in row) && row.isSame
      },
      at: (at) => rows[at] ?? { heading: '' },
    },
    false,
  )
}
