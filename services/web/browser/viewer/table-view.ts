import { text } from '../../texts/text.js'
import { DocumentError, type RowArrangement } from '../document/document-reader.js'
import { element } from './element.js'
import { pixelsOf, virtualList } from './list/virtual-list.js'
import { writePlace } from './place.js'
import { cellAt, cellPlace, rowNumber } from './table/cell-places.js'
import { columnEdges, columnsBetween, columnWidth, leftToShow } from './table/columns.js'
import { cellAfter, type GridCell } from './table/grid-keys.js'
import { tableBar } from './table/table-bar.js'
import { type TableModel, tableModel } from './table/table-model.js'
import { bodyRow, columnName, type Drawing, headCells } from './table/table-rows.js'
import { valuePanel } from './value-panel.js'
import type { OpenView } from './view.js'
import './table-view.css'

const rowHeightRem = 1.75
const headHeightRem = 2.25
const characterRem = 0.5
const filterDelayMs = 200

/** Several tables in one page do not share the ids of their cells. */
let tablesMade = 0

/** What the table leaves out and where that is. */
function omittedNote({ shape }: TableModel): string {
  const { omittedRows, omittedColumns, rowCount, columns } = shape
  const rows = omittedRows > 0 ? text('table.omitted', { shown: rowCount, omitted: omittedRows }) : ''
  const more =
    omittedColumns > 0
      ? text('table.omitted-columns', { shown: columns.length, omitted: omittedColumns })
      : ''
  return `${rows} ${more}`.trim()
}

function countText(model: TableModel): string {
  const { rowCount } = model.shape
  if (model.total() === 0) return text(rowCount === 0 ? 'table.empty' : 'table.nothing')
  if (model.arrangement().filter === '') return text('table.rows', { count: rowCount })
  return text('table.filtered', { shown: model.total(), total: rowCount })
}

/** The order after a click on the header of a column: up, down, and as the document has it again. */
function nextSort(sort: RowArrangement['sort'], column: number): RowArrangement['sort'] {
  if (sort?.column !== column) return { column, descending: false }
  return sort.descending ? null : { column, descending: true }
}

/** The widths of the columns by the first rows, behind a column for the number of the rows. */
async function edgesOf(model: TableModel): Promise<readonly number[]> {
  const character = pixelsOf(characterRem)
  const rows = await Promise.all(
    Array.from({ length: Math.min(100, model.total()) }, (_row, position) => model.wait(position)),
  )
  const widths = model.shape.columns.map((_name, column) => {
    const cells = rows.map((row) => row?.cells[column] ?? null)
    return columnWidth(columnName(model.shape, column), cells, character)
  })
  const digits = String(model.shape.rowCount + 1).length
  return columnEdges(widths, Math.max(3, digits) * character + pixelsOf(1.25))
}

/** Opens the table that a document announces: only the cells that are seen are in the page, whatever its size. */
export const openTableView: OpenView = async (host, parts) => {
  const source = parts.document.table
  if (source === null) throw new DocumentError('broken', text('document.broken'))
  tablesMade += 1
  const idPrefix = `table-${tablesMade}-`
  const rowHeight = pixelsOf(rowHeightRem)
  const head = element('div', { class: 'table-head', attributes: { role: 'row', 'aria-rowindex': 1 } })
  const body = element('div', { class: 'list-body', attributes: { role: 'rowgroup' } })
  const scroller = element(
    'div',
    { class: 'table', attributes: { role: 'grid', tabindex: 0, 'aria-label': text('table.label') } },
    element('div', { class: 'table-head-group', attributes: { role: 'rowgroup' } }, head),
    body,
  )
  const note = element('p', { class: 'list-note', attributes: { role: 'status' } })
  const panel = valuePanel(parts.copy, () => scroller.focus())
  const fail = (error: unknown): void => {
    if (error instanceof DocumentError && error.code !== 'cancelled') note.textContent = error.message
  }

  const model = await tableModel(parts.reader, () => list.redraw(), fail)
  const edges = await edgesOf(model)
  const { shape } = model
  let active: GridCell | null = null
  let marked: { readonly row: number; readonly column: number } | null = null
  let seen = { first: 0, end: 0 }

  const drawing = (): Drawing => ({
    shape,
    edges,
    ...seen,
    active,
    idOf: ({ position, column }) => `${idPrefix}${position}-${column}`,
  })
  const list = virtualList({
    scroller,
    body,
    headHeight: pixelsOf(headHeightRem),
    rowHeight,
    draw: (position) => {
      const row = model.get(position)
      const markedColumn = row !== undefined && row.index === marked?.row ? marked.column : null
      return bodyRow(drawing(), position, row, rowNumber(source, row?.index ?? 0), markedColumn)
    },
  })

  const drawHead = (): void => {
    head.style.width = `${edges.at(-1) ?? 0}px`
    head.replaceChildren(...headCells(drawing(), model.arrangement()))
  }
  /** Draws the columns that have come into view sideways. */
  const updateColumns = (): void => {
    const { scrollLeft, clientWidth } = scroller
    const now = columnsBetween(edges, scrollLeft, scrollLeft + clientWidth)
    if (now.first === seen.first && now.end === seen.end) return
    seen = now
    drawHead()
    list.redraw()
  }
  const drawAll = (): void => {
    scroller.setAttribute('aria-rowcount', String(model.total() + 1))
    bar.setCount(countText(model))
    drawHead()
    list.setRowCount(model.total())
  }

  const goTo = async (cell: GridCell): Promise<void> => {
    active = cell
    const { scrollLeft, clientWidth } = scroller
    const view = { left: scrollLeft, width: clientWidth, covered: edges[0] ?? 0 }
    scroller.scrollLeft = leftToShow(edges, cell.column, view)
    updateColumns()
    if (cell.position >= 0) list.show(cell.position)
    drawHead()
    list.redraw()
    scroller.setAttribute('aria-activedescendant', drawing().idOf(cell))
    const row = cell.position < 0 ? null : await model.wait(cell.position)
    if (row === undefined || active !== cell) return
    const isMissing = row !== null && row.cells[cell.column] === null
    const address = { row: row?.index ?? -1, column: cell.column }
    if (row === null && source.source === 'objects') {
      bar.setCell(null)
      return parts.onPlace(null)
    }
    const place = cellPlace(source, shape.columns, address, isMissing)
    bar.setCell(row === null ? null : place.kind === 'pointer' ? place.pointer : writePlace(place))
    parts.onPlace(place)
  }
  const leave = (): void => {
    active = null
    bar.setCell(null)
    scroller.removeAttribute('aria-activedescendant')
  }

  const arrange = async (arrangement: RowArrangement): Promise<void> => {
    scroller.setAttribute('aria-busy', 'true')
    const isLatest = await model.arrange(arrangement)
    if (!isLatest) return
    scroller.removeAttribute('aria-busy')
    if (active !== null && active.position >= 0) leave()
    scroller.scrollTop = 0
    drawAll()
  }
  const sortBy = (column: number): Promise<void> => {
    const { sort, filter } = model.arrangement()
    return arrange({ sort: nextSort(sort, column), filter })
  }

  const act = async (action: string): Promise<void> => {
    if (active === null || active.position < 0) return
    const { column } = active
    const row = await model.wait(active.position)
    if (row === undefined) return
    const isMissing = row.cells[column] === null
    const place = cellPlace(source, shape.columns, { row: row.index, column }, isMissing)
    const link = parts.linkTo(place)
    if (action === 'link' && link !== null) await parts.copy(link)
    if (action === 'link') return
    const value = (await parts.reader.cell(row.index, column)) ?? ''
    if (action === 'show') panel.show(`${columnName(shape, column)} · ${writePlace(place)}`, value)
    else await parts.copy(value)
  }
  const hasLink = parts.linkTo(cellPlace(source, shape.columns, { row: 0, column: 0 }, false)) !== null
  const bar = tableBar(hasLink, (action) => {
    act(action).catch(fail)
  })

  /** Shows a cell of the document; a filter that hides its row is taken away. */
  const showCell = async (row: number, column: number): Promise<boolean> => {
    if (row >= shape.rowCount || column >= shape.columns.length) return false
    marked = { row, column }
    let position = row < 0 ? -1 : await parts.reader.positionOf(row, model.arrangement())
    if (position === null) {
      bar.filter.value = ''
      await arrange({ sort: model.arrangement().sort, filter: '' })
      position = await parts.reader.positionOf(row, model.arrangement())
    }
    if (position === null) return false
    await goTo({ position, column })
    return true
  }

  scroller.addEventListener('scroll', updateColumns, { passive: true })
  const resizing = new ResizeObserver(updateColumns)
  resizing.observe(scroller)
  scroller.addEventListener('focus', () => {
    if (active === null && model.total() > 0) goTo({ position: 0, column: 0 }).catch(fail)
  })
  listenToKeys()
  listenToPointer()
  listenToFilter()

  host.append(bar.element, note, scroller, panel.element)
  note.textContent = omittedNote(model)
  scroller.setAttribute('aria-colcount', String(shape.columns.length + 1))
  updateColumns()
  drawAll()

  function listenToKeys(): void {
    scroller.addEventListener('keydown', (event) => {
      if (event.target !== scroller || event.altKey || shape.columns.length === 0) return
      const from = active ?? { position: 0, column: 0 }
      const size = { rows: model.total(), columns: shape.columns.length, pageRows: list.pageRows() }
      const isCopy = event.key === 'c' && (event.ctrlKey || event.metaKey)
      const isChoice = event.key === 'Enter' || event.key === ' '
      const next = cellAfter(event, from, size)
      if (next === null && !isChoice && !isCopy) return
      event.preventDefault()
      const done =
        next !== null
          ? goTo(next)
          : isChoice && from.position < 0
            ? sortBy(from.column)
            : act(isCopy ? 'copy' : 'show')
      done.catch(fail)
    })
  }

  function cellOf({ target }: Event): GridCell | null {
    const cell = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null
    if (cell === null) return null
    const row = cell.closest<HTMLElement>('[data-position]')
    return { position: Number(row?.dataset.position ?? -1), column: Number(cell.dataset.column) }
  }

  function listenToPointer(): void {
    scroller.addEventListener('click', (event) => {
      const cell = cellOf(event)
      if (cell === null) return
      const done = cell.position < 0 ? goTo(cell).then(() => sortBy(cell.column)) : goTo(cell)
      done.catch(fail)
    })
    scroller.addEventListener('dblclick', (event) => {
      if ((cellOf(event)?.position ?? -1) >= 0) act('show').catch(fail)
    })
  }

  function listenToFilter(): void {
    let waiting: ReturnType<typeof setTimeout> | undefined
    bar.filter.addEventListener('input', () => {
      clearTimeout(waiting)
      waiting = setTimeout(() => {
        arrange({ sort: model.arrangement().sort, filter: bar.filter.value }).catch(fail)
      }, filterDelayMs)
    })
  }

  return {
    async reveal(place) {
      const cell = cellAt(source, shape.columns, place)
      return cell !== null && (await showCell(cell.row, cell.column))
    },
    async find({ text: wanted, backwards }) {
      const from = active === null ? null : { ...active, row: 0 }
      const search = { text: wanted, caseSensitive: false, backwards }
      const found = await parts.reader.findCell(search, model.arrangement(), from)
      if (found === null) return null
      marked = { row: found.row, column: found.column }
      await goTo(found)
      return { index: null, total: null }
    },
    setWrap: () => undefined,
    close() {
      resizing.disconnect()
      list.close()
      host.replaceChildren()
    },
  }
}
