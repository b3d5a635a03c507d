import { text } from '../../texts/text.js'
import type { ChangeKind, RowChange } from '../document/changes.js'
import type { PartQueries } from '../document/document-messages.js'
import type { CellPosition, RowArrangement } from '../document/document-reader.js'
import { type Cell, tableOf } from '../document/table/table.js'
import { tableReader } from '../document/table/table-reader.js'
import { changeName } from './change-words.js'

/** The queries of a table of changes. */
export type TableQueries = Pick<PartQueries, 'table' | 'rows' | 'cell' | 'positionOf' | 'findCell'>

/** A row that has changed, as it is now; of one that was removed as it was. */
export interface ChangedRow extends RowChange {
  readonly cells: readonly Cell[]
}

/** The rows of two tables that differ. */
export interface ChangedRows {
  readonly columns: readonly string[]
  readonly rows: readonly ChangedRow[]
}

/** The columns of a row that changes are gone to: those that differ, or the first one of a row that is new or gone. */
function changedColumns({ kind, before }: ChangedRow): readonly number[] {
  return kind === 'changed'
    ? Object.keys(before)
        .map(Number)
        .sort((one, other) => one - other)
    : [0]
}

/** The changes as cells, in the order in which rows are shown. */
function changesOf(
  rows: readonly ChangedRow[],
  positions: (row: number) => number | null,
): readonly CellPosition[] {
  return rows
    .flatMap((changed, row) => {
      const position = positions(row)
      return position === null
        ? []
        : changedColumns(changed).map((column): CellPosition => ({ position, column, row }))
    })
    .sort((one, other) => one.position - other.position || one.column - other.column)
}

function isAfter(one: CellPosition, other: CellPosition): boolean {
  return one.position > other.position || (one.position === other.position && one.column > other.column)
}

/** Reads the table of the rows that differ, and goes from one change to the next in whatever order it is shown. */
export function changeTable({ columns, rows }: ChangedRows): TableQueries {
  const ownRows = rows.map(({ cells }) => cells)
  const table = tableReader(tableOf(columns, ownRows))
  let kept: { readonly key: string; readonly changes: readonly CellPosition[] } | null = null
  const changesIn = (arrangement: RowArrangement): readonly CellPosition[] => {
    const key = JSON.stringify([arrangement.sort?.column, arrangement.sort?.descending, arrangement.filter])
    if (kept?.key === key) return kept.changes
    const { rows: shown } = table.rows({ ...arrangement, from: 0, count: rows.length })
    const positions = new Map(shown.map(({ index }, position) => [index, position]))
    const changes = changesOf(rows, (row) => positions.get(row) ?? null)
    kept = { key, changes }
    return changes
  }
  const nextChange = (
    arrangement: RowArrangement,
    from: CellPosition | null,
    backwards: boolean,
  ): CellPosition | null => {
    const changes = changesIn(arrangement)
    const last = changes.length - 1
    let index = backwards ? last : 0
    if (from !== null && from.position >= 0) {
      index = backwards
        ? changes.findLastIndex((one) => isAfter(from, one))
        : changes.findIndex((one) => isAfter(one, from))
      if (index < 0) index = backwards ? last : 0
    }
    const found = changes[index]
    return found === undefined ? null : { ...found, index, total: changes.length }
  }

  return {
    table: table.shape,
    rows: (query) => {
      const page = table.rows(query)
      const withChange = page.rows.map((row) => {
        const changed = rows[row.index]
        if (changed === undefined) return row
        const { cells: _cells, ...change } = changed
        return { ...row, change }
      })
      return { rows: withChange, total: page.total }
    },
    cell: table.cell,
    positionOf: table.positionOf,
    findCell: (wanted, arrangement, from) =>
      wanted.isChange === true
        ? nextChange(arrangement, from, wanted.backwards)
        : table.findCell(wanted, arrangement, from),
  }
}

/** Puts what is known of a row together; `broken` are the cells that a contract does not allow, none of a row as a whole. */
export function changedRow(
  kind: ChangeKind,
  number: number,
  cells: readonly Cell[],
  before: Readonly<Record<number, Cell>> = {},
  broken: readonly number[] | null = null,
): ChangedRow {
  const breaks = broken === null ? {} : { breaks: { word: text('compare.breaks'), columns: broken } }
  return { kind, name: changeName(kind, broken !== null), number, cells, before, ...breaks }
}
