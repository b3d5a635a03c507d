import type {
  CellPosition,
  Row,
  RowArrangement,
  RowPage,
  RowQuery,
  TableShape,
  Wanted,
} from '../document-reader.js'
import { wantedPattern } from '../text/wanted-pattern.js'
import { arrangeRows } from './arrange-rows.js'
import { isNumericColumn, type Table } from './table.js'

/** Answers what is asked of a table. */
export interface TableReader {
  shape(): TableShape
  rows(query: RowQuery): RowPage
  cell(row: number, column: number): string | null
  positionOf(row: number, arrangement: RowArrangement): number | null
  findCell(wanted: Wanted, arrangement: RowArrangement, from: CellPosition | null): CellPosition | null
}

/** Of a longer cell the page gets the beginning. */
const cellLengthMax = 500

function cutCell(cell: string | null | undefined): string | null {
  if (cell === undefined || cell === null) return null
  return cell.length <= cellLengthMax ? cell : `${cell.slice(0, cellLengthMax)}…`
}

/** Finds cells in the order in which they are read: row by row, from left to right. */
function searchCells(
  table: Table,
  order: readonly number[],
  wanted: Wanted,
  from: CellPosition | null,
): CellPosition | null {
  const width = table.columns.length
  const cells = order.length * width
  if (wanted.text === '' || cells === 0) return null
  const pattern = wantedPattern(wanted.text, wanted.caseSensitive)
  const step = wanted.backwards ? -1 : 1
  const before = wanted.backwards ? 0 : -1
  const start = from === null ? before : from.position * width + from.column
  for (let steps = 1; steps <= cells; steps += 1) {
    const place = (((start + step * steps) % cells) + cells) % cells
    const position = Math.floor(place / width)
    const row = order[position] ?? 0
    pattern.lastIndex = 0
    if (pattern.test(table.rows[row]?.[place % width] ?? '')) return { position, column: place % width, row }
  }
  return null
}

/** Reads a table; the order that was asked for last is kept. */
export function tableReader(table: Table): TableReader {
  let kept: { readonly key: string; readonly order: readonly number[] } | null = null
  const orderOf = ({ sort, filter }: RowArrangement): readonly number[] => {
    const key = JSON.stringify([sort?.column, sort?.descending, filter])
    if (kept?.key !== key) kept = { key, order: arrangeRows(table, { sort, filter }) }
    return kept.order
  }
  const rowAt = (index: number): Row => ({
    index,
    cells: table.columns.map((_name, column) => cutCell(table.rows[index]?.[column])),
  })
  return {
    shape: () => ({
      columns: table.columns,
      numeric: table.columns.map((_name, column) => isNumericColumn(table, column)),
      rowCount: table.rows.length,
      omittedRows: table.omittedRows,
      omittedColumns: table.omittedColumns,
    }),
    rows: (query) => {
      const order = orderOf(query)
      return { rows: order.slice(query.from, query.from + query.count).map(rowAt), total: order.length }
    },
    cell: (row, column) => table.rows[row]?.[column] ?? null,
    positionOf: (row, arrangement) => {
      const position = orderOf(arrangement).indexOf(row)
      return position < 0 ? null : position
    },
    findCell: (wanted, arrangement, from) => searchCells(table, orderOf(arrangement), wanted, from),
  }
}
