import { element } from './element.js'
import { splitHidden } from './hidden-characters.js'

/**
 * Text in which characters that show nothing, or turn the direction of what follows, are named and work no further than
 * themselves. Copied, it is the same text.
 */
export function nameHidden(text: string): readonly (Node | string)[] {
  return splitHidden(text).map(({ text: piece, code }) => {
    if (code === null) return piece
    const shown = element('span', 'viewer-hidden', piece)
    shown.dataset.code = code
    return shown
  })
}
