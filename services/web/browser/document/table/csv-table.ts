import Papa from 'papaparse'
import { csvDelimiter } from './looks-like-csv.js'
import { type Cell, columnsMax, rowsMax, type Table } from './table.js'

/** The width of the widest row; a row of its own for each that is shorter than that. */
function padded(rows: readonly (readonly string[])[], width: number): readonly (readonly Cell[])[] {
  return rows.map((row) =>
    row.length === width ? row : Array.from({ length: width }, (_cell, column): Cell => row[column] ?? null),
  )
}

/** Reads CSV whose first row names the columns. A row with more cells adds columns without a name. */
export function csvTable(csv: string): Table {
  const rows: (readonly string[])[] = []
  let header: readonly string[] | null = null
  let widest = 0
  let omittedRows = 0
  let last: readonly string[] = []
  Papa.parse<readonly string[]>(csv, {
    delimiter: csvDelimiter(csv) ?? ',',
    step: ({ data }) => {
      last = data
      if (header === null) header = data
      else if (rows.length < rowsMax) rows.push(data)
      else omittedRows += 1
      if (data.length > widest) widest = data.length
    },
  })
  // What follows the last line break is no row.
  if (last.length === 1 && last[0] === '') {
    if (omittedRows > 0) omittedRows -= 1
    else rows.pop()
  }
  const width = Math.min(widest, columnsMax)
  const names: readonly string[] = header ?? []
  const columns = Array.from({ length: width }, (_name, column) => names[column] ?? '')
  return { columns, rows: padded(rows, width), omittedRows, omittedColumns: widest - width }
}
