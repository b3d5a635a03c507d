import { LRUCache } from 'lru-cache'
import type { Snippet } from '#proto/snipkeep/content/v1/snippet_service.js'

/** A snippet with small data. */
export interface CachedSnippet {
  readonly snippet: Snippet
  /** The response body with one character per byte. */
  readonly text: string
}

const bytesMax = 32 * 1024 * 1024
/** The approximate memory of a snippet besides its data and its response. */
const overheadBytes = 1_024

/** Keeps up to 32 MiB. Entries may be stale: have content confirm the ETag before use. */
export function createSnippetCache(): Pick<LRUCache<string, CachedSnippet>, 'get' | 'set'> {
  return new LRUCache<string, CachedSnippet>({
    maxSize: bytesMax,
    sizeCalculation: ({ snippet, text }) => overheadBytes + snippet.sizeBytes + text.length,
  })
}
