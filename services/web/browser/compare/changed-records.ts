import type { Change, CompareOptions } from '#engine/compare/comparison.js'
import { csvTables } from '#engine/compare/table/csv-tables.js'
import { type CsvRecords, cellText } from '#engine/csv/csv-records.js'
import { stepsOf } from '#engine/json-pointer.js'
import { type Cell, columnsMax } from '../document/table/table.js'
import { type ChangedRow, type ChangedRows, changedRow } from './change-table.js'

/** Some rows of a CSV by their index, counted from 0 without the header. */
interface SomeRecords {
  readonly columns: readonly string[]
  readonly records: ReadonlyMap<number, readonly string[]>
}

/** The header and these rows of a CSV. */
function someRecords(records: CsvRecords, wanted: Iterable<number>): SomeRecords {
  const rowAt = (row: number): readonly string[] => {
    const first = records.rowStarts[row] ?? 0
    const count = Math.min((records.rowStarts[row + 1] ?? first) - first, columnsMax)
    return Array.from({ length: count }, (_cell, column) => cellText(records, first + column))
  }
  return {
    columns: records.rowCount === 0 ? [] : rowAt(0),
    records: new Map([...wanted].map((row) => [row, rowAt(row + 1)])),
  }
}

/** The row that a pointer leads to or into. */
function rowOf(pointer: string): number {
  return Number(stepsOf(pointer)?.[0] ?? Number.NaN)
}

/** The change of each row, by its place in the second table, or in the first if it was removed. */
interface RowChanges {
  readonly removed: readonly number[]
  readonly added: ReadonlySet<number>
  /** Its cells; none of a row that has only moved. */
  readonly changed: ReadonlyMap<number, readonly Change[]>
  /** In the order of the changes. */
  readonly order: readonly (readonly ['removed' | 'added' | 'changed', number])[]
}

function rowChanges(changes: readonly Change[]): RowChanges {
  const added = new Set<number>()
  const removed: number[] = []
  const changed = new Map<number, Change[]>()
  const order: (readonly ['removed' | 'added' | 'changed', number])[] = []
  for (const change of changes) {
    const { op, pointer, newPointer, column } = change
    const row = rowOf(newPointer ?? pointer)
    if (column !== undefined || op === 'replace') {
      const known = changed.get(row)
      if (known === undefined) order.push(['changed', row])
      changed.set(row, [...(known ?? []), change])
    } else if (op === 'move') {
      changed.set(row, [])
      order.push(['changed', row])
    } else if (op === 'add') {
      added.add(row)
      order.push(['added', row])
    } else {
      removed.push(row)
      order.push(['removed', row])
    }
  }
  return { removed, added, changed, order }
}

const rowKinds = { add: 'added', remove: 'removed', replace: 'changed', move: 'changed' } as const

/** The rows of two CSVs that differ, by the columns of the second and those that only the first has. */
export function changedRecords(
  a: Uint8Array,
  b: Uint8Array,
  changes: readonly Change[],
  reading: Pick<CompareOptions, 'quotes' | 'comment' | 'skip'> = {},
  broken: ReadonlySet<Change> = new Set(),
): ChangedRows {
  const { removed, added, changed, order } = rowChanges(changes)
  const [records, newRecords] = csvTables(a, b, reading)
  const before = someRecords(records, removed)
  const after = someRecords(newRecords, [...added, ...changed.keys()])
  const columns = [...after.columns, ...before.columns.filter((name) => !after.columns.includes(name))]
  const places = new Map(columns.map((name, column) => [name, column]))

  const oldCells = (record: readonly string[]): readonly Cell[] => {
    const cells: Cell[] = columns.map(() => null)
    record.forEach((cell, column) => {
      const place = places.get(before.columns[column] ?? '')
      if (place !== undefined) cells[place] = cell
    })
    return cells
  }
  /** The rows of each kind of which something is broken, with its columns. */
  const brokenRows = new Map<string, number[]>()
  for (const { op, pointer, newPointer, column } of broken) {
    const name = `${rowKinds[op]} ${rowOf(newPointer ?? pointer)}`
    const place = places.get(column ?? '')
    brokenRows.set(name, [...(brokenRows.get(name) ?? []), ...(place === undefined ? [] : [place])])
  }
  const rowAt = ([kind, number]: readonly ['removed' | 'added' | 'changed', number]): ChangedRow => {
    const brokenCells = brokenRows.get(`${kind} ${number}`) ?? null
    if (kind === 'removed')
      return changedRow(kind, number, oldCells(before.records.get(number) ?? []), {}, brokenCells)
    const cells = after.records.get(number) ?? []
    if (kind === 'added') return changedRow(kind, number, cells, {}, brokenCells)
    const cellChanges = changed.get(number) ?? []
    if (cellChanges.length === 0) return changedRow('moved', number, cells, {}, brokenCells)
    const differing = cellChanges.flatMap(({ column = '', from }): [number, Cell][] => {
      const place = places.get(column)
      return place === undefined ? [] : [[place, from ?? null]]
    })
    return changedRow(kind, number, cells, Object.fromEntries(differing), brokenCells)
  }
  return { columns, rows: order.map(rowAt) }
}
