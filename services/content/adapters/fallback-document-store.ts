import type { DocumentStore } from '../document-ports.js'

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
