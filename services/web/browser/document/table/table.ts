/** The full text of a cell; `null` if the row has no such cell. */
export type Cell = string | null

/** A table, at most `rowsMax` × `columnsMax`. Rows may be shorter than the header. */
export interface Table {
  readonly columns: readonly string[]
  readonly rowCount: number
  readonly omittedRows: number
  readonly omittedColumns: number
  /** How many cells a row has. */
  widthOf(row: number): number
  cell(row: number, column: number): Cell
  /** A text with all of a row, in which quotes may be doubled; `null` where cells are as quick to look at. */
  rowText(row: number): string | null
}

/** Further columns are only counted. */
export const columnsMax = 2_000

export const rowsMax = 200_000

/** Wide tables keep fewer rows, or a small document could fill the memory. */
export const cellsMax = 8_000_000

/** A table of rows that are in memory. */
export function tableOf(
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  omitted: { readonly rows: number; readonly columns: number } = { rows: 0, columns: 0 },
): Table {
  return {
    columns,
    rowCount: rows.length,
    omittedRows: omitted.rows,
    omittedColumns: omitted.columns,
    widthOf: (row) => rows[row]?.length ?? 0,
    cell: (row, column) => rows[row]?.[column] ?? null,
    rowText: () => null,
  }
}

/** Whether no cell of a row can match what has no quotes, by a look at the row alone. */
export function isWithout({ rowText }: Table, row: number, matches: (text: string) => boolean): boolean {
  const text = rowText(row)
  return text !== null && !matches(text)
}

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
export function numericColumns({ columns, rowCount, cell }: Table): readonly boolean[] {
  return columns.map((_name, column) => {
    let some = false
    for (let row = 0; row < rowCount; row += 1) {
      const text = cell(row, column)
      if (text === null || text === '') continue
      if (!number.test(text)) return false
      some = true
    }
    return some
  })
}
