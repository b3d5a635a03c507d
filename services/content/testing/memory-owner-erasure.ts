import type { OwnerId } from '../domain/ids.js'
import type { OwnerErasure } from '../erasure-ports.js'
import type { MemoryState } from './memory-state.js'

/** Deletes the entries of a map that belong to an owner; returns how many. */
function removeOf<K, V>(map: Map<K, V>, isOwn: (value: V, key: K) => boolean): number {
  let removed = 0
  for (const [key, value] of map) if (isOwn(value, key) && map.delete(key)) removed += 1
  return removed
}

function removeAll(state: MemoryState, owner: OwnerId): number {
  const shares = [...state.shares.values()].filter(({ record }) => record.ownerId === owner)
  for (const { record } of shares) state.views.delete(record.id)
  removeOf(state.contracts, (_contract, id) => state.snippets.get(id)?.record.ownerId === owner)
  return (
    removeOf(state.checks, ({ record }) => record.ownerId === owner) +
    removeOf(state.snippets, ({ record }) => record.ownerId === owner) +
    removeOf(state.shares, ({ record }) => record.ownerId === owner) +
    removeOf(state.reports, ({ report }) => report.ownerId === owner) +
    removeOf(state.deliveries, ({ event }) => event.ownerId === owner) +
    removeOf(state.keys, (_key, name) => JSON.parse(name)[0] === owner)
  )
}

/** Deletes owners from memory, for tests. */
export function memoryOwnerErasure(state: MemoryState): OwnerErasure {
  const documentsOf = (owner: OwnerId) => [...state.documents].filter(([, { ownerId }]) => ownerId === owner)
  return {
    removeRecords: async (owner) => removeAll(state, owner),
    async condemn(owner, graceMs, limit) {
      const now = state.now()
      const due = documentsOf(owner).filter(
        ([, { state: is, unclaimedSince }]) =>
          is !== 'writing' || (unclaimedSince ?? now).getTime() < now.getTime() - graceMs,
      )
      for (const [id, document] of due.slice(0, limit)) {
        const sizeBytes = document.digest?.sizeBytes ?? document.sizeBytes
        state.documents.set(id, {
          ...document,
          digest: null,
          sizeBytes,
          state: 'condemned',
          unclaimedSince: now,
        })
      }
      return due.slice(0, limit).map(([id]) => id)
    },
    async finish(owner) {
      if (documentsOf(owner).length > 0) return false
      removeAll(state, owner)
      state.suspensions.delete(owner)
      state.audit.erase(owner)
      state.erased.add(owner)
      return true
    },
  }
}
