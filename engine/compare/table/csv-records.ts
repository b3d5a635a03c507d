import { CsvError } from '../../csv/csv-error.js'
import { CsvReader } from '../../csv/csv-reader.js'
import { findSeparator, oneColumn, type Separation, separatorUnclear } from '../../csv/find-separator.js'
import { textBetween } from '../../json-bytes/json-bytes.js'
import { CompareError } from '../comparison.js'

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

function readRecords(bytes: Uint8Array, start: number, isDeclared: boolean, separator: number): CsvRecords {
  const most = sizes(bytes, separator)
  const starts = new Uint32Array(most.cells)
  const ends = new Uint32Array(most.cells)
  const rowStarts = new Uint32Array(most.rows + 1)
  const line = isDeclared ? 2 : 1
  const reader = new CsvReader({ separator, keeps: 'offsets', start: { offset: start, line } })
  const text = bytes.subarray(start)
  let [cell, row] = [0, 0]
  const takeRow = (): void => {
    rowStarts[row++] = cell
    for (let at = 0; at < reader.cellCount; at += 1) {
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
  return { bytes, starts, ends, rowStarts, rowCount: row }
}

/** The separator of a table; where none is to be seen, as in a header alone, that of the other. */
function separatorOf(one: Separation, other: Separation): number | null {
  if (one.separator !== null && one.separator !== oneColumn) return one.separator
  const { separator } = other
  const mayBe = one.separator === oneColumn || (separator !== null && one.candidates.includes(separator))
  return mayBe && separator !== null ? separator : one.separator
}

/**
 * Reads two tables by their own separators.
 * @throws CompareError `invalid_csv` with the place of a quote that is wrong, or if it is unclear what separates cells.
 */
export function csvTables(first: Uint8Array, second: Uint8Array): readonly [CsvRecords, CsvRecords] {
  const separations = [findSeparator(first), findSeparator(second)] as const
  const read = (bytes: Uint8Array, at: 0 | 1): CsvRecords => {
    const own = separations[at]
    try {
      const separator = separatorOf(own, separations[at === 0 ? 1 : 0])
      if (separator === null)
        throw separatorUnclear(own.candidates, 'A first line such as "sep=;" names the separator.')
      return readRecords(bytes, own.start, own.isDeclared, separator)
    } catch (error) {
      if (!(error instanceof CsvError)) throw error
      const { position, message } = error
      const place = position === null ? '' : ` at line ${position.line}, column ${position.column}`
      const document = at === 0 ? 'first' : 'second'
      throw new CompareError('invalid_csv', `The ${document} table is not CSV${place}: ${message}`, document)
    }
  }
  return [read(first, 0), read(second, 1)]
}

/** The text of a cell from its bytes, without the quotes around it and with each pair of quotes as one. */
export function cellBytes(bytes: Uint8Array, start: number, end: number): Uint8Array {
  if (bytes[start] !== doubleQuote) return bytes.subarray(start, end)
  const said = new Uint8Array(end - start)
  let to = 0
  for (let at = start + 1; at < end - 1; at += 1) {
    const byte = bytes[at] ?? 0
    // Two quotes are one that is part of the cell.
    if (byte === doubleQuote) at += 1
    said[to++] = byte
  }
  return said.subarray(0, to)
}

/** The text of a cell. */
export function cellText({ bytes, starts, ends }: CsvRecords, cell: number): string {
  const said = cellBytes(bytes, starts[cell] ?? 0, ends[cell] ?? 0)
  return textBetween(said, 0, said.length)
}

/** The exact text of a row, without what ends it. */
export function rowText({ bytes, starts, ends, rowStarts }: CsvRecords, row: number): string {
  return textBetween(bytes, starts[rowStarts[row] ?? 0] ?? 0, ends[(rowStarts[row + 1] ?? 1) - 1] ?? 0)
}
