import { openDiffView } from './diff-view.js'
import { openPictureView } from './picture-view.js'
import { openTableView } from './table-view.js'
import { openRawView, openSourceView, openTextView } from './text-view.js'
import { openTreeView } from './tree-view.js'
import type { OpenView, ViewName } from './view.js'

/** The code of a view. Only the large one is loaded on demand: a request takes longer than a few kilobytes more. */
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
      return openPictureView
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
