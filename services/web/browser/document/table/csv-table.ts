import Papa from 'papaparse'
import { csvDelimiter } from './looks-like-csv.js'
import { columnsMax, keptRows, type Table } from './table.js'

/** Reads CSV whose first row names the columns. Longer rows add unnamed columns. */
export function csvTable(csv: string): Table {
  const kept = keptRows()
  let header: readonly string[] | null = null
  let widest = 0
  let omittedRows = 0
  Papa.parse<readonly string[]>(csv.replace(/\r?\n$|\r$/, ''), {
    delimiter: csvDelimiter(csv) ?? ',',
    step: ({ data }) => {
      if (header === null) header = data
      else if (!kept.keep(data.slice(0, columnsMax))) omittedRows += 1
      if (data.length > widest) widest = data.length
    },
  })
  const width = Math.min(widest, columnsMax)
  const names: readonly string[] = header ?? []
  const columns = Array.from({ length: width }, (_name, column) => names[column] ?? '')
  return { columns, rows: kept.rows, omittedRows, omittedColumns: widest - width }
}
