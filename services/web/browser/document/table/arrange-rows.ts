import type { RowArrangement } from '../document-reader.js'
import { type Cell, isWithout, type Table } from './table.js'

const collator = new Intl.Collator('en', { numeric: true })

/** Compares integers too long for a number by their digits. */
function compareDigits(one: string, other: string): number {
  const long = /^-?\d{16,1000}$/
  if (!long.test(one) || !long.test(other)) return 0
  const difference = BigInt(one) - BigInt(other)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** A rank for each row by the numbers of a column. */
function numericOrder(cells: readonly Cell[]): (one: number, other: number) => number {
  const numbers = Float64Array.from(cells, (cell) => Number(cell ?? Number.NaN))
  return (one, other) => {
    const left = numbers[one] ?? 0
    const right = numbers[other] ?? 0
    if (left !== right) return left < right ? -1 : 1
    return compareDigits(cells[one] ?? '', cells[other] ?? '')
  }
}

/** Compares each pair of distinct texts once, not once per pair of rows. */
function textOrder(cells: readonly Cell[]): (one: number, other: number) => number {
  const texts = [...new Set(cells)].map((cell) => cell ?? '').sort(collator.compare)
  const ranks = new Map(texts.map((text, rank) => [text, rank]))
  const ranked = Uint32Array.from(cells, (cell) => ranks.get(cell ?? '') ?? 0)
  return (one, other) => (ranked[one] ?? 0) - (ranked[other] ?? 0)
}

function isMissing(cell: Cell): boolean {
  return cell === null || cell === ''
}

/** Sorts rows by one column: missing values last in both directions, equal ones in document order. */
function sortRows(
  table: Table,
  rows: readonly number[],
  { column, descending }: { readonly column: number; readonly descending: boolean },
  isNumeric: boolean,
): readonly number[] {
  const cells = Array.from({ length: table.rowCount }, (_cell, row) => table.cell(row, column))
  const compare = isNumeric ? numericOrder(cells) : textOrder(cells)
  const present = rows.filter((row) => !isMissing(cells[row] ?? null))
  const missing = rows.filter((row) => isMissing(cells[row] ?? null))
  present.sort(descending ? (one, other) => compare(other, one) : compare)
  return present.concat(missing)
}

/** The row indexes that an arrangement shows, in order. */
export function arrangeRows(
  table: Table,
  numeric: readonly boolean[],
  { sort, filter }: RowArrangement,
): readonly number[] {
  const wanted = filter.toLowerCase()
  const holds = (text: string): boolean => text.toLowerCase().includes(wanted)
  const looksAtRows = !wanted.includes('"')
  const contains = (row: number): boolean => {
    if (looksAtRows && isWithout(table, row, holds)) return false
    const width = table.widthOf(row)
    for (let column = 0; column < width; column += 1) if (holds(table.cell(row, column) ?? '')) return true
    return false
  }
  const rows: number[] = []
  for (let row = 0; row < table.rowCount; row += 1) if (wanted === '' || contains(row)) rows.push(row)
  return sort === null ? rows : sortRows(table, rows, sort, numeric[sort.column] === true)
}
