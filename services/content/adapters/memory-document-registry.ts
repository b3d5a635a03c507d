import { documentGone } from '../domain/stored-data.js'
import type { DocumentRegistry } from '../ports.js'
import type { MemoryState } from './memory-state.js'

/** The registry of documents in memory, for tests. */
export function memoryDocumentRegistry(state: MemoryState): DocumentRegistry {
  const { documents } = state
  return {
    async reserve(id, ownerId) {
      if (documents.has(id)) return
      documents.set(id, { ownerId, digest: null, state: 'writing', unclaimedSince: state.now() })
    },
    async complete(id, digest, kept) {
      const document = documents.get(id)
      if (document?.state !== 'writing') throw documentGone()
      documents.set(id, {
        ...document,
        digest,
        state: kept ? 'stored' : 'compared',
        unclaimedSince: state.now(),
      })
    },
    find: async (id) => documents.get(id)?.digest ?? null,
    async findNamed(id) {
      const document = documents.get(id)
      return document?.unclaimedSince === null ? document.digest : null
    },
    async condemn(graceMs, most) {
      const before = state.now().getTime() - graceMs
      const due = [...documents].filter(
        ([, { unclaimedSince }]) => unclaimedSince !== null && unclaimedSince.getTime() < before,
      )
      const condemned = due.slice(0, most)
      for (const [id, document] of condemned)
        documents.set(id, { ...document, digest: null, state: 'condemned' })
      return condemned.map(([id]) => id)
    },
    async forget(ids) {
      for (const id of ids) documents.delete(id)
    },
  }
}
