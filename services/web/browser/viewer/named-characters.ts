import { element } from './element.js'
import { splitHidden } from './hidden-characters.js'

/**
 * Text in which invisible and direction-changing characters are labelled and isolated. Copying it yields the
 * original.
 */
export function nameHidden(text: string): readonly (Node | string)[] {
  return splitHidden(text).map(({ text: piece, code }) => {
    if (code === null) return piece
    const shown = element('span', 'viewer-hidden', piece)
    shown.dataset.code = code
    return shown
  })
}
