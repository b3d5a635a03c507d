import type { PartReader, TextForm } from '../document/document-reader.js'
import { type DeepLink, lineRange } from './deep-link.js'

/** The place of a line, or of those up to another, counted from 0, in this form of the text. */
export function linkToLine(form: TextForm, line: number, end = line): DeepLink {
  return { kind: 'line', ...lineRange(line + 1, end + 1), ...(form === 'shown' ? {} : { form }) }
}

/** The line, counted from 0, of a place in this form of the text; `null` if it has none there. */
export async function lineOfLink(
  reader: Pick<PartReader, 'lineOf'>,
  form: TextForm,
  place: DeepLink,
): Promise<number | null> {
  switch (place.kind) {
    case 'line':
      return (place.form ?? 'shown') === form ? place.line - 1 : null
    case 'pointer':
      return reader.lineOf(form, place.pointer)
    case 'cell':
      return null
    default:
      return place satisfies never
  }
}
