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

/** A memory of 16 MiB of pages; beyond that, those that were used longest ago make room, a tenth at a time. */
export function createPageMemory(): PageMemory {
  const pages = new Map<string, RememberedPage>()
  const lookups = {
    unchanged: metrics.pageMemoryLookups.series('unchanged'),
    changed: metrics.pageMemoryLookups.series('changed'),
    unknown: metrics.pageMemoryLookups.series('unknown'),
  }
  let bytes = 0
  const sizeOf = (key: string, { text }: RememberedPage): number => overheadBytes + key.length + text.length

  const drop = (key: string): void => {
    const page = pages.get(key)
    if (page === undefined) return
    pages.delete(key)
    bytes -= sizeOf(key, page)
  }

  const makeRoom = (): void => {
    for (const key of pages.keys()) {
      if (bytes <= bytesMax * 0.9) return
      drop(key)
    }
  }

  return {
    find(key) {
      const page = pages.get(key)
      if (page === undefined) return null
      pages.delete(key)
      pages.set(key, page)
      return page
    },
    keep(key, page) {
      drop(key)
      pages.set(key, page)
      bytes += sizeOf(key, page)
      if (bytes > bytesMax) makeRoom()
    },
    count(outcome) {
      lookups[outcome].value += 1
    },
  }
}
