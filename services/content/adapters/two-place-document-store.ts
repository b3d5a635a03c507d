import type { DocumentStore } from '../ports.js'

/**
 * Documents that are on their way from one store to another: they are written to `to` alone, and read from there first.
 * What is not there yet is read from `from`, whose bytes must stay for as long as reads may take once `to` has them.
 */
export function twoPlaceDocumentStore(to: DocumentStore, from: DocumentStore): DocumentStore {
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
