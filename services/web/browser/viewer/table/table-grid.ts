import { text } from '../../../texts/text.js'
import { element } from '../element.js'
import { pixelsOf, virtualList } from '../list/virtual-list.js'
import { type CellAddress, rowNumber, type TableSource } from './cell-links.js'
import { type ColumnEdges, columnEdges, columnsBetween, columnWidth, leftToShow } from './columns.js'
import type { GridCell } from './grid-keys.js'
import type { TableModel } from './table-model.js'
import { bodyRow, columnName, type Drawing, headCells } from './table-rows.js'

/** The grid of a table: visible cells and navigation, without actions. */
export interface TableGrid {
  readonly scroller: HTMLElement
  /** Renders from the first row again, after filtering or sorting. */
  restart(): void
  redraw(): void
  /** Activates a cell and scrolls it into view; `null` deactivates. */
  activate(cell: GridCell | null): void
  /** Highlights a cell of the document, wherever it is shown. */
  mark(cell: CellAddress | null): void
  pageRows(): number
  close(): void
}

const rowHeightRem = 1.75
const headHeightRem = 2.25
const characterRem = 0.5
const spareRows = 8

/** Keeps the cell ids of several tables in one page apart. */
let gridsMade = 0

/** The column edges, from the first rows, after a column for the row number. */
async function edgesOf(model: TableModel): Promise<ColumnEdges> {
  const character = pixelsOf(characterRem)
  const rows = await Promise.all(
    Array.from({ length: Math.min(100, model.total()) }, (_row, position) => model.wait(position)),
  )
  const widths = model.shape.columns.map((_name, column) => {
    const cells = rows.map((row) => {
      const cell = row?.cells[column] ?? null
      const before = row?.change?.before[column] ?? null
      // Each of the two stands on a ground of its own, which takes some room.
      return before === null ? cell : `${before}   ${cell ?? ''}`
    })
    return columnWidth(columnName(model.shape, column), cells, character)
  })
  const digits = String(model.shape.rowCount + 1).length
  return columnEdges(widths, Math.max(3, digits) * character + pixelsOf(1.25))
}

/**
 * Sets the scroller as high as the table, within limits; it keeps that height when a filter leaves few rows.
 */
function gridScroller({ shape }: TableModel, head: HTMLElement, body: HTMLElement): HTMLElement {
  const scroller = element(
    'div',
    {
      class: 'table',
      attributes: {
        role: 'grid',
        tabindex: 0,
        'aria-label': text('table.label'),
        'aria-colcount': shape.columns.length + 1,
      },
    },
    element('div', { class: 'table-head-group', attributes: { role: 'rowgroup' } }, head),
    body,
  )
  const rows = Math.max(shape.rowCount, 3)
  scroller.style.setProperty('--table-height', `${headHeightRem + rows * rowHeightRem + 1.25}rem`)
  return scroller
}

/** Creates the grid, empty until it is started. */
export async function tableGrid(model: TableModel, source: TableSource): Promise<TableGrid> {
  gridsMade += 1
  const idPrefix = `table-${gridsMade}-`
  const { shape } = model
  const edges = await edgesOf(model)
  const head = element('div', { class: 'table-head', attributes: { role: 'row', 'aria-rowindex': 1 } })
  head.style.width = `${edges.at(-1) ?? 0}px`
  const body = element('div', { class: 'list-body', attributes: { role: 'rowgroup' } })
  const scroller = gridScroller(model, head, body)
  let active: GridCell | null = null
  let marked: CellAddress | null = null
  let seen = { first: 0, end: 0 }

  const idOf = ({ position, column }: GridCell): string => `${idPrefix}${position}-${column}`
  const drawing = (): Drawing => ({ shape, edges, ...seen, active, idOf })
  const list = virtualList({
    scroller,
    body,
    headHeight: pixelsOf(headHeightRem),
    rowHeight: () => pixelsOf(rowHeightRem),
    spareRows,
    draw: (position) => {
      const row = model.get(position)
      const markedColumn = row !== undefined && row.index === marked?.row ? marked.column : null
      const index = row?.change?.number ?? row?.index ?? 0
      return bodyRow(drawing(), position, row, rowNumber(source, index), markedColumn)
    },
  })

  const redraw = (): void => {
    head.replaceChildren(...headCells(drawing(), model.arrangement()))
    list.redraw()
  }
  /** Renders the columns that have scrolled into view. */
  const updateColumns = (): void => {
    const { scrollLeft, clientWidth } = scroller
    const now = columnsBetween(edges, scrollLeft, scrollLeft + clientWidth)
    if (now.first === seen.first && now.end === seen.end) return
    seen = now
    redraw()
  }
  const scrollTo = ({ position, column }: GridCell): void => {
    const { scrollLeft, clientWidth } = scroller
    scroller.scrollLeft = leftToShow(edges, column, {
      left: scrollLeft,
      width: clientWidth,
      covered: edges[0] ?? 0,
    })
    updateColumns()
    if (position >= 0) list.show(position)
  }
  const resizing = new ResizeObserver(updateColumns)
  resizing.observe(scroller)
  scroller.addEventListener('scroll', updateColumns, { passive: true })

  return {
    scroller,
    restart() {
      scroller.setAttribute('aria-rowcount', String(model.total() + 1))
      list.setRowCount(model.total())
      list.moveTo(0, 0)
      redraw()
    },
    redraw,
    activate(cell) {
      active = cell
      if (cell === null) scroller.removeAttribute('aria-activedescendant')
      else {
        scrollTo(cell)
        scroller.setAttribute('aria-activedescendant', idOf(cell))
      }
      redraw()
    },
    mark(cell) {
      marked = cell
    },
    pageRows: list.pageRows,
    close() {
      resizing.disconnect()
      list.close()
    },
  }
}
