import type { OpenedPart } from '../document/document-reader.js'
import type { DeepLink } from './deep-link.js'
import type { ViewName } from './view.js'

type Shape = Pick<OpenedPart, 'kind' | 'table' | 'hasTree' | 'isFormatted' | 'isString' | 'lack'>

/** The view that only parts of this kind have. */
function ownView({ kind, lack }: Shape): ViewName | null {
  if (lack !== null) return null
  if (kind === 'markdown') return 'rendered'
  if (kind === 'image') return 'picture'
  return kind === 'diff' || kind === 'patch' ? 'diff' : null
}

/** The views of a part, in the order of their tabs. */
export function suitableViews(part: Shape): readonly ViewName[] {
  const views: ViewName[] = []
  const own = ownView(part)
  if (own !== null) views.push(own)
  // The text of an image is meaningless, and a comparison has no text of its own.
  if (own !== 'picture' && part.kind !== 'diff') views.push('text')
  if (part.hasTree) views.push('tree')
  if (part.table !== null) views.push('table')
  if (part.isString && part.isFormatted) views.push('source')
  return [...views, 'raw']
}

/** Whether a view shows lines of text. */
export function hasLines(view: ViewName | null): boolean {
  return view === 'text' || view === 'source' || view === 'raw'
}

/** The view of the text as sent that belongs to the text as shown; `null` if they don't differ. */
export function sentView(part: Shape): ViewName | null {
  if (!part.isFormatted || part.kind === 'diff') return null
  return part.isString ? 'source' : 'raw'
}

/** The view whose tab is selected while this one is open; `null` for none. */
export function tabOfView(view: ViewName, part: Shape): ViewName | null {
  if (view === sentView(part)) return 'text'
  return view === 'source' || view === 'raw' ? null : view
}

/** The view to open: the requested one if the part has it, else the most suitable. */
export function firstView(part: Shape, asked: string | null = null): ViewName {
  const found = suitableViews(part).find((view) => view === asked)
  if (found !== undefined) return found
  const own = ownView(part)
  if (own !== null) return own
  // JSON in a string is a formatter's input: show it formatted, with its comments.
  if (part.isString && /^json[c5]?$/.test(part.kind)) return 'text'
  // Members that are alike may be settings as well.
  if (part.table !== null && part.table.source !== 'members') return 'table'
  return part.kind === 'json' ? 'tree' : 'text'
}

/** The views that can show a place, most likely first; the open view goes first if it can. */
export function viewsOfLink(place: DeepLink, part: Shape, open: ViewName | null): readonly ViewName[] {
  const suitable = suitableViews(part)
  const able = new Set(viewsAbleTo(place).filter((view) => suitable.includes(view)))
  return open !== null && able.delete(open) ? [open, ...able] : [...able]
}

function viewsAbleTo(place: DeepLink): readonly ViewName[] {
  switch (place.kind) {
    case 'pointer':
      return ['tree', 'table', 'text']
    case 'cell':
      return ['table']
    case 'line':
      return [place.form === 'sent' ? 'raw' : (place.form ?? 'text')]
    default:
      return place satisfies never
  }
}
