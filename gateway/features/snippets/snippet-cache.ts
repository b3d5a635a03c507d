import { LRUCache } from 'lru-cache'
import type { Snippet } from '#proto/snipkeep/content/v1/snippet_service.js'

/** A snippet with small data as content gave it. */
export interface CachedSnippet {
  readonly snippet: Snippet
  /** The response that shows it, a character for each byte. */
  readonly text: string
}

const bytesMax = 32 * 1024 * 1024
/** What a snippet takes beside its data and its response, roughly. */
const overheadBytes = 1_024

/** A cache of 32 MiB of snippets. None is known to be current: whoever uses one has content compare its ETag first. */
export function createSnippetCache(): Pick<LRUCache<string, CachedSnippet>, 'get' | 'set'> {
  return new LRUCache<string, CachedSnippet>({
    maxSize: bytesMax,
    sizeCalculation: ({ snippet, text }) => overheadBytes + snippet.sizeBytes + text.length,
  })
}
