import { unavailable } from '#libs/core/domain-error.js'
import type { Logger } from '#libs/log/logger.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import type { DocumentStore } from '../document-ports.js'
import { DataCorruptionError } from '../domain/stored-data.js'

/** Exported from the start, at 0: an alert can't see the first increase of a counter that begins at 1. */
const corruptReads = metrics.damagedReads.series()

/** Counts errors that mean corrupt data, and no others. */
export function countCorruption(error: unknown): void {
  if (error instanceof DataCorruptionError) corruptReads.inc()
}

/**
 * The only store that a process knows. A document of which it has no byte is probably in another one, as in the middle
 * of a switch to S3, so its reader should try again. It counts as damaged, because it may be lost as well.
 */
export function soleDocumentStore(store: DocumentStore, log: Pick<Logger, 'error'>): DocumentStore {
  return {
    write: (id, chunks) => store.write(id, chunks),
    remove: (ids) => store.remove(ids),
    async *read(id, range) {
      let found = false
      for await (const chunk of store.read(id, range)) {
        found = true
        yield chunk
      }
      if (found || range.length === 0) return
      const missing = new DataCorruptionError(`document ${id} has no bytes in this process' store`)
      countCorruption(missing)
      log.error({ event: 'document_elsewhere', err: missing, document_id: id }, 'document not in this store')
      throw unavailable('This data cannot be read at the moment. Try again.', missing)
    },
  }
}

/**
 * Documents during a move to another store: writes go only to `to`; reads fall back to `from`, which must
 * keep the bytes for as long as a read may take after `to` has them.
 */
export function fallbackDocumentStore(to: DocumentStore, from: DocumentStore): DocumentStore {
  return {
    write: (id, chunks) => to.write(id, chunks),
    async *read(id, range) {
      let found = false
      for await (const chunk of to.read(id, range)) {
        found = true
        yield chunk
      }
      if (!found) yield* from.read(id, range)
    },
    async remove(ids) {
      await to.remove(ids)
      await from.remove(ids)
    },
  }
}
