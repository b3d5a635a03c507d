import type { DiffRow, DiffShape, DiffSide } from '../document-reader.js'
import { compareLines } from './compare-lines.js'
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

/** The rows to show when unchanged stretches are folded: their indexes, or -n for a fold of n rows. */
function foldedRows(rows: readonly RawRow[]): Int32Array {
  const isNear = new Uint8Array(rows.length)
  rows.forEach((row, at) => {
    if (!('heading' in row) && row.isSame) return
    isNear.fill(1, Math.max(0, at - contextLines), at + contextLines + 1)
  })
  const kept: number[] = []
  for (let at = 0; at < rows.length; ) {
    let end = at
    while (end < rows.length && isNear[end] === 0) end += 1
    if (end - at >= foldedLinesMin) kept.push(at - end)
    else for (let row = at; row < end; row += 1) kept.push(row)
    if (end < rows.length) kept.push(end)
    at = end + 1
  }
  return Int32Array.from(kept)
}

/** Reads rows. The words of a row are compared when it is first read. */
function rowsReader(rows: readonly RawRow[], isRough: boolean): DiffReader {
  const folded = foldedRows(rows)
  let [added, removed] = [0, 0]
  for (const row of rows) {
    if ('heading' in row || row.isSame) continue
    if (row.right !== null) added += 1
    if (row.left !== null) removed += 1
  }
  const rowAt = (at: number): readonly DiffRow[] => {
    const row = rows[at]
    return row === undefined ? [] : [drawnRow(row)]
  }
  return {
    shape: (isFolded) => ({ rowCount: isFolded ? folded.length : rows.length, added, removed, isRough }),
    rows: (isFolded, from, count) =>
      isFolded
        ? Array.from(folded.subarray(from, from + count), (at) => (at < 0 ? [foldOf(-at)] : rowAt(at))).flat()
        : rows.slice(from, from + count).map(drawnRow),
  }
}

function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r\n|[\n\r]/)
  // A text that ends with a line break has no empty line after it.
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** Compares two texts by lines, and by words within lines. */
export function textsDiff(left: string, right: string): DiffReader {
  const [leftLines, rightLines] = [linesOf(left), linesOf(right)]
  const pairs = compareLines(leftLines, rightLines)
  const lineAt = (lines: readonly string[], at: number): readonly [number, string] | null =>
    at < 0 ? null : [at + 1, lines[at] ?? '']
  const rows = Array.from(pairs.isSame, (isSame, row) => ({
    left: lineAt(leftLines, pairs.left[row] ?? -1),
    right: lineAt(rightLines, pairs.right[row] ?? -1),
    isSame: isSame === 1,
  }))
  return rowsReader(rows, pairs.isRough)
}

/** The two sides of a patch, with a heading for each file and each hunk. */
export function patchDiff(patch: string): DiffReader {
  return rowsReader(parsePatch(linesOf(patch)), false)
}
