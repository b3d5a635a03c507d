import { textBetween } from '../json-bytes/json-bytes.js'
import { CsvReader } from './csv-reader.js'
import type { CsvReading } from './csv-reading.js'

/** A table of CSV by where its cells are. */
export interface CsvRecords {
  readonly bytes: Uint8Array
  /** Where each cell begins and ends, quotes included. */
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  /** The first cell of each row, and then the number of cells. */
  readonly rowStarts: Uint32Array
  readonly rowCount: number
  /** The rows that limits left out. */
  readonly omittedRows: number
  /** The cells of the widest row, without empty ones beyond the header. */
  readonly width: number
}

/** How much of a table is kept. What is beyond is read, too. */
export interface RecordLimits {
  /** Without the header. */
  readonly rows: number
  readonly cells: number
  readonly columns: number
}

const doubleQuote = 0x22
const lineFeed = 0x0a
const carriageReturn = 0x0d
const noLimits: RecordLimits = { rows: Number.MAX_SAFE_INTEGER, cells: 2 ** 32 - 1, columns: 2 ** 32 - 1 }

/** How many cells and rows there are at most. */
function sizes(bytes: Uint8Array, separator: number): { readonly cells: number; readonly rows: number } {
  let [cells, rows] = [1, 1]
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === separator) cells += 1
    else if (byte === lineFeed || byte === carriageReturn) rows += 1
  }
  return { cells: cells + rows, rows }
}

/**
 * Reads a whole table.
 * @throws ToolInputError at a quote that is wrong, unless it is lenient.
 */
export function readRecords(
  bytes: Uint8Array,
  reading: Omit<CsvReading, 'keeps' | 'trims'>,
  limits: RecordLimits = noLimits,
): CsvRecords {
  const text = bytes.subarray(reading.start?.offset ?? 0)
  const most = sizes(text, reading.separator)
  const starts = new Uint32Array(Math.min(most.cells, limits.cells))
  const ends = new Uint32Array(starts.length)
  const rowStarts = new Uint32Array(Math.min(most.rows, limits.rows + 1) + 1)
  const reader = new CsvReader({ ...reading, keeps: 'offsets' })
  let [cell, row, omittedRows, width] = [0, 0, 0, 0]

  const isEmpty = (at: number): boolean =>
    cellBytes(bytes, reader.starts[at] ?? 0, reader.ends[at] ?? 0).length === 0
  const takeRow = (): void => {
    let filled = reader.cellCount
    while (row > 0 && filled > width && isEmpty(filled - 1)) filled -= 1
    width = Math.max(width, filled)
    const kept = Math.min(reader.cellCount, limits.columns)
    if (omittedRows > 0 || row > limits.rows || cell + kept > starts.length) {
      omittedRows += 1
      return
    }
    rowStarts[row++] = cell
    for (let at = 0; at < kept; at += 1) {
      starts[cell] = reader.starts[at] ?? 0
      ends[cell++] = reader.ends[at] ?? 0
    }
  }
  for (let at = 0; at < text.length; ) {
    at = reader.read(text, at)
    if (reader.hasRow) takeRow()
  }
  reader.end()
  if (reader.hasRow) takeRow()
  rowStarts[row] = cell
  return { bytes, starts, ends, rowStarts, rowCount: row, omittedRows, width }
}

/**
 * The text of a cell from its bytes, without the quotes around it and with each pair of quotes as one. A cell whose
 * quotes are wrong is kept to the letter.
 */
export function cellBytes(bytes: Uint8Array, start: number, end: number): Uint8Array {
  if (bytes[start] !== doubleQuote) return bytes.subarray(start, end)
  const said = new Uint8Array(end - start)
  let to = 0
  for (let at = start + 1; at < end; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === doubleQuote) {
      if (at === end - 1) return said.subarray(0, to)
      // Two quotes are one that is part of the cell.
      at += 1
      if (at === end || bytes[at] !== doubleQuote) break
    }
    said[to++] = byte
  }
  return bytes.subarray(start, end)
}

/** The text of a cell. */
export function cellText({ bytes, starts, ends }: CsvRecords, cell: number): string {
  const [start, end] = [starts[cell] ?? 0, ends[cell] ?? 0]
  if (bytes[start] !== doubleQuote) return textBetween(bytes, start, end)
  const said = cellBytes(bytes, start, end)
  return textBetween(said, 0, said.length)
}

/** The exact text of a row, without what ends it. */
export function rowText({ bytes, starts, ends, rowStarts }: CsvRecords, row: number): string {
  return textBetween(bytes, starts[rowStarts[row] ?? 0] ?? 0, ends[(rowStarts[row + 1] ?? 1) - 1] ?? 0)
}
