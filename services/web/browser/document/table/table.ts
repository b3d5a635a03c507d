/** A cell's whole text; `null` where a row has none. */
export type Cell = string | null

/** A table in memory, which is at most `rowsMax` rows of `columnsMax` columns. Rows may end before the last column. */
export interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  readonly omittedRows: number
  readonly omittedColumns: number
}

/** More columns are counted and left out. */
export const columnsMax = 2_000

const rowsMax = 200_000

/** Wide tables keep fewer rows, or a small document could fill the memory. */
const cellsMax = 8_000_000

/** Rows that are kept as long as there is room for them, and counted from then on. */
export interface KeptRows {
  readonly rows: readonly (readonly Cell[])[]
  /** `false` when there is no more room. */
  keep(row: readonly Cell[]): boolean
}

/** Makes room for the rows of a table. */
export function keptRows(): KeptRows {
  const rows: (readonly Cell[])[] = []
  let cells = 0
  return {
    rows,
    keep(row) {
      cells += row.length
      if (rows.length === rowsMax || cells > cellsMax) {
        cells = cellsMax
        return false
      }
      rows.push(row)
      return true
    },
  }
}

const number = /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?\s*$/

/** Which columns hold nothing but numbers, and at least one. */
export function numericColumns({ columns, rows }: Table): readonly boolean[] {
  const some = new Uint8Array(columns.length)
  const others = new Uint8Array(columns.length)
  for (const row of rows)
    for (const [column, cell] of row.entries()) {
      if (cell === null || cell === '' || others[column] === 1) continue
      if (number.test(cell)) some[column] = 1
      else others[column] = 1
    }
  return columns.map((_name, column) => some[column] === 1 && others[column] === 0)
}
