import { text } from '../../texts/text.js'
import { DocumentError, type RowArrangement } from '../document/document-reader.js'
import { type DeepLink, formatDeepLink } from './deep-link.js'
import { element } from './element.js'
import { cellAt, linkToCell } from './table/cell-links.js'
import type { GridCell } from './table/grid-keys.js'
import { tableGrid } from './table/table-grid.js'
import { listenToGrid } from './table/table-listeners.js'
import { tableModel } from './table/table-model.js'
import { columnName } from './table/table-rows.js'
import { countText, nextSort, omittedText } from './table/table-texts.js'
import { valuePlace } from './value-place.js'
import type { OpenView } from './view.js'
import './table-view.css'

/** Opens the document's table. Only visible cells are in the page, whatever its size. */
export const openTableView: OpenView = async (host, parts) => {
  const source = parts.part.table
  if (source === null) throw new DocumentError('broken', text('document.broken'))
  const note = element('p', { class: 'list-note', attributes: { role: 'status' } })
  const fail = (error: unknown): void => {
    if (error instanceof DocumentError && error.code !== 'cancelled') note.textContent = error.message
  }
  note.textContent = text('table.reading')
  host.append(note)
  const model = await tableModel(parts.reader, fail)
  const grid = await tableGrid(model, source)
  model.whenLoaded(grid.redraw)
  const { shape } = model
  const panel = valuePlace(parts.copy, () => grid.scroller.focus())
  let active: GridCell | null = null

  /** The active cell, by document row; `null` if there is none or it is in the header. */
  const chosen = async (): Promise<{ row: number; column: number; place: DeepLink } | null> => {
    if (active === null || active.position < 0) return null
    const { position, column } = active
    const row = await model.wait(position)
    if (row === undefined) return null
    const isMissing = row.cells[column] === null
    const at = { row: row.change?.number ?? row.index, column }
    const place = linkToCell(source, shape.columns, at, isMissing)
    return { row: row.index, column, place }
  }

  const goTo = async (cell: GridCell | null): Promise<void> => {
    active = cell
    grid.activate(cell)
    const now = await chosen()
    if (active !== cell) return
    if (now === null) parts.onLink(null)
    else parts.onLink(now.place, { read: () => textOf(now), show: () => void showAll(now).catch(fail) })
  }

  const arrange = async (arrangement: RowArrangement): Promise<void> => {
    grid.scroller.setAttribute('aria-busy', 'true')
    const isLatest = await model.arrange(arrangement)
    if (!isLatest) return
    grid.scroller.removeAttribute('aria-busy')
    count.textContent = countText(model)
    grid.restart()
    parts.onRows(model.arrangement())
    if (active !== null && active.position >= 0) await goTo(null)
  }
  const sortBy = (column: number): Promise<void> => {
    const { sort, filter } = model.arrangement()
    return arrange({ sort: nextSort(sort, column), filter })
  }

  const filterBy = (filter: string): Promise<void> => arrange({ sort: model.arrangement().sort, filter })

  type Chosen = NonNullable<Awaited<ReturnType<typeof chosen>>>
  const textOf = async ({ row, column }: Chosen): Promise<string> =>
    (await parts.reader.cell(row, column)) ?? ''
  const showAll = async (cell: Chosen): Promise<void> =>
    panel.show(`${columnName(shape, cell.column)} · ${formatDeepLink(cell.place)}`, await textOf(cell))
  const copyCell = async (): Promise<void> => {
    const now = await chosen()
    if (now !== null) await parts.copy(await textOf(now))
  }
  const showCellNow = async (): Promise<void> => {
    const now = await chosen()
    if (now !== null) await showAll(now)
  }
  const count = element('p', { class: 'table-count', attributes: { role: 'status' } })

  /** Shows a cell of the document, clearing a filter that hides its row. */
  const showCell = async (row: number, column: number): Promise<boolean> => {
    if (row >= shape.rowCount || column >= shape.columns.length) return false
    grid.mark({ row, column })
    if (row >= 0 && (await parts.reader.positionOf(row, model.arrangement())) === null) {
      await filterBy('')
    }
    const position = row < 0 ? -1 : await parts.reader.positionOf(row, model.arrangement())
    if (position !== null) await goTo({ position, column })
    return position !== null
  }

  const first: GridCell = { position: 0, column: 0 }
  listenToGrid(grid.scroller, {
    size: () => ({ rows: model.total(), columns: shape.columns.length, pageRows: grid.pageRows() }),
    from: () => active ?? first,
    onEnter: () => {
      if (active === null && model.total() > 0) goTo(first).catch(fail)
    },
    onMove: (cell) => void goTo(cell).catch(fail),
    onChoose: ({ position, column }) => void (position < 0 ? sortBy(column) : showCellNow()).catch(fail),
    onCopy: () => void copyCell().catch(fail),
  })

  host.append(note, grid.scroller, panel.element, count)
  note.textContent = omittedText(model)
  count.textContent = countText(model)
  grid.restart()

  return {
    async reveal(place) {
      const cell = cellAt(source, shape.columns, place)
      return cell !== null && (await showCell(cell.row, cell.column))
    },
    async find(wanted) {
      // In a table that was just opened, no change is selected yet.
      const hasMoved = active !== null && !(wanted.isChange === true && active === first)
      const from = hasMoved && active !== null ? { ...active, row: 0 } : null
      const search = { ...wanted, caseSensitive: false }
      const found = await parts.reader.findCell(search, model.arrangement(), from)
      if (found === null) return null
      grid.mark(found)
      await goTo(found)
      return { index: found.index ?? null, total: found.total ?? null }
    },
    filter: filterBy,
    unmark() {
      grid.mark(null)
      grid.redraw()
    },
    close() {
      grid.close()
      host.replaceChildren()
    },
  }
}
