import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state'
import { Decoration, EditorView, WidgetType } from '@codemirror/view'
import { text } from '../../../texts/text.js'
import { element } from '../element.js'
import type { TextPart } from './text-part.js'

/** What is marked in the document: a line, and in it perhaps a match. All is counted from 0. */
export interface Marked {
  readonly line: number
  readonly match: { readonly column: number; readonly length: number } | null
}

/** Says which part the editor holds from now on. */
export const holdPart = StateEffect.define<TextPart>()
/** Says what is marked from now on. */
export const markPlace = StateEffect.define<Marked | null>()

/** The part that the editor holds. */
export const heldPart = StateField.define<TextPart>({
  create: () => ({ firstLine: 0, lines: [] }),
  update: (part, { effects }) => effects.findLast((effect) => effect.is(holdPart))?.value ?? part,
})

const marked = StateField.define<Marked | null>({
  create: () => null,
  update: (old, { effects }) => {
    const change = effects.findLast((effect) => effect.is(markPlace))
    return change === undefined ? old : change.value
  },
})

/** Where a line of the document begins in the editor, and where it ends; `null` when another part holds it. */
export function rangeOfLine(
  state: EditorState,
  line: number,
): { readonly from: number; readonly to: number } | null {
  const { firstLine, lines } = state.field(heldPart)
  const number = line - firstLine + 1
  return number < 1 || number > Math.min(lines.length, state.doc.lines) ? null : state.doc.line(number)
}

/** Says at the end of a line how much of it is left out. Editors take such things as classes. */
class CutNote extends WidgetType {
  readonly cutLength: number

  constructor(cutLength: number) {
    super()
    this.cutLength = cutLength
  }

  override eq(other: CutNote): boolean {
    return other.cutLength === this.cutLength
  }

  override toDOM(): HTMLElement {
    return element('span', 'viewer-cut', text('view.cut', { count: this.cutLength }))
  }
}

const cutNotes = EditorView.decorations.compute([heldPart], (state) => {
  const { firstLine, lines } = state.field(heldPart)
  const notes = lines.flatMap(({ cutLength }, index) => {
    const range = cutLength > 0 ? rangeOfLine(state, firstLine + index) : null
    return range === null
      ? []
      : [Decoration.widget({ widget: new CutNote(cutLength), side: 1 }).range(range.to)]
  })
  return Decoration.set(notes)
})

const chosenLine = Decoration.line({ class: 'viewer-chosen' })
const currentMatch = Decoration.mark({ class: 'viewer-match' })

const marks = EditorView.decorations.compute([heldPart, marked], (state) => {
  const place = state.field(marked)
  const range = place === null ? null : rangeOfLine(state, place.line)
  if (place === null || range === null) return Decoration.none
  const from = Math.min(range.to, range.from + (place.match?.column ?? 0))
  const to = Math.min(range.to, from + (place.match?.length ?? 0))
  const line = chosenLine.range(range.from)
  return Decoration.set(from < to ? [line, currentMatch.range(from, to)] : [line], true)
})

/** All that an editor needs to hold a part of a document, with true line numbers elsewhere. */
export const partState: Extension = [heldPart, marked, cutNotes, marks]
