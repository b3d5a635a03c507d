import { openPlainTextView } from './plain-text-view.js'
import { openRawView } from './raw-view.js'
import type { OpenView, ViewName } from './view.js'

/** How a view is opened: the text of a lone string begins as plain lines, other text as it is chosen. */
export interface Opening {
  readonly view: ViewName
  /** The text as it was sent, not as it reads best. */
  readonly asSent: boolean
  /** Whether the view opens by itself, so that nothing heavy may be loaded for it. */
  readonly unasked: boolean
}

/** The code of a view, of which the heavy ones are loaded only now. */
export async function viewOpener({ view, asSent, unasked }: Opening): Promise<OpenView> {
  switch (view) {
    case 'text': {
      if (unasked) return openPlainTextView
      const { openSentTextView, openTextView } = await import('./text-view.js')
      return asSent ? openSentTextView : openTextView
    }
    case 'tree':
      return (await import('./tree-view.js')).openTreeView
    case 'table':
      return (await import('./table-view.js')).openTableView
    case 'raw':
      return openRawView
    default:
      return view satisfies never
  }
}
