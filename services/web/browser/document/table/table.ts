/** The full text of a cell; `null` if the row has no such cell. */
export type Cell = string | null

/** A table in memory, at most `rowsMax` × `columnsMax`. Rows may be shorter than the header. */
export interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  readonly omittedRows: number
  readonly omittedColumns: number
}

/** Further columns are only counted. */
export const columnsMax = 2_000

const rowsMax = 200_000

/** Wide tables keep fewer rows, or a small document could fill the memory. */
const cellsMax = 8_000_000

/** Keeps rows while there is room, and then only counts them. */
export interface KeptRows {
  readonly rows: readonly (readonly Cell[])[]
  /** `false` when there is no more room. */
  keep(row: readonly Cell[]): boolean
}

/** Collects the rows of a table. */
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

/** Which columns hold only numbers, at least one of them. */
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
