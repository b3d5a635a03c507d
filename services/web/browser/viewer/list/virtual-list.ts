import './virtual-list.css'
import {
  contentHeight,
  type RowSpace,
  rowsAround,
  type ScrollState,
  scrolled,
  scrollStateAt,
  topToShow,
} from './scroll-state.js'

/** What a list of rows is made of. */
export interface ListParts {
  /** What scrolls, and has the focus. */
  readonly scroller: HTMLElement
  /** Within it the element that holds the rows, which the list makes as high as all of them. */
  readonly body: HTMLElement
  /** The height in pixels of what stays in place above the rows. */
  readonly headHeight: number
  readonly rowHeight: number
  draw(row: number): HTMLElement
}

/** A list of which only the rows that are seen are in the page, however many there are. */
export interface VirtualList {
  setRowCount(count: number): void
  /** Draws anew what is seen, because it reads differently now. */
  redraw(): void
  /** Scrolls as far as needed for a row to be seen. */
  show(row: number): void
  /** How many rows are seen at once. */
  pageRows(): number
  close(): void
}

/** Rows beyond what is seen that are drawn already. */
const rowsAhead = 8

/** Scrolling has come to rest when nothing has moved for so long. */
const restMs = 150

/** The height of a row in pixels, from its height in the letters of the page. */
export function pixelsOf(rem: number): number {
  return Math.round(rem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize))
}

/** Makes a list, which is empty until it is told how many rows there are. */
export function virtualList({ scroller, body, headHeight, rowHeight, draw }: ListParts): VirtualList {
  const drawn = new Map<number, HTMLElement>()
  let space: RowSpace = { rowCount: 0, rowHeight, viewHeight: 0 }
  let standing: ScrollState = { scrollTop: 0, top: 0 }
  let rest: ReturnType<typeof setTimeout> | undefined

  const place = (row: number, element: HTMLElement): void => {
    element.style.top = `${row * rowHeight - standing.top + standing.scrollTop}px`
  }

  const update = (): void => {
    const { first, end } = rowsAround(space, standing.top, rowsAhead)
    for (const [row, element] of drawn)
      if (row < first || row >= end) {
        element.remove()
        drawn.delete(row)
      }
    for (let row = first; row < end; row += 1) {
      const known = drawn.get(row)
      const element = known ?? draw(row)
      place(row, element)
      if (known !== undefined) continue
      drawn.set(row, element)
      body.append(element)
    }
  }

  const redraw = (): void => {
    const hadFocus = body.contains(document.activeElement)
    for (const element of drawn.values()) element.remove()
    drawn.clear()
    update()
    if (hadFocus) scroller.focus({ preventScroll: true })
  }

  /** Puts the bar where it belongs after steps that have moved the rows further than the bar's way says. */
  const resync = (): void => {
    standing = scrollStateAt(space, standing.top)
    scroller.scrollTop = standing.scrollTop
    update()
  }

  const onScroll = (): void => {
    standing = scrolled(space, standing, scroller.scrollTop)
    update()
    clearTimeout(rest)
    if (standing.top !== standing.scrollTop) rest = setTimeout(resync, restMs)
  }

  const resize = (): void => {
    space = { ...space, viewHeight: Math.max(rowHeight, scroller.clientHeight - headHeight) }
    update()
  }
  const resizing = new ResizeObserver(resize)
  resizing.observe(scroller)
  scroller.addEventListener('scroll', onScroll, { passive: true })

  return {
    setRowCount(count) {
      space = { ...space, rowCount: count }
      body.style.height = `${contentHeight(space)}px`
      resync()
      redraw()
    },
    redraw,
    show(row) {
      standing = scrollStateAt(space, topToShow(space, standing.top, row))
      scroller.scrollTop = standing.scrollTop
      update()
    },
    pageRows: () => Math.max(1, Math.floor(space.viewHeight / rowHeight) - 1),
    close() {
      clearTimeout(rest)
      resizing.disconnect()
      scroller.removeEventListener('scroll', onScroll)
    },
  }
}
