import { text } from '../../texts/text.js'
import type { FoundMatch } from './view.js'

/** Describes the result of a search. */
export function matchCount(found: FoundMatch | null): string {
  if (found === null) return text('search.none')
  if (found.total === null) return text('search.some')
  if (found.index === null) return text('search.total', { count: found.total })
  return text('search.match', { index: found.index + 1, total: found.total })
}
