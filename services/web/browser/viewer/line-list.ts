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
  onFailure(error: unknown): void
}

/** A virtual list of lines, wrapped or not. */
export interface LineList {
  readonly element: HTMLElement
  /** Highlights a line without scrolling. */
  mark(line: number): void
  /** Scrolls to a line and highlights it, or a range of it. */
  show(line: number, mark: MarkedSpan | null): void
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
    one.chosen === other.chosen
  )
}

/** A list of lines as high as its host. */
export function lineList(parts: LineListParts): LineList {
  const body = element('div', 'list-body')
  const attributes = { role: 'region', tabindex: 0, 'aria-label': parts.label }
  const scroller = element('div', { class: 'viewer-lines', attributes }, body)
  let chosen: { readonly line: number; readonly mark: MarkedSpan | null } | null = null
  let found: RegExp | null = null
  let { colours } = parts
  let markIsAwaited = false

  const pages = rowPages({ load: parts.read, onLoaded: () => list.update(), onFailed: parts.onFailure })
  const drawn = new WeakMap<HTMLElement, LineRow>()

  const rowOf = (number: number): LineRow => {
    const isChosen = chosen?.line === number
    const mark = isChosen ? (chosen?.mark ?? null) : null
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
      if (!markIsAwaited || chosen === null || pages.get(chosen.line) === undefined) return
      markIsAwaited = false
      body.querySelector('.viewer-match')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    },
  })
  list.setRowCount(parts.lineCount)

  return {
    element: scroller,
    mark(line) {
      chosen = { line, mark: null }
      list.update()
    },
    show(line, mark) {
      chosen = { line, mark }
      markIsAwaited = mark !== null
      list.moveTo(line, Math.floor(scroller.clientHeight / 3))
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
