import type { Kind } from '../document/kinds/kind.js'

/** What a text is coloured as. */
export type TextLanguage = 'json' | 'sql' | 'markup' | 'yaml' | 'toml' | 'markdown' | 'patch' | 'plain'

/** The language of the text of a part, by its kind. */
export function textLanguage(kind: Kind): TextLanguage {
  switch (kind) {
    case 'json':
    case 'ndjson':
    case 'jwt':
      return 'json'
    case 'xml':
    case 'html':
      return 'markup'
    case 'sql':
    case 'yaml':
    case 'toml':
    case 'markdown':
    case 'patch':
      return kind
    case 'csv':
    case 'image':
    case 'diff':
    case 'text':
      return 'plain'
    default:
      return kind satisfies never
  }
}
