import { LRUCache } from 'lru-cache'

/** A page of a list, as sent. */
export interface CachedPage {
  readonly etag: string
  /** The body with one character per byte. */
  readonly text: string
  readonly nextCursor: string | null
  /** Whether it differed from the page that was cached before it. */
  readonly hadChanged: boolean
}

const bytesMax = 16 * 1024 * 1024
/** The approximate memory of a page besides its text. */
const overheadBytes = 512

/** Keeps up to 16 MiB. Entries may be stale: have content confirm the ETag before use. */
export function createPageCache(): Pick<LRUCache<string, CachedPage>, 'get' | 'set'> {
  return new LRUCache<string, CachedPage>({
    maxSize: bytesMax,
    sizeCalculation: ({ text }, key) => overheadBytes + key.length + text.length,
  })
}

/**
 * The ETag that content compares before it reads a page; empty for one to read at once. Comparing is a statement more,
 * in vain for a page that changes all the time: one that had changed the last time is read without, until it is the
 * same again.
 */
export function etagToCompare(known: CachedPage | undefined): string {
  return known === undefined || known.hadChanged ? '' : known.etag
}

/** What to cache of a page that was read as `sent` and was cached as `known`. */
export function nextCached(known: CachedPage | undefined, sent: Omit<CachedPage, 'hadChanged'>): CachedPage {
  return { ...sent, hadChanged: known !== undefined && known.etag !== sent.etag }
}
