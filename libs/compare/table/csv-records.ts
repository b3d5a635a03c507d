import { textBetween } from '../../json-bytes/json-bytes.js'

/** A table of CSV by its cells. */
export interface CsvRecords {
  readonly bytes: Uint8Array
  /** Where each cell begins and ends, quotes included. */
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  /** The first cell of each row, and then the number of cells. */
  readonly rowStarts: Uint32Array
  readonly rowCount: number
}

const doubleQuote = 0x22
const lineFeed = 0x0a
const carriageReturn = 0x0d

/** The end of the cell that begins at `start`; an unclosed quote extends to the end of the text. */
function cellEnd(bytes: Uint8Array, start: number, delimiter: number): number {
  let at = start
  if (bytes[at] === doubleQuote) {
    for (at += 1; at < bytes.length; at += 1) {
      const close = bytes.indexOf(doubleQuote, at)
      if (close < 0) return bytes.length
      at = close + 1
      // Two quotes are one that is part of the cell.
      if (bytes[at] !== doubleQuote) break
    }
  }
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === delimiter || byte === lineFeed || byte === carriageReturn) break
  }
  return Math.min(at, bytes.length)
}

/** Where the next row begins, if a row ends at `at`. */
function afterBreak(bytes: Uint8Array, at: number): number {
  return bytes[at] === carriageReturn && bytes[at + 1] === lineFeed ? at + 2 : at + 1
}

/** How many cells and rows there are at most. */
function sizes(bytes: Uint8Array, delimiter: number): { readonly cells: number; readonly rows: number } {
  let [cells, rows] = [1, 1]
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === delimiter) cells += 1
    else if (byte === lineFeed || byte === carriageReturn) rows += 1
  }
  return { cells: cells + rows, rows }
}

/** Reads the rows of a text, or the first of them. Empty lines are no rows. */
export function readRecords(
  bytes: Uint8Array,
  delimiter: number,
  rowsMax = Number.POSITIVE_INFINITY,
): CsvRecords {
  const most = sizes(bytes, delimiter)
  const starts = new Uint32Array(most.cells)
  const ends = new Uint32Array(most.cells)
  const rowStarts = new Uint32Array(most.rows + 1)
  let [at, cell, row] = [0, 0, 0]
  while (at < bytes.length && row < rowsMax) {
    const byte = bytes[at]
    if (byte === lineFeed || byte === carriageReturn) {
      at = afterBreak(bytes, at)
      continue
    }
    rowStarts[row++] = cell
    for (;;) {
      const end = cellEnd(bytes, at, delimiter)
      starts[cell] = at
      ends[cell++] = end
      at = end + 1
      if (bytes[end] === delimiter) continue
      if (end < bytes.length) at = afterBreak(bytes, end)
      break
    }
  }
  rowStarts[row] = cell
  return { bytes, starts, ends, rowStarts, rowCount: row }
}

/** The text of a cell from its bytes, without the quotes around it and with each pair of quotes as one. */
export function saidBytes(bytes: Uint8Array, start: number, end: number): Uint8Array {
  if (bytes[start] !== doubleQuote) return bytes.subarray(start, end)
  const said = new Uint8Array(end - start)
  let to = 0
  let isInside = true
  for (let at = start + 1; at < end; at += 1) {
    const byte = bytes[at] ?? 0
    if (isInside && byte === doubleQuote) {
      if (bytes[at + 1] !== doubleQuote) {
        isInside = false
        continue
      }
      at += 1
    }
    said[to++] = byte
  }
  return said.subarray(0, to)
}

/** The text of a cell. */
export function cellText({ bytes, starts, ends }: CsvRecords, cell: number): string {
  const said = saidBytes(bytes, starts[cell] ?? 0, ends[cell] ?? 0)
  return textBetween(said, 0, said.length)
}

/** The exact text of a row, without what ends it. */
export function rowText({ bytes, starts, ends, rowStarts }: CsvRecords, row: number): string {
  return textBetween(bytes, starts[rowStarts[row] ?? 0] ?? 0, ends[(rowStarts[row + 1] ?? 1) - 1] ?? 0)
}
