import { LRUCache } from 'lru-cache'
import { metrics } from '#libs/telemetry/catalogue.js'

/** A page of a list as it was sent. */
export interface RememberedPage {
  /** The version that whoever keeps the list knows it by. */
  readonly version: string
  /** The answer, a character for each of its bytes. */
  readonly text: string
  readonly nextCursor: string | null
}

/** A memory of pages. It never says that a page is still true: whoever uses one asks for its version first. */
export interface PageMemory {
  find(key: string): RememberedPage | null
  keep(key: string, page: RememberedPage): void
  /** Counts how a page was answered: from memory, anew because it had changed, or anew because it was not known. */
  count(outcome: 'unchanged' | 'changed' | 'unknown'): void
}

const bytesMax = 16 * 1024 * 1024
/** What a page takes beside its text, roughly. */
const overheadBytes = 512

/** A memory of 16 MiB of pages; beyond that, those that were used longest ago make room. */
export function createPageMemory(): PageMemory {
  const pages = new LRUCache<string, RememberedPage>({
    maxSize: bytesMax,
    sizeCalculation: ({ text }, key) => overheadBytes + key.length + text.length,
  })
  const lookups = {
    unchanged: metrics.pageMemoryLookups.series('unchanged'),
    changed: metrics.pageMemoryLookups.series('changed'),
    unknown: metrics.pageMemoryLookups.series('unknown'),
  }
  return {
    find: (key) => pages.get(key) ?? null,
    keep(key, page) {
      pages.set(key, page)
    },
    count(outcome) {
      lookups[outcome].value += 1
    },
  }
}
