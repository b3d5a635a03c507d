import { LRUCache } from 'lru-cache'

/** A page of a list as it was sent. */
export interface CachedPage {
  readonly etag: string
  /** The response, a character for each of its bytes. */
  readonly text: string
  readonly nextCursor: string | null
}

const bytesMax = 16 * 1024 * 1024
/** What a page takes beside its text, roughly. */
const overheadBytes = 512

/** A cache of 16 MiB of pages. None is known to be current: whoever uses one has content compare its ETag first. */
export function createPageCache(): Pick<LRUCache<string, CachedPage>, 'get' | 'set'> {
  return new LRUCache<string, CachedPage>({
    maxSize: bytesMax,
    sizeCalculation: ({ text }, key) => overheadBytes + key.length + text.length,
  })
}
