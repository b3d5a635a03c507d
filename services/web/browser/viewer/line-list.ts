import './line-list.css'
import type { Line } from '../document/document-reader.js'
import { element } from './element.js'
import type { LineColours } from './line-colours.js'
import type { LineRow, MarkedSpan } from './line-row.js'
import { rowPages } from './list/row-pages.js'
import { contentHeight, type RowSpace, scrollStateAt, topAt } from './list/scroll-state.js'
import { rowWindow } from './row-window.js'
import { type ScrollAnchor, settledAnchor } from './scroll-anchor.js'

/** What a list of lines is made of. Lines are counted from 0. */
export interface LineListParts {
  readonly label: string
  readonly lineCount: number
  readonly colours: LineColours
  read(from: number, count: number): Promise<readonly Line[]>
  hrefOf(line: number): string | null
  onFailure(error: unknown): void
}

/** Any number of lines, broken or not, of which only those in sight are in the page. */
export interface LineList {
  readonly element: HTMLElement
  topLine(): number
  /** Scrolls so that this line is the first in sight. */
  scrollTo(line: number): void
  /** Marks a line where it is. */
  mark(line: number): void
  /** Scrolls to a line and marks it, or this part of it. */
  show(line: number, mark: MarkedSpan | null): void
  /** Marks this text wherever it is in sight, whatever its case. */
  setFound(wanted: string): void
  setWrap(wrap: boolean): void
  close(): void
}

/** Rows that are kept ready above and below what is in sight. */
const spareRows = 20
const settledAfterMs = 200
/** Whoever scrolls further than this many views at once has dragged the scroll bar. */
const pixelwiseViews = 4

/** A list of lines that is as high as its host. */
export function lineList(parts: LineListParts): LineList {
  const { lineCount } = parts
  const rows = rowWindow()
  const body = element('div', 'viewer-lines-space')
  const scroller = element('div', 'viewer-lines', body, rows.element)
  let anchor: ScrollAnchor = { line: 0, offset: 0 }
  let chosen: { readonly line: number; readonly mark: MarkedSpan | null } | null = null
  let found: RegExp | null = null
  let markIsAwaited = false
  let scrolledTo = 0
  let hasJumped = false
  let space: RowSpace = { rowCount: lineCount, rowHeight: 22, viewHeight: 0 }
  let settling: ReturnType<typeof setTimeout> | undefined

  const pages = rowPages({ load: parts.read, onLoaded: () => render(), onFailed: parts.onFailure })
  const heightOf = (line: number): number => rows.heightOf(line) ?? space.rowHeight

  const rowOf = (number: number): LineRow => {
    const isChosen = chosen?.line === number
    const mark = isChosen ? (chosen?.mark ?? null) : null
    const { colours } = parts
    return {
      number,
      line: pages.get(number),
      mark,
      found,
      chosen: isChosen,
      href: parts.hrefOf(number),
      colours,
    }
  }

  const render = (): void => {
    anchor = settledAnchor(anchor, lineCount, heightOf)
    const inSight = Math.ceil((space.viewHeight - anchor.offset) / space.rowHeight)
    const from = Math.max(0, anchor.line - spareRows)
    const to = Math.min(lineCount, anchor.line + inSight + spareRows)
    rows.fill(from, to, rowOf)
    rows.element.style.top = `${scroller.scrollTop + anchor.offset - rows.topOf(anchor.line)}px`
    if (markIsAwaited && chosen !== null && pages.get(chosen.line) !== undefined) {
      markIsAwaited = false
      rows.element.querySelector('.viewer-match')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    }
  }

  const moveTo = (line: number, offset: number): void => {
    anchor = { line: Math.min(Math.max(0, line), lineCount - 1), offset }
    scroller.scrollTop = scrollStateAt(space, anchor.line * space.rowHeight - offset).scrollTop
    scrolledTo = scroller.scrollTop
    render()
  }

  /** Small scrolls in broken or very many lines are off the scale of the scroll bar: it is put right afterwards. */
  const resync = (): void => {
    const isAtEnd = scrolledTo + space.viewHeight >= contentHeight(space) - 1
    // Whoever dragged the scroll bar to its end wants the last line, however high those above it turned out to be.
    if (hasJumped && isAtEnd) {
      anchor = { line: lineCount - 1, offset: space.viewHeight - heightOf(lineCount - 1) }
      render()
    }
    hasJumped = false
    const at = anchor.line - anchor.offset / heightOf(anchor.line)
    const target = scrollStateAt(space, at * space.rowHeight).scrollTop
    if (Math.abs(target - scroller.scrollTop) > 1) moveScrollBar(target)
  }
  const moveScrollBar = (target: number): void => {
    scroller.scrollTop = target
    scrolledTo = scroller.scrollTop
    render()
  }

  const jump = (): void => {
    const at = topAt(space, scrolledTo) / space.rowHeight
    anchor = { line: Math.floor(at), offset: -(at % 1) * space.rowHeight }
    hasJumped = true
  }
  const onScroll = (): void => {
    const moved = scroller.scrollTop - scrolledTo
    scrolledTo = scroller.scrollTop
    if (Math.abs(moved) < pixelwiseViews * space.viewHeight) {
      anchor = { line: anchor.line, offset: anchor.offset - moved }
    } else jump()
    render()
    clearTimeout(settling)
    settling = setTimeout(resync, settledAfterMs)
  }

  const measure = (): void => {
    if (scroller.clientHeight === 0) return
    const rowHeight = Number.parseFloat(getComputedStyle(scroller).lineHeight)
    space = { rowCount: lineCount, rowHeight, viewHeight: scroller.clientHeight }
    body.style.height = `${contentHeight(space)}px`
    moveTo(anchor.line, anchor.offset)
  }

  scroller.tabIndex = 0
  scroller.setAttribute('role', 'region')
  scroller.setAttribute('aria-label', parts.label)
  scroller.addEventListener('scroll', onScroll, { passive: true })
  const resizing = new ResizeObserver(measure)
  resizing.observe(scroller)

  return {
    element: scroller,
    topLine: () => anchor.line,
    scrollTo: (line) => moveTo(line, 0),
    mark(line) {
      chosen = { line, mark: null }
      render()
    },
    show(line, mark) {
      chosen = { line, mark }
      markIsAwaited = mark !== null
      moveTo(line, Math.floor(space.viewHeight / 3))
    },
    setFound(wanted) {
      const pattern = wanted.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
      found = wanted === '' ? null : new RegExp(pattern, 'giu')
      render()
    },
    setWrap(wrap) {
      scroller.classList.toggle('viewer-wrap', wrap)
      render()
    },
    close() {
      clearTimeout(settling)
      resizing.disconnect()
      scroller.remove()
    },
  }
}
