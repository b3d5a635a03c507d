import type { CsvReader } from '../../csv/csv-reader.js'
import { textBetween } from '../../json-bytes/json-bytes.js'
import { isJsonNumber } from '../json/json-number.js'
import { OutputBuffer } from '../output-buffer.js'
import { ToolInputError } from '../tool-input-error.js'
import { type CsvStyle, CsvWriter } from './csv-writer.js'
import { type CsvInput, convertRows } from './read-csv.js'

/** Where a cell begins. */
function startOf({ ends }: CsvReader, cell: number): number {
  return cell === 0 ? 0 : (ends[cell - 1] as number)
}

/** The places of the wanted columns; of several with one name, the first ones first. */
function placesOf(reader: CsvReader, columns: readonly string[], hasHeader: boolean): readonly number[] {
  const found = new Map(columns.map((column): [string, number[]] => [column, []]))
  for (let cell = 0; cell < reader.cellCount; cell += 1) {
    const name = hasHeader
      ? textBetween(reader.bytes, startOf(reader, cell), reader.ends[cell] as number)
      : String(cell + 1)
    const places = found.get(name)
    if (places !== undefined && places.length < columns.length) places.push(cell)
  }
  return columns.map((column) => {
    const place = found.get(column)?.shift()
    if (place === undefined) throw new ToolInputError('column_unknown', `There is no column "${column}".`)
    return place
  })
}

/** Writes rows in another style; without `columns`, with all of their cells but empty ones at the end beyond the header. */
export function formatCsv(
  input: AsyncIterable<Uint8Array>,
  options: {
    readonly from: CsvInput
    readonly hasHeader: boolean
    readonly columns: readonly string[]
    readonly style: CsvStyle
  },
): AsyncIterable<Uint8Array> {
  const { columns, hasHeader, style } = options
  const out = new OutputBuffer()
  const writer = new CsvWriter(out, style)
  let places: readonly number[] | null = null
  let named = hasHeader ? 0 : Number.POSITIVE_INFINITY

  function widthOf(reader: CsvReader): number {
    let width = reader.cellCount
    if (named === 0) named = width
    while (width > named && startOf(reader, width - 1) === reader.ends[width - 1]) width -= 1
    return width
  }

  function putCell(reader: CsvReader, cell: number): void {
    const { bytes, ends } = reader
    const [start, end] = cell < reader.cellCount ? [startOf(reader, cell), ends[cell] as number] : [0, 0]
    writer.cell(bytes, start, end, style.guardsFormulas && isJsonNumber(bytes, start, end))
  }

  function row(reader: CsvReader): void {
    if (columns.length === 0) {
      const width = widthOf(reader)
      for (let cell = 0; cell < width; cell += 1) putCell(reader, cell)
    } else {
      places ??= placesOf(reader, columns, hasHeader)
      for (const place of places) putCell(reader, place)
    }
    writer.endRow()
  }

  return convertRows(input, options.from, out, { row, end: () => {} })
}
