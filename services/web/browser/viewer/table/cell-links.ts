import { pointerTo, stepsOf } from '#engine/json-pointer.js'
import type { OpenedPart } from '../../document/document-reader.js'
import type { DeepLink } from '../deep-link.js'

/** What a table was made of. */
export type TableSource = NonNullable<OpenedPart['table']>

/** A cell by its row in the document and its column, both from 0. */
export interface CellAddress {
  readonly row: number
  readonly column: number
}

/** The displayed number of a row: of an array its index, else from 1 including the header. */
export function rowNumber({ source }: TableSource, row: number): number {
  return source === 'objects' ? row : row + 2
}

/** The place for a link to a cell; if the object lacks the member, the object. */
export function linkToCell(
  table: TableSource,
  columns: readonly string[],
  { row, column }: CellAddress,
  isMissing: boolean,
): DeepLink {
  if (table.source !== 'objects') return { kind: 'cell', row: rowNumber(table, row), column: column + 1 }
  const item = `${table.pointer}/${row}`
  return { kind: 'pointer', pointer: isMissing ? item : item + pointerTo([columns[column] ?? '']) }
}

/** The cell that contains a place, in the header with row -1; `null` for places outside cells. */
export function cellAt(table: TableSource, columns: readonly string[], place: DeepLink): CellAddress | null {
  if (table.source !== 'objects')
    return place.kind === 'cell' ? { row: place.row - 2, column: place.column - 1 } : null
  if (place.kind !== 'pointer' || !place.pointer.startsWith(`${table.pointer}/`)) return null
  const [index = '', key] = stepsOf(place.pointer.slice(table.pointer.length)) ?? []
  if (!/^(0|[1-9]\d{0,8})$/.test(index)) return null
  const column = key === undefined ? 0 : columns.indexOf(key)
  return column < 0 ? null : { row: Number(index), column }
}
