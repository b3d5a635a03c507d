import { text } from '../../texts/text.js'
import type { Line } from '../document/document-reader.js'
import { element } from './element.js'

/** Shows, once a cut line has been seen, that long lines are cut and where the rest is. */
export interface CutNotice {
  readonly element: HTMLElement
  see(lines: readonly Line[]): void
}

/** A notice, hidden at first. */
export function cutNotice(): CutNotice {
  const notice = element(
    'div',
    'viewer-cut-notice',
    element('span', 'viewer-cut-text', text('view.cutLines')),
  )
  notice.hidden = true
  return {
    element: notice,
    see(lines) {
      if (notice.hidden && lines.some(({ cutLength }) => cutLength > 0)) notice.hidden = false
    },
  }
}
