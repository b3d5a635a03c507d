import './line-list.css'
import type { Line } from '../document/document-reader.js'
import { element } from './element.js'
import type { LineColours } from './line-colours.js'
import { type LineRow, lineRow, type MarkedSpan } from './line-row.js'
import { rowPages } from './list/row-pages.js'
import { virtualList } from './list/virtual-list.js'

/** Options of a line list. Lines are counted from 0. */
export interface LineListParts {
  readonly label: string
  readonly lineCount: number
  readonly colours: LineColours
  read(from: number, count: number): Promise<readonly Line[]>
  hrefOf(line: number): string | null
  /** Called with the lines that the reader chose. */
  onChosen(line: number, end: number): void
  onFailure(error: unknown): void
}

/** A virtual list of lines, wrapped or not. */
export interface LineList {
  readonly element: HTMLElement
  /** Scrolls to a line and highlights it and those up to another, or a range of it. */
  show(line: number, end: number, mark: MarkedSpan | null): void
  /** Takes that highlight back. */
  unmark(): void
  setColours(colours: LineColours): void
  /** Highlights all visible occurrences of this text, ignoring case. */
  setFound(wanted: string): void
  setWrap(wrap: boolean): void
  close(): void
}

const spareRows = 20
/** The height of a line in pixels, before it has been rendered. */
const usualHeight = 22

function isSame(one: LineRow | undefined, other: LineRow): boolean {
  return (
    one !== undefined &&
    one.line === other.line &&
    one.mark === other.mark &&
    one.found === other.found &&
    one.colours === other.colours &&
    one.chosen === other.chosen &&
    one.isStop === other.isStop
  )
}

/** A list of lines as high as its host. */
export function lineList(parts: LineListParts): LineList {
  const body = element('div', 'list-body')
  const attributes = { role: 'region', tabindex: 0, 'aria-label': parts.label }
  const scroller = element('div', { class: 'viewer-lines', attributes }, body)
  let chosen: { readonly line: number; readonly end: number; readonly mark: MarkedSpan | null } | null = null
  /** The line at whose number the Tab key stops, and the first one that was chosen of a range. */
  let [stop, first] = [0, 0]
  let found: RegExp | null = null
  let { colours } = parts
  let markIsAwaited = false
  /** Whether the number at `stop` gets the focus once it is drawn. */
  let focusIsAwaited = false

  const pages = rowPages({ load: parts.read, onLoaded: () => list.update(), onFailed: parts.onFailure })
  const drawn = new WeakMap<HTMLElement, LineRow>()

  const rowOf = (number: number): LineRow => {
    const isChosen = chosen !== null && number >= chosen.line && number <= chosen.end
    const mark = chosen?.line === number ? chosen.mark : null
    return {
      number,
      line: pages.get(number),
      mark,
      found,
      chosen: isChosen,
      isStop: stop === number,
      href: parts.hrefOf(number),
      colours,
    }
  }

  /** Again when its line has arrived, which replaces the row. */
  const focusStop = (): void => {
    if (!focusIsAwaited) return
    focusIsAwaited = pages.get(stop) === undefined
    body.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true })
  }
  const list = virtualList({
    scroller,
    body,
    headHeight: 0,
    rowHeight: () => Number.parseFloat(getComputedStyle(scroller).lineHeight) || usualHeight,
    spareRows,
    draw(number) {
      const row = rowOf(number)
      const made = lineRow(row)
      drawn.set(made, row)
      return made
    },
    isCurrent: (number, made) => isSame(drawn.get(made), rowOf(number)),
    onDrawn() {
      focusStop()
      if (!markIsAwaited || chosen === null || pages.get(chosen.line) === undefined) return
      markIsAwaited = false
      body.querySelector('.viewer-match')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    },
  })
  list.setRowCount(parts.lineCount)

  /** Moves the stop of the Tab key, and the focus if it is at a number. */
  const stopAt = (line: number, hasFocus = body.contains(document.activeElement)): void => {
    stop = line
    focusIsAwaited = hasFocus
    list.update()
  }
  /** Chooses a line, or all from the one that was chosen before. */
  const choose = (line: number, isRange: boolean): void => {
    if (!isRange || chosen === null) first = line
    chosen = { line: Math.min(first, line), end: Math.max(first, line), mark: null }
    stopAt(line)
    parts.onChosen(chosen.line, chosen.end)
  }
  const numberAt = ({ target }: Event): number | null => {
    const link = target instanceof Element ? target.closest<HTMLElement>('.viewer-line-number') : null
    return link === null ? null : Number(link.dataset.line)
  }
  scroller.addEventListener('click', (event) => {
    const line = numberAt(event)
    if (line === null || event.metaKey || event.ctrlKey) return
    event.preventDefault()
    choose(line, event.shiftKey)
  })
  scroller.addEventListener('mousedown', (event) => {
    // Which would select the text between both.
    if (event.shiftKey && numberAt(event) !== null) event.preventDefault()
  })
  scroller.addEventListener('keydown', (event) => {
    const line = numberAt(event)
    if (line === null || event.metaKey || event.ctrlKey || event.altKey) return
    const last = parts.lineCount - 1
    const next = {
      ArrowDown: line + 1,
      ArrowUp: line - 1,
      PageDown: line + list.pageRows(),
      PageUp: line - list.pageRows(),
      Home: 0,
      End: last,
    }[event.key]
    if (next === undefined && event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    if (next === undefined) return choose(line, event.shiftKey)
    const to = Math.min(Math.max(next, 0), last)
    list.show(to)
    stopAt(to, true)
  })
  // The number nearest to what is read.
  scroller.addEventListener('focus', () => stopAt(list.firstRow()))

  return {
    element: scroller,
    show(line, end, mark) {
      chosen = { line, end, mark }
      first = line
      markIsAwaited = mark !== null
      stop = line
      list.moveTo(line, Math.floor(list.viewHeight() / 3))
    },
    unmark() {
      chosen = null
      list.update()
    },
    setColours(changed) {
      colours = changed
      list.update()
    },
    setFound(wanted) {
      const pattern = wanted.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
      found = wanted === '' ? null : new RegExp(pattern, 'giu')
      list.update()
    },
    setWrap(wrap) {
      scroller.classList.toggle('viewer-wrap', wrap)
      list.update()
    },
    close() {
      list.close()
      scroller.remove()
    },
  }
}
