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
import { type Cell, isWithout, numericColumns, type Table } from './table.js'

/** Queries on a table. */
export interface TableReader {
  shape(): TableShape
  rows(query: RowQuery): RowPage
  cell(row: number, column: number): string | null
  positionOf(row: number, arrangement: RowArrangement): number | null
  findCell(wanted: Wanted, arrangement: RowArrangement, from: CellPosition | null): CellPosition | null
}

/** The page gets the beginning of longer cells. */
const cellLengthMax = 500

function cutCell(cell: Cell): Cell {
  if (cell === null) return null
  return cell.length <= cellLengthMax ? cell : `${cell.slice(0, cellLengthMax)}…`
}

/** Finds matching cells in reading order. */
function searchCells(
  table: Table,
  order: readonly number[],
  wanted: Wanted,
  from: CellPosition | null,
): CellPosition | null {
  const width = table.columns.length
  if (wanted.text === '' || order.length === 0) return null
  const pattern = wantedPattern(wanted.text, wanted.caseSensitive)
  const step = wanted.backwards ? -1 : 1
  const holds = (text: string): boolean => {
    pattern.lastIndex = 0
    return pattern.test(text)
  }
  const looksAtRows = !wanted.text.includes('"')
  const matches = (row: number, at: number): boolean => holds(table.cell(row, at) ?? '')
  // The header is before the first row, and is not searched.
  const start = from !== null && from.position >= 0 ? from : null
  const { backwards } = wanted
  let position = start?.position ?? (backwards ? order.length - 1 : 0)
  let column = start === null ? (backwards ? width - 1 : 0) : start.column + step
  // One row more than there are: the rest of the first row comes last.
  for (let rows = 0; rows <= order.length; rows += 1) {
    const row = order[position] ?? 0
    const last = Math.min(width, table.widthOf(row)) - 1
    const isPassed = looksAtRows && isWithout(table, row, holds)
    for (
      column = Math.min(column, backwards ? last : last + 1);
      !isPassed && column >= 0 && column <= last;
      column += step
    )
      if (matches(row, column)) return { position, column, row }
    position = (position + step + order.length) % order.length
    column = backwards ? width - 1 : 0
  }
  return null
}

/** Reads a table. The most recent arrangement is cached. */
export function tableReader(table: Table): TableReader {
  const numeric = numericColumns(table)
  let kept: { readonly key: string; readonly order: readonly number[] } | null = null
  const orderOf = ({ sort, filter }: RowArrangement): readonly number[] => {
    const key = JSON.stringify([sort?.column, sort?.descending, filter])
    if (kept?.key !== key) kept = { key, order: arrangeRows(table, numeric, { sort, filter }) }
    return kept.order
  }
  const rowAt = (index: number): Row => ({
    index,
    cells: table.columns.map((_name, column) => cutCell(table.cell(index, column))),
  })
  return {
    shape: () => ({
      columns: table.columns,
      numeric: numeric,
      rowCount: table.rowCount,
      omittedRows: table.omittedRows,
      omittedColumns: table.omittedColumns,
    }),
    rows: (query) => {
      const order = orderOf(query)
      return { rows: order.slice(query.from, query.from + query.count).map(rowAt), total: order.length }
    },
    cell: table.cell,
    positionOf: (row, arrangement) => {
      const position = orderOf(arrangement).indexOf(row)
      return position < 0 ? null : position
    },
    findCell: (wanted, arrangement, from) => searchCells(table, orderOf(arrangement), wanted, from),
  }
}
