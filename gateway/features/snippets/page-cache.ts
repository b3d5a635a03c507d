import { metrics } from '#libs/telemetry/catalogue.js'
import { createVersionMemory, type VersionMemory } from '../../cache/revalidating-cache.js'

/** A page of a list as it was sent. */
export interface RememberedPage {
  readonly etag: string
  /** The answer, a character for each of its bytes. */
  readonly text: string
  readonly nextCursor: string | null
}

const bytesMax = 16 * 1024 * 1024
/** What a page takes beside its text, roughly. */
const overheadBytes = 512

/** A memory of 16 MiB of pages. */
export function createPageMemory(): VersionMemory<RememberedPage> {
  return createVersionMemory({
    bytesMax,
    bytesOf: ({ text }, key) => overheadBytes + key.length + text.length,
    lookups: metrics.pageMemoryLookups,
  })
}
