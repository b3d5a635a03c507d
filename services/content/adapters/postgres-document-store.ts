import { unavailable } from '#libs/core/domain-error.js'
import { copyColumn, literal } from '#libs/postgres/copy/copy-column.js'
import { copyRows } from '#libs/postgres/copy/copy-rows.js'
import { isForeignKeyViolation } from '#libs/postgres/errors.js'
import { type Pool, query, statement } from '#libs/postgres/pool.js'
import type { ListedDocumentStore } from '../document-ports.js'
import { type DocumentId, documentId } from '../domain/ids.js'
import { rechunk } from './rechunk.js'

/** The bytes of one row, and the rows of one batch. */
const rowBytes = 262_144
const rowsAtOnce = 4

const remove = statement('document-remove')(`
  DELETE FROM document_chunk WHERE document_chunk.document_id = $1`)

/** A store has all rows of a document or none, so the first row shows which documents it has. */
const list = statement('document-list')(`
  SELECT document_chunk.document_id AS id FROM document_chunk
  WHERE document_chunk.seq = 0 AND document_chunk.document_id > $1
  ORDER BY document_chunk.document_id LIMIT $2`)

const utf8 = new TextEncoder()

function int32(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setInt32(0, value)
  return bytes
}

/**
 * Documents as rows of 256 KiB. Separate COPYs write and read about 1 MiB at a time, so that slow writers and
 * readers hold no connection; the next batch is received or sent meanwhile.
 * @param pool its commits need not wait for the disk: the transaction that claims a document waits, for all
 * earlier ones too.
 */
export function postgresDocumentStore(pool: Pool): ListedDocumentStore {
  const insert = async (id: DocumentId, seq: number, batch: readonly Buffer[]): Promise<void> => {
    const rows = batch.map((bytes, index) => [utf8.encode(id), int32(seq + index), bytes])
    try {
      await copyRows(pool, 'document-write', 'document_chunk (document_id, seq, bytes)', rows)
    } catch (error) {
      if (!isForeignKeyViolation(error)) throw error
      throw unavailable('The upload took too long and was discarded. Send it again.', error)
    }
  }

  const readRows = (id: DocumentId, from: number, to: number): Promise<readonly Buffer[]> =>
    copyColumn(
      pool,
      `SELECT document_chunk.bytes FROM document_chunk
       WHERE document_chunk.document_id = ${literal(id)} AND document_chunk.seq >= ${from} AND document_chunk.seq < ${to}
       ORDER BY document_chunk.seq`,
    )

  return {
    async write(id, chunks) {
      let seq = 0
      let batch: Buffer[] = []
      let writing: Promise<void> = Promise.resolve()
      const flush = async (): Promise<void> => {
        await writing
        writing = insert(id, seq, batch)
        // Awaited by the next batch or at the end.
        writing.catch(() => {})
        seq += batch.length
        batch = []
      }
      try {
        for await (const row of rechunk(chunks, rowBytes)) {
          batch.push(row)
          if (batch.length === rowsAtOnce) await flush()
        }
        if (batch.length > 0) await flush()
      } finally {
        // Nothing may be written after this function has failed.
        await writing
      }
    },

    async *read(id, { offset, length }) {
      const end = length === null ? Number.POSITIVE_INFINITY : offset + length
      let from = Math.floor(offset / rowBytes)
      const last = Math.min(Math.ceil(end / rowBytes), 2_147_483_647)
      if (from >= last) return
      const batchAt = (seq: number): Promise<readonly Buffer[]> =>
        readRows(id, seq, Math.min(seq + rowsAtOnce, last))
      let coming = batchAt(from)
      while (from < last) {
        const batch = await coming
        const next = from + rowsAtOnce
        const more = batch.length === rowsAtOnce && next < last
        if (more) {
          coming = batchAt(next)
          // A reader that stops early never awaits it.
          coming.catch(() => {})
        }
        for (const [index, bytes] of batch.entries()) {
          const start = (from + index) * rowBytes
          const part = bytes.subarray(Math.max(0, offset - start), Math.min(bytes.length, end - start))
          if (part.length > 0) yield part
        }
        if (!more) return
        from = next
      }
    },

    async remove(ids) {
      // One by one, since fifty large ones may be too much for one statement.
      for (const id of ids) await query(pool, remove(id))
    },

    async list(after, limit) {
      const { rows } = await query<{ id: string }>(pool, list(after ?? '', limit))
      return rows.map(({ id }) => documentId(id))
    },
  }
}
