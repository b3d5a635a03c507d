import { pointerTo } from '../../core/json-pointer.js'
import { comma } from '../../json-bytes/json-bytes.js'
import { createAligner } from '../align.js'
import type { Change, CompareOptions, Comparison } from '../comparison.js'
import { createIntMap } from '../int-map.js'
import { likelyKeys } from '../json/item-keys.js'
import { walkRuns } from '../walk-runs.js'
import { columnsOf, type SharedColumn } from './csv-columns.js'
import { csvDelimiter } from './csv-dialect.js'
import { type CsvRecords, cellText, readRecords, rowText } from './csv-records.js'
import { type CsvRows, csvRows } from './csv-rows.js'

/** The numbers of the cells of a shared column if each row has another one, else `null`. */
function distinctCells(table: CsvRows, inSecond: boolean, column: number): Uint32Array | null {
  const seen = createIntMap()
  const cells = new Uint32Array((inSecond ? table.newRows : table.rows).length)
  for (let row = 0; row < cells.length; row += 1) {
    const cell = table.cellOf(inSecond, row, column)
    if (cell === 0 || seen.get(cell) >= 0) return null
    seen.set(cell, 0)
    cells[row] = cell
  }
  return cells
}

/** The column that identifies rows: the wanted one, a likely one, or the first with a different value in each row. */
interface RowKeys {
  readonly column: number
  readonly keys: Uint32Array
  readonly newKeys: Uint32Array
}

function rowKeys(table: CsvRows, shared: readonly SharedColumn[], key: string | undefined): RowKeys | null {
  const named = [...(key === undefined ? [] : [key]), ...likelyKeys]
    .map((name) => shared.findIndex((column) => column.name === name))
    .filter((column) => column >= 0)
  for (const column of new Set([...named, ...shared.keys()])) {
    const keys = distinctCells(table, false, column)
    const newKeys = keys === null ? null : distinctCells(table, true, column)
    if (keys !== null && newKeys !== null) return { column, keys, newKeys }
  }
  return null
}

/** Collects changes up to a number of them, and counts the others. */
function changeList(maxChanges: number) {
  const changes: Change[] = []
  let count = 0
  return {
    changes,
    isTruncated: () => count > changes.length,
    add(change: () => Change): void {
      count += 1
      if (changes.length < maxChanges) changes.push(change())
    },
  }
}

function cellSaid(records: CsvRecords, row: number, column: number): string {
  const cell = (records.rowStarts[row + 1] ?? 0) + column
  return cell < (records.rowStarts[row + 2] ?? 0) ? cellText(records, cell) : ''
}

/** Compares two tables of CSV by their columns. Rows are counted without the header, which names the columns. */
export function compareCsv(
  first: Uint8Array,
  second: Uint8Array,
  { key, numbers, ignore = [] }: CompareOptions,
  maxChanges: number,
): Comparison {
  const records = readRecords(first, csvDelimiter(first) ?? comma)
  const newRecords = readRecords(second, csvDelimiter(second) ?? comma)
  const { shared, added: columnsAdded, removed: columnsRemoved } = columnsOf(records, newRecords, ignore)
  const table = csvRows(records, newRecords, shared, numbers === 'value')
  const keyed = rowKeys(table, shared, key)
  const keyColumn = keyed === null ? undefined : shared[keyed.column]
  const list = changeList(maxChanges)
  const counts = { added: 0, removed: 0, changed: 0 }
  const keyOf = (row: number): { key?: string } =>
    keyColumn === undefined ? {} : { key: cellSaid(records, row, keyColumn.column) }

  function pair(row: number, newRow: number): void {
    if (table.rows[row] === table.newRows[newRow]) return
    counts.changed += 1
    shared.forEach(({ name, column, newColumn }, at) => {
      if (table.cellOf(false, row, at) === table.cellOf(true, newRow, at)) return
      list.add(() => ({
        op: 'replace',
        pointer: pointerTo([row, name]),
        ...(row === newRow ? {} : { newPointer: pointerTo([newRow, name]) }),
        from: cellSaid(records, row, column),
        to: cellSaid(newRecords, newRow, newColumn),
        ...keyOf(row),
        column: name,
      }))
    })
  }
  const visitor = {
    remove(row: number): void {
      counts.removed += 1
      list.add(() => ({ op: 'remove', pointer: `/${row}`, from: rowText(records, row + 1), ...keyOf(row) }))
    },
    add(_row: number, newRow: number): void {
      counts.added += 1
      const keyText =
        keyColumn === undefined ? {} : { key: cellSaid(newRecords, newRow, keyColumn.newColumn) }
      list.add(() => ({ op: 'add', pointer: `/${newRow}`, to: rowText(newRecords, newRow + 1), ...keyText }))
    },
  }
  const same = (row: number, newRow: number, length: number): void => {
    for (let offset = 0; offset < length; offset += 1) pair(row + offset, newRow + offset)
  }
  const [ids, newIds] = keyed === null ? [table.rows, table.newRows] : [keyed.keys, keyed.newKeys]
  const runs = createAligner().align(ids, newIds)
  walkRuns(runs, ids.length, newIds.length, keyed === null ? { ...visitor, pair } : { ...visitor, same })
  const summary = { ...counts, columnsAdded, columnsRemoved }
  const isEqual = Object.values(summary).every(
    (found) => found === 0 || (Array.isArray(found) && found.length === 0),
  )
  return { equal: isEqual, as: 'csv', summary, changes: list.changes, truncated: list.isTruncated() }
}
