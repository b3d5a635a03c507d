import { CompareError } from '../comparison.js'
import { createIntMap } from '../int-map.js'
import { likelyKeys } from '../json/item-keys.js'
import { createTupleIds, keyNames, looksLikeIdentifier, quotedNames } from '../key-names.js'
import type { SharedColumn } from './csv-columns.js'
import type { CsvRows } from './csv-rows.js'

/** The columns that identify rows together, by their places among those that both tables have, and what each row has. */
export interface RowKeys {
  readonly columns: readonly number[]
  readonly isGuessed: boolean
  readonly keys: Uint32Array
  readonly newKeys: Uint32Array
}

/** Two rows with the same cells, or one of which a cell is empty. */
interface Unidentified {
  readonly row: number
  readonly earlier: number | null
}

type NumberTuple = ReturnType<typeof createTupleIds>

/** A number for the cells of these columns in each row, if each row has others. */
function distinctCells(
  table: CsvRows,
  inSecond: boolean,
  columns: readonly number[],
  numberOf: NumberTuple,
): Uint32Array | Unidentified {
  const seen = createIntMap()
  const cells = new Uint32Array((inSecond ? table.newRows : table.rows).length)
  for (let row = 0; row < cells.length; row += 1) {
    const found = columns.map((column) => table.cellOf(inSecond, row, column))
    if (found.includes(0)) return { row, earlier: null }
    const number = numberOf(found)
    const earlier = seen.get(number)
    if (earlier >= 0) return { row, earlier }
    seen.set(number, row)
    cells[row] = number
  }
  return cells
}

function keysOf(
  table: CsvRows,
  columns: readonly number[],
  isGuessed: boolean,
): RowKeys | (Unidentified & { readonly inSecond: boolean }) {
  const numberOf = createTupleIds()
  const keys = distinctCells(table, false, columns, numberOf)
  if ('row' in keys) return { ...keys, inSecond: false }
  const newKeys = distinctCells(table, true, columns, numberOf)
  return 'row' in newKeys ? { ...newKeys, inSecond: true } : { columns, isGuessed, keys, newKeys }
}

/** By the columns that the caller has named. */
function wantedKeys(table: CsvRows, shared: readonly SharedColumn[], key: string): RowKeys {
  const names = keyNames(key)
  const columns = names.map((name) => shared.findIndex((one) => one.name === name))
  const missing = names.find((_name, at) => columns[at] === -1)
  if (missing !== undefined)
    throw new CompareError(
      'key_not_found',
      `The column ${JSON.stringify(missing)} is not compared, or not in both tables.`,
    )
  const found = keysOf(table, columns, false)
  if ('keys' in found) return found
  const { row, earlier, inSecond } = found
  const document = inSecond ? 'second' : 'first'
  const refused =
    columns.length === 1
      ? `The column ${quotedNames(names)} does not identify rows:`
      : `The columns ${quotedNames(names)} do not identify rows:`
  if (earlier === null)
    throw new CompareError(
      'key_not_found',
      `${refused} ${columns.length === 1 ? 'it' : 'one'} is empty in /${row} of the ${document} table.`,
      document,
    )
  const rows = `/${earlier} and /${row} of the ${document} table`
  throw new CompareError('key_not_unique', `${refused} ${rows} have the same.`, document)
}

/**
 * By what the rows of two tables are identified: the named columns, else a likely one, else the first that is named like
 * an identifier and has a different value in each row; `null` where there is none.
 * @throws CompareError if the named columns do not identify rows.
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
  const others = [...shared.keys()].filter((at) => looksLikeIdentifier(shared[at]?.name ?? ''))
  for (const column of new Set([...likely, ...others])) {
    const found = keysOf(table, [column], true)
    if ('keys' in found) return found
  }
  return null
}
