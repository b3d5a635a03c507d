import { lastAtMost } from '#engine/count-while.js'
import type {
  CellPosition,
  Row,
  RowArrangement,
  RowPage,
  RowQuery,
  TableShape,
  Wanted,
} from '../document-reader.js'
import { type MatchesAround, nextMatch } from '../text/next-match.js'
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

/** Further matches are neither counted nor reachable. */
const matchesMax = 1_000_000

/** The cells that match in reading order, each as one number: its position in the order, and its column. */
function allMatches(table: Table, order: readonly number[], wanted: Wanted): readonly number[] {
  const width = table.columns.length
  const pattern = wantedPattern(wanted.text, wanted.caseSensitive)
  const holds = (text: string): boolean => {
    pattern.lastIndex = 0
    return pattern.test(text)
  }
  const looksAtRows = !wanted.text.includes('"')
  const found: number[] = []
  for (let position = 0; position < order.length && found.length < matchesMax; position += 1) {
    const row = order[position] ?? 0
    if (looksAtRows && isWithout(table, row, holds)) continue
    const cells = Math.min(width, table.widthOf(row))
    for (let column = 0; column < cells; column += 1)
      if (holds(table.cell(row, column) ?? '')) found.push(position * width + column)
  }
  return found
}

/** The matches around a cell. The header is before the first row, and is not searched. */
function around(matches: readonly number[], from: CellPosition | null, width: number): MatchesAround | null {
  if (from === null || from.position < 0) return null
  const at = from.position * width + from.column
  return { before: lastAtMost(matches, at - 1) + 1, through: lastAtMost(matches, at) + 1 }
}

/** The key of what is arranged the same. */
function keyOf({ sort, filter }: RowArrangement): string {
  return JSON.stringify([sort?.column, sort?.descending, filter])
}

/** Reads a table. The most recent arrangement and the last search are cached. */
export function tableReader(table: Table): TableReader {
  const numeric = numericColumns(table)
  let kept: { readonly key: string; readonly order: readonly number[] } | null = null
  let searched: { readonly key: string; readonly matches: readonly number[] } | null = null
  const orderOf = (arrangement: RowArrangement): readonly number[] => {
    const key = keyOf(arrangement)
    if (kept?.key !== key) kept = { key, order: arrangeRows(table, numeric, arrangement) }
    return kept.order
  }
  const findCell: TableReader['findCell'] = (wanted, arrangement, from) => {
    if (wanted.text === '') return null
    const order = orderOf(arrangement)
    const key = `${keyOf(arrangement)} ${wanted.caseSensitive} ${wanted.text}`
    if (searched?.key !== key) searched = { key, matches: allMatches(table, order, wanted) }
    const { matches } = searched
    const [width, total] = [table.columns.length, matches.length]
    const index = nextMatch(total, wanted, around(matches, from, width))
    const found = matches[index]
    if (found === undefined) return null
    const position = Math.floor(found / width)
    return { position, column: found % width, row: order[position] ?? 0, index, total }
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
    findCell,
  }
}
