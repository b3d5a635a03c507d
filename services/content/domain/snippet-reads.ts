import type { ListPosition } from '#libs/core/page.js'
import type { OwnerId, SnippetId } from './ids.js'
import { searchWords } from './snippet.js'

/** The words of a search; one that consists only of symbols, such as "--", becomes a word that nothing matches. */
export function wantedWords(query: string): readonly string[] {
  const words = searchWords(query)
  return words.length === 0 && query.trim() !== '' ? [''] : words
}

/** A snippet of an owner. */
export interface SnippetKey {
  readonly ownerId: OwnerId
  readonly id: SnippetId
}

/** A snippet by its owner's name for it. */
export interface SnippetNameKey {
  readonly ownerId: OwnerId
  readonly name: string
}

/** A read of a snippet by its owner. */
export interface SnippetRead extends SnippetKey {
  readonly includeData: boolean
}

/** The filter and page of a list. */
export interface SnippetFilter {
  readonly ownerId: OwnerId
  readonly tool: string | null
  /** Tags that a snippet must all have. */
  readonly tags: readonly string[]
  /** Search words that must all be in the title or the tags. */
  readonly words: readonly string[]
  readonly after: ListPosition | null
  readonly itemsMax: number
  readonly includeData: boolean
  /** The page ends with the item by which its data exceeds this many bytes. */
  readonly dataBytesMax: number
}
