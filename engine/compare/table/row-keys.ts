import { CompareError } from '../comparison.js'
import { createIntMap } from '../int-map.js'
import { likelyKeys } from '../json/item-keys.js'
import type { SharedColumn } from './csv-columns.js'
import type { CsvRows } from './csv-rows.js'

/** The column that identifies rows, by its place among those that both tables have, and its cell in each row. */
export interface RowKeys {
  readonly column: number
  readonly keys: Uint32Array
  readonly newKeys: Uint32Array
}

/** Two rows with the same cell, or one whose cell is empty. */
interface Unidentified {
  readonly row: number
  readonly earlier: number | null
}

/** The numbers of the cells of a column, if each row has another one. */
function distinctCells(table: CsvRows, inSecond: boolean, column: number): Uint32Array | Unidentified {
  const seen = createIntMap()
  const cells = new Uint32Array((inSecond ? table.newRows : table.rows).length)
  for (let row = 0; row < cells.length; row += 1) {
    const cell = table.cellOf(inSecond, row, column)
    if (cell === 0) return { row, earlier: null }
    const earlier = seen.get(cell)
    if (earlier >= 0) return { row, earlier }
    seen.set(cell, row)
    cells[row] = cell
  }
  return cells
}

function keysOf(table: CsvRows, column: number): RowKeys | (Unidentified & { readonly inSecond: boolean }) {
  const keys = distinctCells(table, false, column)
  if ('row' in keys) return { ...keys, inSecond: false }
  const newKeys = distinctCells(table, true, column)
  return 'row' in newKeys ? { ...newKeys, inSecond: true } : { column, keys, newKeys }
}

/** By the column that the caller has named. */
function wantedKeys(table: CsvRows, shared: readonly SharedColumn[], key: string): RowKeys {
  const name = JSON.stringify(key)
  const column = shared.findIndex((one) => one.name === key)
  if (column < 0)
    throw new CompareError('key_not_found', `The column ${name} is not compared, or not in both tables.`)
  const found = keysOf(table, column)
  if ('keys' in found) return found
  const { row, earlier, inSecond } = found
  const document = inSecond ? 'second' : 'first'
  const refused = `The column ${name} does not identify rows:`
  if (earlier === null)
    throw new CompareError(
      'key_not_found',
      `${refused} it is empty in /${row} of the ${document} table.`,
      document,
    )
  const rows = `/${earlier} and /${row} of the ${document} table`
  throw new CompareError('key_not_unique', `${refused} ${rows} have the same.`, document)
}

/**
 * By what the rows of two tables are identified: the named column, else a likely one, else the first with a different
 * value in each row; `null` where there is none.
 * @throws CompareError if the named column does not identify rows.
 */
export function rowKeys(
  table: CsvRows,
  shared: readonly SharedColumn[],
  key: string | undefined,
): RowKeys | null {
  if (key !== undefined) return wantedKeys(table, shared, key)
  const likely = likelyKeys
    .map((name) => shared.findIndex((column) => column.name === name))
    .filter((column) => column >= 0)
  for (const column of new Set([...likely, ...shared.keys()])) {
    const found = keysOf(table, column)
    if ('keys' in found) return found
  }
  return null
}
