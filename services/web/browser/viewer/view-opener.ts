import { openRawView, openSourceView, openTextView } from './text-view.js'
import type { OpenView, ViewName } from './view.js'

/** The code of a view; rarely needed ones are loaded on demand. */
export async function viewOpener(view: ViewName): Promise<OpenView> {
  switch (view) {
    case 'text':
      return openTextView
    case 'tree':
      return (await import('./tree-view.js')).openTreeView
    case 'table':
      return (await import('./table-view.js')).openTableView
    case 'rendered':
      return (await import('./rendered-view.js')).openRenderedView
    case 'picture':
      return (await import('./picture-view.js')).openPictureView
    case 'diff':
      return (await import('./diff-view.js')).openDiffView
    case 'source':
      return openSourceView
    case 'raw':
      return openRawView
    default:
      return view satisfies never
  }
}
