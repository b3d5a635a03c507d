import { shareAt } from '../sdk/references.js'

/** What a tool is to work on. */
export interface OutputReference {
  /** `null` if only a request can tell: a snippet's id or a share's. */
  readonly kind: 'snippets' | 'shares' | null
  /** An id, or `@` and a name. */
  readonly id: string
}

/** Parses an id, `@name`, the URL of a share, or a `snipkeep://` URI. */
export function parseReference(text: string): OutputReference {
  const trimmed = text.trim()
  const [, kind, id = ''] = /^snipkeep:\/\/(snippets|shares)\/([^/]+)$/.exec(trimmed) ?? []
  if (kind === 'snippets' || kind === 'shares') return { kind, id: decodeURIComponent(id) }
  const share = shareAt(trimmed)
  if (share !== null) return { kind: 'shares', id: share.id }
  return { kind: trimmed.startsWith('@') ? 'snippets' : null, id: trimmed }
}
