import type { OpenedDocument } from '../document/document-reader.js'
import type { DeepLink } from './deep-link.js'
import type { ViewName } from './view.js'

type Shape = Pick<OpenedDocument, 'kind' | 'table'>

/** The views that suit a document, in the order of their tabs. */
export function suitableViews({ kind, table }: Shape): readonly ViewName[] {
  // The tree of a single value would be that string.
  const tree: readonly ViewName[] = kind === 'json' ? ['tree'] : []
  return ['text', ...tree, ...(table === null ? [] : ['table' as const]), 'raw']
}

/** The view that a document is best seen in. */
export function firstView({ kind, table }: Shape): ViewName {
  if (table !== null) return 'table'
  return kind === 'json' ? 'tree' : 'text'
}

/** The views in which a place can be, the likeliest first; the open one wins where it can show the place. */
export function viewsOfPlace(place: DeepLink, document: Shape, open: ViewName | null): readonly ViewName[] {
  const suitable = suitableViews(document)
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
      return place.form === 'sent' ? ['raw'] : ['text']
    default:
      return place satisfies never
  }
}
