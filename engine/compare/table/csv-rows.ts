import { type CsvRecords, cellBytes } from '../../csv/csv-records.js'
import { jsonNumber } from '../../json-bytes/json-number.js'
import { drawSeed, type HashSeed, hashOf, hashWith, sameBytes } from '../byte-hash.js'
import type { CompareOptions } from '../comparison.js'
import { createIdTable } from '../id-table.js'
import { createIntMap } from '../int-map.js'
import { canonicalNumber } from '../json/canonical-scalar.js'
import { createProgressMeter } from '../progress-meter.js'
import type { SharedColumn } from './csv-columns.js'

/** The rows of two tables, without their headers: rows and cells with the same number say the same. */
export interface CsvRows {
  /** The number of the cell of a row in a shared column, by the place of the column among them; 0 for an empty one. */
  cellOf(inSecond: boolean, row: number, column: number): number
  /** A number for each row. */
  readonly rows: Uint32Array
  readonly newRows: Uint32Array
}

/** The text by which a cell is compared; numbers are spelled in one way if their value counts. */
function comparedBytes(bytes: Uint8Array, start: number, end: number, byValue: boolean): Uint8Array {
  const said = cellBytes(bytes, start, end)
  if (!byValue || said.length === 0 || (said[0] ?? 0) > 0x39) return said
  const text = new TextDecoder().decode(said)
  return jsonNumber.test(text) ? new TextEncoder().encode(canonicalNumber(text)) : said
}

/** Numbers for the cells of both tables, those of the second behind those of the first; 0 for empty ones. */
function numberCells(
  tables: readonly [CsvRecords, CsvRecords],
  seed: HashSeed,
  byValue: boolean,
  onProgress: CompareOptions['onProgress'],
): Uint32Array {
  const [records, newRecords] = tables
  const own = records.rowStarts[records.rowCount] ?? 0
  const said = (cell: number): Uint8Array => {
    const [table, at] = cell < own ? [records, cell] : [newRecords, cell - own]
    return comparedBytes(table.bytes, table.starts[at] ?? 0, table.ends[at] ?? 0, byValue)
  }
  const table = createIdTable((known, candidate) => {
    const [one, other] = [said(known), said(candidate)]
    return sameBytes(one, 0, one.length, other, 0, other.length)
  })
  const ids = new Uint32Array(own + (newRecords.rowStarts[newRecords.rowCount] ?? 0))
  const meter = createProgressMeter(onProgress, ids.length)
  for (let cell = 0; cell < ids.length; cell += 1) {
    meter.at(cell)
    const bytes = said(cell)
    ids[cell] = bytes.length === 0 ? 0 : table.idOf(hashOf(seed, bytes, 0, bytes.length), cell)
  }
  return ids
}

/** Gives numbers to the rows and cells of two tables. Columns that are not shared do not count. */
export function csvRows(
  records: CsvRecords,
  newRecords: CsvRecords,
  shared: readonly SharedColumn[],
  { numbers, onProgress }: Pick<CompareOptions, 'numbers' | 'onProgress'>,
): CsvRows {
  const seed = drawSeed()
  const ids = numberCells([records, newRecords], seed, numbers === 'value', onProgress)
  const own = records.rowStarts[records.rowCount] ?? 0
  const rowsBefore = Math.max(0, records.rowCount - 1)
  /** The place of each column among those that are shared. */
  const [places, newPlaces] = [createIntMap(), createIntMap()]
  shared.forEach(({ column, newColumn }, at) => {
    places.set(column, at)
    newPlaces.set(newColumn, at)
  })

  /** Visits the cells of a row that are shared and not empty, in both tables in turn. */
  function eachCell(row: number, visit: (place: number, cell: number, id: number) => void): void {
    const isOwn = row < rowsBefore
    const [table, at, placeOf] = isOwn
      ? ([records, row + 1, places] as const)
      : ([newRecords, row - rowsBefore + 1, newPlaces] as const)
    const first = table.rowStarts[at] ?? 0
    const end = table.rowStarts[at + 1] ?? 0
    const base = isOwn ? first : first + own
    for (let cell = 0; cell < end - first; cell += 1) {
      const place = placeOf.get(cell)
      const id = ids[base + cell] ?? 0
      if (place >= 0 && id > 0) visit(place, cell, id)
    }
  }

  /** The cells of a row, by their columns' places. */
  const cells = createIntMap()
  const rowTable = createIdTable((known, candidate) => {
    cells.clear()
    let open = 0
    eachCell(known, (place, cell) => {
      cells.set(place, cell)
      open += 1
    })
    const first =
      known < rowsBefore ? records.rowStarts[known + 1] : newRecords.rowStarts[known - rowsBefore + 1]
    const base = (first ?? 0) + (known < rowsBefore ? 0 : own)
    eachCell(candidate, (place, _cell, id) => {
      const same = cells.get(place)
      open += same >= 0 && ids[base + same] === id ? -1 : Number.POSITIVE_INFINITY
    })
    return open === 0
  })
  const numbered = (from: number, count: number): Uint32Array =>
    Uint32Array.from({ length: count }, (_row, at) => {
      let sum = 0
      eachCell(from + at, (place, _cell, id) => {
        sum = (sum + hashWith(hashWith(seed.start, place, seed.factor), id, seed.factor)) | 0
      })
      return rowTable.idOf(sum, from + at)
    })

  return {
    cellOf(inSecond, row, column) {
      const table = inSecond ? newRecords : records
      const wanted = inSecond ? shared[column]?.newColumn : shared[column]?.column
      const cell = (table.rowStarts[row + 1] ?? 0) + (wanted ?? 0)
      if (cell >= (table.rowStarts[row + 2] ?? 0)) return 0
      return ids[inSecond ? cell + own : cell] ?? 0
    },
    rows: numbered(0, rowsBefore),
    newRows: numbered(rowsBefore, Math.max(0, newRecords.rowCount - 1)),
  }
}
