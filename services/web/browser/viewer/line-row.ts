import { text } from '../../texts/text.js'
import type { Line } from '../document/document-reader.js'
import { element } from './element.js'
import { nameHidden } from './hidden-characters.js'
import type { LineColours } from './line-colours.js'

/** A range to highlight; what lies beyond the shown text highlights its end. */
export interface MarkedSpan {
  readonly column: number
  readonly length: number
}

export interface LineRow {
  /** Counted from 0. */
  readonly number: number
  /** `undefined` until it is loaded. */
  readonly line: Line | undefined
  readonly mark: MarkedSpan | null
  /** Highlighted wherever it occurs. */
  readonly found: RegExp | null
  readonly colours: LineColours
  readonly chosen: boolean
  /** Whether the Tab key stops at its number. */
  readonly isStop: boolean
  /** The link of its number. */
  readonly href: string | null
}

/** A range in one style. */
interface Span {
  readonly from: number
  readonly to: number
  readonly look: string
}

function spansOf(shown: string, { number, mark, found, colours }: LineRow): readonly Span[] {
  const tokens = colours(shown, number).map(({ kind, from, to }) => ({ from, to, look: `token-${kind}` }))
  const matches = found === null ? [] : [...shown.matchAll(found)]
  const foundSpans = matches.map(({ 0: text, index }) => ({
    from: index,
    to: index + text.length,
    look: 'viewer-found',
  }))
  const marks =
    mark === null ? [] : [{ from: mark.column, to: mark.column + mark.length, look: 'viewer-match' }]
  return [...tokens, ...foundSpans, ...marks].filter(({ from, to }) => from < Math.min(to, shown.length))
}

/** Splits a line into pieces with their colours and highlights, which may overlap. */
function styled(shown: string, row: LineRow): readonly (Node | string)[] {
  const spans = spansOf(shown, row)
  const cuts = new Set([
    0,
    shown.length,
    ...spans.flatMap(({ from, to }) => [from, Math.min(to, shown.length)]),
  ])
  const bounds = [...cuts].sort((one, other) => one - other)
  // Tokens that overlap the piece; they are sorted, so only a few are looked at.
  let open: Span[] = []
  const coming = [...spans].sort((one, other) => one.from - other.from)
  let next = 0
  return bounds.slice(0, -1).flatMap((from, index) => {
    for (let span = coming[next]; span !== undefined && span.from <= from; span = coming[next]) {
      open.push(span)
      next += 1
    }
    open = open.filter(({ to }) => to > from)
    const piece = nameHidden(shown.slice(from, bounds[index + 1]))
    if (open.length === 0) return piece
    const tag = open.some(({ look }) => look === 'viewer-match') ? 'mark' : 'span'
    return [element(tag, open.map(({ look }) => look).join(' '), ...piece)]
  })
}

function cutNote(cutLength: number, holdsMatch: boolean): HTMLElement {
  const note = element('span', 'viewer-cut', text('view.cut', { count: cutLength }))
  if (holdsMatch) note.classList.add('viewer-match')
  return note
}

/** The element of a row. Its text is exactly the line's. */
export function lineRow(row: LineRow): HTMLElement {
  const { number, line, mark, chosen, isStop, href } = row
  const link = element('a', 'viewer-line-number', String(number + 1))
  link.tabIndex = isStop ? 0 : -1
  // Only one of them is read, or each line would begin with a link.
  if (isStop) link.ariaLabel = text('place.line', { line: number + 1 })
  else link.ariaHidden = 'true'
  if (href === null) link.role = 'button'
  if (href !== null) link.href = href
  link.dataset.line = String(number)
  const shown = line?.text ?? ''
  const content = element('span', 'viewer-line-text', ...styled(shown, row))
  // Inside the text, so that it is at the end of a wrapped line.
  if (line !== undefined && line.cutLength > 0)
    content.append(cutNote(line.cutLength, mark !== null && mark.column >= shown.length))
  return element('div', chosen ? 'viewer-line viewer-chosen' : 'viewer-line', link, content)
}
