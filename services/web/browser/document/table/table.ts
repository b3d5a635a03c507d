/** A cell's whole text; `null` where a row has none. */
export type Cell = string | null

/** A table in memory, which is at most `rowsMax` rows of `columnsMax` columns. */
export interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  readonly omittedRows: number
  readonly omittedColumns: number
}

/** More rows are counted and left out. */
export const rowsMax = 200_000

/** More columns are counted and left out. */
export const columnsMax = 2_000

const number = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*$/

/** Whether a column holds nothing but numbers, and at least one. */
export function isNumericColumn({ rows }: Table, column: number): boolean {
  let some = false
  for (const row of rows) {
    const cell = row[column] ?? ''
    if (cell === '') continue
    if (!number.test(cell)) return false
    some = true
  }
  return some
}
