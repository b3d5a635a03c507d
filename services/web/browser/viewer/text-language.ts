import type { Kind } from '../document/kinds/kind.js'

/** The language for syntax colours. */
export type TextLanguage =
  | 'json'
  | 'jsonc'
  | 'sql'
  | 'markup'
  | 'yaml'
  | 'toml'
  | 'markdown'
  | 'patch'
  | 'plain'

/** The language for a part's text, by its kind. */
export function textLanguage(kind: Kind): TextLanguage {
  switch (kind) {
    case 'json':
    case 'ndjson':
    case 'jwt':
      return 'json'
    case 'jsonc':
    case 'json5':
      return 'jsonc'
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
