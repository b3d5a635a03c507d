import { type Pool, query } from '#libs/postgres/pool.js'
import { transaction } from '#libs/postgres/transaction.js'
import { type DocumentId, documentId } from '../domain/ids.js'
import { type DataDigest, documentGone } from '../domain/stored-data.js'
import type { DocumentRegistry } from '../ports.js'

const reserve = 'INSERT INTO document (id, owner_id) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING'

const complete = `
  UPDATE document SET size_bytes = $2, sha256 = $3, state = $4, unclaimed_since = now()
  WHERE document.id = $1 AND document.state = 'writing'`

const find = `
  SELECT document.size_bytes, document.sha256 FROM document
  WHERE document.id = $1 AND document.state IN ('stored', 'compared')`

const findNamed = `
  SELECT document.size_bytes, document.sha256 FROM document
  WHERE document.id = $1 AND document.state = 'stored' AND document.unclaimed_since IS NULL`

interface DigestRow {
  readonly size_bytes: string
  readonly sha256: Buffer
}

/**
 * A claim that is under way keeps its document from being condemned, and finds one that has been no longer stored.
 * Selected once, in a step of its own: as a condition the limit would hold only for some plans of the database's.
 */
const condemn = `
  WITH due AS MATERIALIZED (
    SELECT document.id FROM document WHERE document.unclaimed_since < now() - $1 * interval '1 millisecond'
    ORDER BY document.unclaimed_since LIMIT $2 FOR UPDATE SKIP LOCKED)
  UPDATE document SET state = 'condemned' FROM due WHERE document.id = due.id
  RETURNING document.id`

/** Whoever is writing bytes of one of them is waited for, and whoever comes later finds it gone. */
const lock = 'SELECT FROM document WHERE document.id = ANY($1) ORDER BY document.id FOR UPDATE'

const forgetEmpty = `
  DELETE FROM document
  WHERE document.id = ANY($1) AND document.unclaimed_since IS NOT NULL
    AND NOT EXISTS (SELECT FROM document_chunk WHERE document_chunk.document_id = document.id)`

/** The registry of documents in Postgres. */
export function postgresDocumentRegistry(pool: Pool): DocumentRegistry {
  const digest = async (name: string, text: string, id: DocumentId): Promise<DataDigest | null> => {
    const { rows } = await query<DigestRow>(pool, { name, text, values: [id] })
    const row = rows[0]
    return row === undefined
      ? null
      : { sizeBytes: Number(row.size_bytes), sha256: row.sha256.toString('hex') }
  }
  return {
    async reserve(id, owner) {
      await query(pool, { name: 'document-reserve', text: reserve, values: [id, owner] })
    },
    async complete(id, { sizeBytes, sha256 }, kept) {
      const values = [id, sizeBytes, Buffer.from(sha256, 'hex'), kept ? 'stored' : 'compared']
      const { rowCount } = await query(pool, { name: 'document-complete', text: complete, values })
      if (rowCount !== 1) throw documentGone()
    },
    find: (id) => digest('document-find', find, id),
    findNamed: (id) => digest('document-find-named', findNamed, id),
    async condemn(graceMs, most) {
      const statement = { name: 'document-condemn', text: condemn, values: [graceMs, most] }
      const { rows } = await query<{ id: string }>(pool, statement)
      return rows.map(({ id }) => documentId(id))
    },
    async forget(ids) {
      if (ids.length === 0) return
      await transaction(pool, async (tx) => {
        await tx.query({ name: 'document-forget-lock', text: lock, values: [ids] })
        await tx.query({ name: 'document-forget', text: forgetEmpty, values: [ids] })
      })
    },
  }
}
