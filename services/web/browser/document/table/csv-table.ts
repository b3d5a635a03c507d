import { type CsvRecords, cellText, readRecords, rowText } from '#engine/csv/csv-records.js'
import { findSeparator, separatorUnclear } from '#engine/csv/find-separator.js'
import type { TextPosition } from '#engine/line-counter.js'
import { ToolInputError } from '#engine/tools/tool-input-error.js'
import { cellsMax, columnsMax, rowsMax, type Table } from './table.js'

/** How the reader wants CSV to be read. */
export interface CsvChoice {
  /** A byte of ASCII; `null` to find it. */
  readonly separator: number | null
  /** Whether cells whose quotes are wrong are kept to the letter, instead of refusing all. */
  readonly isLenient: boolean
}

/** What a reader gets who has chosen nothing. */
export const strictCsv: CsvChoice = { separator: null, isLenient: false }

/** How a text was read as CSV, or why it was not. */
export interface CsvDecision {
  readonly choice: CsvChoice
  /** The byte that separates cells, or `oneColumn`; `null` where it is unclear. */
  readonly separator: number | null
  /** Whether the first line of the text names it. */
  readonly isDeclared: boolean
  /** Why the text was not read; `null` if it was. */
  readonly refusal: { readonly message: string; readonly position: TextPosition | null } | null
}

/** A text read as CSV: its table, unless it was refused. */
export interface CsvContent {
  readonly decision: CsvDecision
  readonly table: Table | null
}

/** The table of these records: the first row names the columns, and longer rows add unnamed ones. */
function tableOfRecords(all: CsvRecords): Table {
  const { rowStarts, rowCount } = all
  const width = Math.min(all.width, columnsMax)
  const text = (cell: number): string => cellText(all, cell)
  const widthOf = (row: number): number =>
    Math.min(width, (rowStarts[row + 2] ?? 0) - (rowStarts[row + 1] ?? 0))
  const named = rowCount === 0 ? 0 : (rowStarts[1] ?? 0)
  return {
    columns: Array.from({ length: width }, (_name, column) => (column < named ? text(column) : '')),
    rowCount: Math.max(0, rowCount - 1),
    omittedRows: all.omittedRows,
    omittedColumns: all.width - width,
    widthOf,
    rowText: (row) => rowText(all, row + 1),
    cell: (row, column) => (column < widthOf(row) ? text((rowStarts[row + 1] ?? 0) + column) : null),
  }
}

/** Reads CSV by where its cells are in the bytes, which stay as they are. */
export function readCsv(bytes: Uint8Array, choice: CsvChoice): CsvContent {
  const found = findSeparator(bytes)
  const separator = choice.separator ?? found.separator
  const decided = { choice, separator, isDeclared: found.isDeclared && choice.separator === null }
  try {
    if (separator === null) throw separatorUnclear(found.candidates, 'Choose the separator.')
    const start = { offset: found.start, line: found.isDeclared ? 2 : 1 }
    const limits = { rows: rowsMax, cells: cellsMax, columns: columnsMax }
    const records = readRecords(bytes, { separator, isLenient: choice.isLenient, start }, limits)
    return { decision: { ...decided, refusal: null }, table: tableOfRecords(records) }
  } catch (error) {
    if (!(error instanceof ToolInputError)) throw error
    const { message, position } = error
    return { decision: { ...decided, refusal: { message, position } }, table: null }
  }
}
