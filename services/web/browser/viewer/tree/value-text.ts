import { text } from '../../../texts/text.js'
import type { NodeValue } from '../../document/changes.js'
import { quotedText } from '../visible-text.js'

/** The value of a node in one row. */
export function valueText({ type, preview, cutLength, childCount }: NodeValue): string {
  const cut = cutLength > 0 ? `${preview}…` : preview
  switch (type) {
    case 'object':
      return childCount === 0 ? cut || '{}' : text('tree.members', { count: childCount })
    case 'array':
      return childCount === 0 ? cut || '[]' : text('tree.items', { count: childCount })
    case 'string':
      return cutLength > 0 ? `${quotedText(preview).slice(0, -1)}…` : quotedText(preview)
    case 'number':
    case 'boolean':
    case 'null':
      return cut
    default:
      return type satisfies never
  }
}
