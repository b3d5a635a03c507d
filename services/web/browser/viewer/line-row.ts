import { text } from '../../texts/text.js'
import type { Line } from '../document/document-reader.js'
import { element } from './element.js'
import type { LineColours } from './line-colours.js'
import { nameHidden } from './named-characters.js'

/** Units of a line that are marked; those beyond what is shown of it mark its end. */
export interface MarkedSpan {
  readonly column: number
  readonly length: number
}

/** What a row shows. */
export interface LineRow {
  /** Counted from 0. */
  readonly number: number
  /** `undefined` while it has not been fetched. */
  readonly line: Line | undefined
  readonly mark: MarkedSpan | null
  /** Marked wherever it is. */
  readonly found: RegExp | null
  readonly colours: LineColours
  readonly chosen: boolean
  /** What the link of its number leads to. */
  readonly href: string | null
}

/** Units of a line that look alike. */
interface Span {
  readonly from: number
  readonly to: number
  readonly look: string
}

function spansOf(shown: string, { mark, found, colours }: LineRow): readonly Span[] {
  const tokens = colours(shown).map(({ kind, from, to }) => ({ from, to, look: `token-${kind}` }))
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

/** The text of a line with its colours and marks, in pieces that may have several of them. */
function styled(shown: string, row: LineRow): readonly (Node | string)[] {
  const spans = spansOf(shown, row)
  const cuts = new Set([
    0,
    shown.length,
    ...spans.flatMap(({ from, to }) => [from, Math.min(to, shown.length)]),
  ])
  const bounds = [...cuts].sort((one, other) => one - other)
  // Those that begin before and end behind a piece; tokens come in order, so only few are looked at.
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

/** The element of a row. Its text is what the line holds, character by character. */
export function lineRow(row: LineRow): HTMLElement {
  const { number, line, mark, chosen, href } = row
  const link = element('a', 'viewer-line-number', String(number + 1))
  // A way for the mouse; by keyboard a line is gone to by its number.
  link.tabIndex = -1
  link.setAttribute('aria-hidden', 'true')
  if (href !== null) link.href = href
  link.dataset.line = String(number)
  const shown = line?.text ?? ''
  const content = element('span', 'viewer-line-text', ...styled(shown, row))
  // Within the text, so that it stands where a broken line ends.
  if (line !== undefined && line.cutLength > 0)
    content.append(cutNote(line.cutLength, mark !== null && mark.column >= shown.length))
  return element('div', chosen ? 'viewer-line viewer-chosen' : 'viewer-line', link, content)
}
