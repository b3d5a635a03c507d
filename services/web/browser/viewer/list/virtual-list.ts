import './virtual-list.css'
import { drawnRows, type RowDrawing } from './drawn-rows.js'
import { type ScrollAnchor, settledAnchor } from './scroll-anchor.js'
import { scrollPort } from './scroll-port.js'
import { contentHeight, type RowSpace, scrollStateAt, topAt, topToShow } from './scroll-state.js'

export interface ListParts extends RowDrawing {
  /** The scrolling, focusable element. */
  readonly scroller: HTMLElement
  /** The element inside that holds the rows; the list sets its height. */
  readonly body: HTMLElement
  /** The height in pixels of what is sticky above the rows. */
  readonly headHeight: number
  /** The usual height of a row in pixels; some may be higher. */
  rowHeight(): number
  /** How many rows beyond the view are rendered. */
  readonly spareRows: number
  /** Called when the visible rows have been rendered. */
  onDrawn?(): void
}

/** A virtual list: only visible rows are in the page, however many there are and however high each is. */
export interface VirtualList {
  setRowCount(count: number): void
  /** Renders rows that are new or out of date. */
  update(): void
  /** Renders the visible rows again because their content changed. */
  redraw(): void
  /** Scrolls a row into view. */
  show(row: number): void
  /** Scrolls until a row is this many pixels below the top. */
  moveTo(row: number, offset: number): void
  /** How many rows are visible. */
  pageRows(): number
  /** The first visible row. */
  firstRow(): number
  /** The height in pixels of what is visible of the rows. */
  viewHeight(): number
  close(): void
}

/** Scrolling has stopped when nothing has moved for this long. */
const restMs = 200
/** Scrolling by more than this many views in one event means the scroll bar was dragged. */
const pixelwiseViews = 4

/** The height of a row in pixels, from its height in rem. */
export function pixelsOf(rem: number): number {
  return Math.round(rem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize))
}

/** Creates a list, empty until it knows the number of rows. */
export function virtualList(parts: ListParts): VirtualList {
  const { scroller, body, headHeight, spareRows, onDrawn } = parts
  const rows = drawnRows(parts)
  const port = scrollPort(scroller, body, headHeight)
  let space: RowSpace = { rowCount: 0, rowHeight: parts.rowHeight(), viewHeight: 0 }
  let anchor: ScrollAnchor = { row: 0, offset: 0 }
  let scrolledTo = 0
  let hasJumped = false
  let rest: ReturnType<typeof setTimeout> | undefined

  const heightOf = (row: number): number => rows.heightOf(row) ?? space.rowHeight

  const drawFrom = (to: ScrollAnchor): void => {
    anchor = settledAnchor(to, space.rowCount, heightOf)
    const inSight = Math.ceil((space.viewHeight - anchor.offset) / space.rowHeight)
    rows.fill(Math.max(0, anchor.row - spareRows), Math.min(space.rowCount, anchor.row + inSight + spareRows))
  }

  /** The unused pixels of the view below the last row. */
  const blank = (): number => {
    const last = space.rowCount - 1
    if (last < 0 || rows.heightOf(last) === undefined) return 0
    return space.viewHeight - (anchor.offset + rows.topOf(last) - rows.topOf(anchor.row) + heightOf(last))
  }

  const update = (): void => {
    drawFrom(anchor)
    const below = blank()
    if (below > 1) drawFrom({ row: anchor.row, offset: anchor.offset + below })
    const scrolled = port.top()
    if (port.isPage()) scroller.style.setProperty('--scrolled', `${scrolled}px`)
    rows.element.style.top = `${scrolled + anchor.offset - rows.topOf(anchor.row)}px`
    onDrawn?.()
  }

  const setScrollTop = (scrollTop: number): void => {
    port.scrollTo(scrollTop)
    scrolledTo = port.top()
  }

  /** The row at this pixel if all had the usual height. */
  const anchorAt = (top: number): ScrollAnchor => {
    const row = Math.floor(top / space.rowHeight)
    return { row, offset: row * space.rowHeight - top }
  }
  const top = (): number => anchor.row * space.rowHeight - anchor.offset

  const showAt = (wanted: number): void => {
    const state = scrollStateAt(space, wanted)
    anchor = anchorAt(state.top)
    setScrollTop(state.scrollTop)
    update()
  }

  const moveTo = (row: number, offset: number): void => {
    anchor = { row: Math.min(Math.max(0, row), Math.max(0, space.rowCount - 1)), offset }
    setScrollTop(scrollStateAt(space, top()).scrollTop)
    update()
  }

  /**
   * Small scrolls through high or very many rows don't match the scroll bar's scale; this corrects it
   * afterwards.
   */
  const resync = (): void => {
    const last = space.rowCount - 1
    const isAtEnd = scrolledTo + space.viewHeight >= contentHeight(space) - 1
    // Dragging the scroll bar to its end must show the last row, however high those above it are.
    if (hasJumped && isAtEnd && last >= 0) {
      anchor = { row: last, offset: space.viewHeight - heightOf(last) }
      update()
    }
    hasJumped = false
    const at = anchor.row - anchor.offset / heightOf(anchor.row)
    const target = scrollStateAt(space, at * space.rowHeight).scrollTop
    if (Math.abs(target - port.top()) <= 1) return
    setScrollTop(target)
    update()
  }

  const onScroll = (): void => {
    if (scroller.clientHeight === 0) return
    const moved = port.top() - scrolledTo
    scrolledTo = port.top()
    if (Math.abs(moved) >= pixelwiseViews * space.viewHeight) {
      anchor = anchorAt(topAt(space, scrolledTo))
      hasJumped = true
    } else anchor = { row: anchor.row, offset: anchor.offset - moved }
    update()
    clearTimeout(rest)
    rest = setTimeout(resync, restMs)
  }

  const measure = (): void => {
    if (scroller.clientHeight === 0) return
    const rowHeight = parts.rowHeight()
    space = { ...space, rowHeight, viewHeight: Math.max(rowHeight, port.height()) }
    body.style.height = `${contentHeight(space)}px`
    moveTo(anchor.row, anchor.offset)
  }

  /** Removes all rows and renders them again. A focus inside moves to the list. */
  const redrawAll = (draw: () => void): void => {
    const hadFocus = body.contains(document.activeElement)
    rows.clear()
    draw()
    if (hadFocus) scroller.focus({ preventScroll: true })
  }

  body.append(rows.element)
  const resizing = new ResizeObserver(measure)
  resizing.observe(scroller)
  scroller.addEventListener('scroll', onScroll, { passive: true })
  const onPage = (): void => {
    if (port.isPage()) onScroll()
  }
  const onWindow = (): void => {
    if (port.isPage()) measure()
  }
  addEventListener('scroll', onPage, { passive: true })
  addEventListener('resize', onWindow)

  return {
    setRowCount(count) {
      const before = top()
      space = { ...space, rowCount: count }
      body.style.height = `${contentHeight(space)}px`
      redrawAll(() => showAt(before))
    },
    update,
    redraw: () => redrawAll(update),
    show: (row) => showAt(topToShow(space, top(), row)),
    moveTo,
    pageRows: () => Math.max(1, Math.floor(space.viewHeight / space.rowHeight) - 1),
    firstRow: () => anchor.row,
    viewHeight: () => space.viewHeight,
    close() {
      clearTimeout(rest)
      resizing.disconnect()
      scroller.removeEventListener('scroll', onScroll)
      removeEventListener('scroll', onPage)
      removeEventListener('resize', onWindow)
    },
  }
}
