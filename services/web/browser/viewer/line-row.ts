import { text } from '../../texts/text.js'
import type { Line } from '../document/document-reader.js'
import { element } from './element.js'
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
  readonly chosen: boolean
  /** What the link of its number leads to. */
  readonly href: string | null
}

function marked(shown: string, { column, length }: MarkedSpan): readonly (Node | string)[] {
  if (column >= shown.length) return nameHidden(shown)
  const end = column + length
  const match = element('mark', 'viewer-match', ...nameHidden(shown.slice(column, end)))
  return [...nameHidden(shown.slice(0, column)), match, ...nameHidden(shown.slice(end))]
}

function cutNote(cutLength: number, holdsMatch: boolean): HTMLElement {
  const note = element('span', 'viewer-cut', text('view.cut', { count: cutLength }))
  if (holdsMatch) note.classList.add('viewer-match')
  return note
}

/** The element of a row. Its text is what the line holds, character by character. */
export function lineRow({ number, line, mark, chosen, href }: LineRow): HTMLElement {
  const link = element('a', 'viewer-line-number', String(number + 1))
  // A way for the mouse; by keyboard a line is gone to by its number.
  link.tabIndex = -1
  link.setAttribute('aria-hidden', 'true')
  if (href !== null) link.href = href
  link.dataset.line = String(number)
  const shown = line?.text ?? ''
  const content = element(
    'span',
    'viewer-line-text',
    ...(mark === null ? nameHidden(shown) : marked(shown, mark)),
  )
  // Within the text, so that it stands where a broken line ends.
  if (line !== undefined && line.cutLength > 0)
    content.append(cutNote(line.cutLength, mark !== null && mark.column >= shown.length))
  return element('div', chosen ? 'viewer-line viewer-chosen' : 'viewer-line', link, content)
}
