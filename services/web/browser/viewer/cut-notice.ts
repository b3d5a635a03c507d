import { text } from '../../texts/text.js'
import type { Line } from '../document/document-reader.js'
import { element } from './element.js'

/** Says that long lines are cut, and where all of them is, as soon as one has been seen. */
export interface CutNotice {
  readonly element: HTMLElement
  see(lines: readonly Line[]): void
}

/** A notice that is not in sight yet. */
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
