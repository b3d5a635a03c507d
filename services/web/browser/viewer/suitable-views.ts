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

/** The views that suit a part, in the order of their tabs. */
export function suitableViews(part: Shape): readonly ViewName[] {
  const views: ViewName[] = []
  const own = ownView(part)
  if (own !== null) views.push(own)
  // The text of a picture says nothing, and two sides have no text of their own.
  if (own !== 'picture' && part.kind !== 'diff') views.push('text')
  if (part.hasTree) views.push('tree')
  if (part.table !== null) views.push('table')
  if (part.isString && part.isFormatted) views.push('source')
  return [...views, 'raw']
}

/** The view that a part is opened in: the one asked for where the part has it, else the one that suits it best. */
export function firstView(part: Shape, asked: string | null = null): ViewName {
  const found = suitableViews(part).find((view) => view === asked)
  if (found !== undefined) return found
  const own = ownView(part)
  if (own !== null) return own
  // JSON in a string is what a formatter was given: it is shown formatted.
  if (part.kind === 'json' && part.isString) return 'text'
  if (part.table !== null) return 'table'
  return part.kind === 'json' ? 'tree' : 'text'
}

/** The views in which a place can be, the likeliest first; the open one wins where it can show the place. */
export function viewsOfPlace(place: DeepLink, part: Shape, open: ViewName | null): readonly ViewName[] {
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
