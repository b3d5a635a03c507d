import type { ListedDocumentStore } from '../document-ports.js'
import type { DocumentId } from '../domain/ids.js'
import { documentGone } from '../domain/stored-data.js'
import type { MemoryState } from './memory-state.js'

const chunkBytes = 262_144

/**
 * The bytes of documents in memory, for tests; `bytes` lets a test inspect or damage them. Without a `state` it does
 * not notice deleted documents.
 */
export function memoryDocumentStore(
  state: Pick<MemoryState, 'documents'> | null,
  bytes: Map<DocumentId, Uint8Array>,
): ListedDocumentStore {
  return {
    async write(id, chunks) {
      const parts: Uint8Array[] = []
      for await (const chunk of chunks) parts.push(Uint8Array.from(chunk))
      if (state !== null && !state.documents.has(id)) throw documentGone()
      bytes.set(id, Buffer.concat(parts))
    },
    async *read(id, { offset, length }) {
      const stored = bytes.get(id) ?? new Uint8Array()
      const end = length === null ? stored.length : Math.min(stored.length, offset + length)
      for (let at = offset; at < end; at += chunkBytes)
        yield stored.subarray(at, Math.min(end, at + chunkBytes))
    },
    async remove(ids) {
      for (const id of ids) bytes.delete(id)
    },
    async list(after, limit) {
      return [...bytes.keys()]
        .filter((id) => after === null || id > after)
        .sort()
        .slice(0, limit)
    },
  }
}
