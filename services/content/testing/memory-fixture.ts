import { nodeHashing, randomContentIds } from '../adapters/node-crypto.js'
import type { ListedDocumentStore } from '../document-ports.js'
import type { DocumentId } from '../domain/ids.js'
import type { ContentFixture } from './content-fixture.js'
import { memoryDocumentStore } from './memory-document-store.js'
import { memoryStores } from './memory-stores.js'
import { plainPasswords } from './plain-passwords.js'

function flipFirst(bytes: Uint8Array | null | undefined): void {
  if (bytes?.[0] !== undefined) bytes[0] ^= 1
}

/** Content in memory, and a second store that documents can move to. */
export interface MemoryFixture extends ContentFixture {
  /** Simulates a full disk. */
  fillDisk(full: boolean): void
  readonly listed: ListedDocumentStore
  readonly bytes: Map<DocumentId, Uint8Array>
  /** Does not notice deleted documents. */
  readonly elsewhere: ListedDocumentStore
  readonly bytesElsewhere: Map<DocumentId, Uint8Array>
}

/** Content in memory, with a clock that only `passTime` moves. */
export function memoryFixture(): MemoryFixture {
  let time = Date.UTC(2030, 0, 1)
  let diskIsFull = false
  const { state, bytes, stores } = memoryStores(() => new Date(time))
  const bytesElsewhere = new Map<DocumentId, Uint8Array>()
  return {
    listed: stores.documents,
    bytes,
    elsewhere: memoryDocumentStore(null, bytesElsewhere),
    bytesElsewhere,
    ports: {
      ...stores,
      diskIsFull: () => diskIsFull,
      ids: randomContentIds,
      hashing: nodeHashing,
      passwords: plainPasswords,
      monotonicMs: () => time,
    },
    fillDisk(full) {
      diskIsFull = full
    },
    async passTime(ms) {
      time += ms
    },
    async alignCreations() {
      const createdAt = new Date(time)
      for (const [id, kept] of state.snippets) {
        state.snippets.set(id, { ...kept, record: { ...kept.record, createdAt } })
      }
      for (const [id, kept] of state.shares) {
        state.shares.set(id, { ...kept, record: { ...kept.record, createdAt } })
      }
    },
    damageDocument: async (id) => flipFirst(bytes.get(id)),
    damageSnippet: async (id) => flipFirst(state.snippets.get(id)?.bytes),
    documentsWithBytes: async () => bytes.size,
  }
}
