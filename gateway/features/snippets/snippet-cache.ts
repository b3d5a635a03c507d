import { LRUCache } from 'lru-cache'
import type { Snippet } from '#proto/snipkeep/content/v1/snippet_service.js'

/** A snippet with small data as content gave it. */
export interface CachedSnippet {
  readonly snippet: Snippet
  /** The response that shows it, a character for each byte. */
  readonly text: string
}

const bytesMax = 32 * 1024 * 1024
/** Approximate memory of a snippet besides its data and its response. */
const overheadBytes = 1_024

/** A cache of 32 MiB of snippets. Entries may be stale: compare the ETag with content before use. */
export function createSnippetCache(): Pick<LRUCache<string, CachedSnippet>, 'get' | 'set'> {
  return new LRUCache<string, CachedSnippet>({
    maxSize: bytesMax,
    sizeCalculation: ({ snippet, text }) => overheadBytes + snippet.sizeBytes + text.length,
  })
}
