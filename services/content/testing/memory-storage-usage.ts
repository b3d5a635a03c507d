import type { StorageUsage } from '../document-ports.js'
import { type MemoryState, storedBytesOf } from './memory-state.js'

/** Storage usage in memory, for tests. */
export function memoryStorageUsage(state: MemoryState): StorageUsage {
  return { storedBytes: async (ownerId) => storedBytesOf(state, ownerId) }
}
