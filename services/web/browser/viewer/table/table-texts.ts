import { text } from '../../../texts/text.js'
import type { RowArrangement } from '../../document/document-reader.js'
import type { TableModel } from './table-model.js'

/** Describes what the table leaves out, and where it is; empty if it is complete. */
export function omittedText({ shape }: TableModel): string {
  const { omittedRows, omittedColumns, rowCount, columns } = shape
  const rows = omittedRows > 0 ? text('table.omitted', { shown: rowCount, omitted: omittedRows }) : ''
  const more =
    omittedColumns > 0
      ? text('table.omitted-columns', { shown: columns.length, omitted: omittedColumns })
      : ''
  return `${rows} ${more}`.trim()
}

/** How many rows are shown, of how many. */
export function countText(model: TableModel): string {
  const { rowCount } = model.shape
  if (model.total() === 0) return text(rowCount === 0 ? 'table.empty' : 'table.nothing')
  if (model.arrangement().filter === '') return text('table.rows', { count: rowCount })
  return text('table.filtered', { shown: model.total(), total: rowCount })
}

/** The order after a click on a column header: ascending, descending, document order. */
export function nextSort(sort: RowArrangement['sort'], column: number): RowArrangement['sort'] {
  if (sort?.column !== column) return { column, descending: false }
  return sort.descending ? null : { column, descending: true }
}
