import { text } from '../../../texts/text.js'
import type { DataKind } from './new-data.js'

export function kindName(kind: DataKind): string {
  switch (kind) {
    case 'json':
      return text('snippets.json')
    case 'csv':
      return text('snippets.csv')
    case 'sql':
      return text('snippets.sql')
    case 'text':
      return text('snippets.text')
    default:
      return kind satisfies never
  }
}
