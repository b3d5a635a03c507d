import { type CsvRecords, cellText, rowText } from '../../csv/csv-records.js'
import { pointerTo } from '../../json-pointer.js'
import { createAligner } from '../align.js'
import type { CompareOptions, Comparison } from '../comparison.js'
import { createChangeList } from '../comparison.js'
import { createIntMap } from '../int-map.js'
import { walkKeyed } from '../walk-keyed.js'
import { walkRuns } from '../walk-runs.js'
import { columnsOf } from './csv-columns.js'
import { csvRows } from './csv-rows.js'
import { csvTables } from './csv-tables.js'
import { rowKeys } from './row-keys.js'

/** The text of a cell of a row, without the header; empty beyond the row's last. */
export function textAt(records: CsvRecords, row: number, column: number): string {
  const cell = (records.rowStarts[row + 1] ?? 0) + column
  return cell < (records.rowStarts[row + 2] ?? 0) ? cellText(records, cell) : ''
}

/**
 * Compares two tables of CSV by their columns. Rows are counted without the header, which names the columns.
 * @throws CompareError if a text is not CSV, or the key is no column of both tables or does not identify their rows.
 */
export function compareCsv(first: Uint8Array, second: Uint8Array, options: CompareOptions): Comparison {
  const { key, ignore = [] } = options
  const [records, newRecords] = csvTables(first, second, options)
  const { shared, added: columnsAdded, removed: columnsRemoved } = columnsOf(records, newRecords, ignore)
  const table = csvRows(records, newRecords, shared, options)
  const keyed = rowKeys(table, shared, key)
  const keyColumns = (keyed?.columns ?? []).flatMap((at) => shared[at] ?? [])
  const list = createChangeList(options)
  const counts = { added: 0, removed: 0, changed: 0, moved: 0 }
  const keyText = (cells: readonly string[]): { key?: string } => {
    const [only, ...more] = cells
    if (only === undefined) return {}
    return { key: more.length === 0 ? only : JSON.stringify(cells) }
  }
  const keyOf = (row: number): { key?: string } =>
    keyText(keyColumns.map(({ column }) => textAt(records, row, column)))

  function pair(row: number, newRow: number, isMoved = false): void {
    if (isMoved) {
      counts.moved += 1
      list.add(() => ({ op: 'move', pointer: `/${row}`, newPointer: `/${newRow}`, ...keyOf(row) }))
    }
    if (table.rows[row] === table.newRows[newRow]) return
    counts.changed += 1
    shared.forEach(({ name, column, newColumn }, at) => {
      if (table.cellOf(false, row, at) === table.cellOf(true, newRow, at)) return
      list.add(() => ({
        op: 'replace',
        pointer: pointerTo([row, name]),
        ...(row === newRow ? {} : { newPointer: pointerTo([newRow, name]) }),
        from: textAt(records, row, column),
        to: textAt(newRecords, newRow, newColumn),
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
      const key = keyText(keyColumns.map(({ newColumn }) => textAt(newRecords, newRow, newColumn)))
      list.add(() => ({ op: 'add', pointer: `/${newRow}`, to: rowText(newRecords, newRow + 1), ...key }))
    },
  }
  const [ids, newIds] = keyed === null ? [table.rows, table.newRows] : [keyed.keys, keyed.newKeys]
  const runs = createAligner().align(ids, newIds)
  if (keyed === null) walkRuns(runs, ids.length, newIds.length, { ...visitor, pair })
  else walkKeyed(runs, ids, newIds, createIntMap(), { ...visitor, pair })
  const summary = { ...counts, columnsAdded, columnsRemoved }
  const isEqual = Object.values(summary).every(
    (found) => found === 0 || (Array.isArray(found) && found.length === 0),
  )
  const guessedKeys = keyed?.isGuessed === true ? keyColumns.map(({ name }) => name) : []
  return {
    equal: isEqual,
    as: 'csv',
    guessedKeys,
    summary,
    changes: list.changes,
    truncated: list.isTruncated(),
  }
}
