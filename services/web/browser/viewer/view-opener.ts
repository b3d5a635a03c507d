import { openDiffView } from './diff-view.js'
import { openTableView } from './table-view.js'
import { openRawView, openSourceView, openTextView } from './text-view.js'
import { openTreeView } from './tree-view.js'
import type { OpenView, ViewName } from './view.js'

/** The code of a view. What few documents need is loaded on demand. */
export async function viewOpener(view: ViewName): Promise<OpenView> {
  switch (view) {
    case 'text':
      return openTextView
    case 'tree':
      return openTreeView
    case 'table':
      return openTableView
    case 'rendered':
      return (await import('./rendered-view.js')).openRenderedView
    case 'picture':
      return (await import('./picture-view.js')).openPictureView
    case 'diff':
      return openDiffView
    case 'source':
      return openSourceView
    case 'raw':
      return openRawView
    default:
      return view satisfies never
  }
}
