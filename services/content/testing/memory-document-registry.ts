import type { DocumentRegistry } from '../document-ports.js'
import { documentGone, noStorageQuota } from '../domain/stored-data.js'
import { deliverIfStorageNear, type MemoryDocument, type MemoryState, takeRoom } from './memory-state.js'

function condemned({
  state,
  digest,
  sizeBytes,
}: MemoryDocument): Pick<MemoryDocument, 'digest' | 'sizeBytes' | 'state'> {
  const size = state === 'compared' ? 0 : (digest?.sizeBytes ?? sizeBytes)
  return { digest: null, sizeBytes: size, state: 'condemned' }
}

/** The registry of documents in memory, for tests. */
export function memoryDocumentRegistry(state: MemoryState): DocumentRegistry {
  const { documents } = state
  return {
    async reserve(id, ownerId) {
      if (documents.has(id)) return
      documents.set(id, {
        ownerId,
        digest: null,
        sizeBytes: 0,
        state: 'writing',
        unclaimedSince: state.now(),
      })
    },
    async complete(id, digest, kept, storage = noStorageQuota) {
      const document = documents.get(id)
      if (document?.state !== 'writing') throw documentGone()
      if (kept) takeRoom(state, document.ownerId, digest.sizeBytes, storage)
      documents.set(id, {
        ...document,
        digest,
        state: kept ? 'stored' : 'compared',
        unclaimedSince: state.now(),
      })
      if (kept) deliverIfStorageNear(state, document.ownerId, storage, digest.sizeBytes)
    },
    find: async (id) => documents.get(id)?.digest ?? null,
    async findNamed(id) {
      const document = documents.get(id)
      return document?.unclaimedSince === null ? document.digest : null
    },
    async condemn(graceMs, limit) {
      const now = state.now()
      const before = now.getTime() - graceMs
      const due = [...documents].filter(
        ([, { unclaimedSince }]) => unclaimedSince !== null && unclaimedSince.getTime() < before,
      )
      const first = due.slice(0, limit)
      for (const [id, document] of first)
        documents.set(id, { ...document, ...condemned(document), unclaimedSince: now })
      return first.map(([id]) => id)
    },
    async discard(id, ownerId) {
      const document = documents.get(id)
      const isLoose = document?.unclaimedSince != null && document.digest !== null
      if (!isLoose || document.ownerId !== ownerId) return false
      documents.set(id, { ...document, ...condemned(document), unclaimedSince: state.now() })
      return true
    },
    async forget(ids) {
      for (const id of ids) documents.delete(id)
    },
  }
}
