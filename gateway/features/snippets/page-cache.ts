import { LRUCache } from 'lru-cache'

/** A page of a list as it was sent. */
export interface CachedPage {
  readonly etag: string
  /** The response, a character for each of its bytes. */
  readonly text: string
  readonly nextCursor: string | null
}

const bytesMax = 16 * 1024 * 1024
/** Approximate memory of a page besides its text. */
const overheadBytes = 512

/** A cache of 16 MiB of pages. Entries may be stale: compare the ETag with content before use. */
export function createPageCache(): Pick<LRUCache<string, CachedPage>, 'get' | 'set'> {
  return new LRUCache<string, CachedPage>({
    maxSize: bytesMax,
    sizeCalculation: ({ text }, key) => overheadBytes + key.length + text.length,
  })
}
