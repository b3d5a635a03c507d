import { firstRow, type Pool, type Prepared, query, statement } from '#libs/postgres/pool.js'
import { transaction } from '#libs/postgres/transaction.js'
import { nearFrom } from '#shared/core/plan.js'
import type { DocumentRegistry } from '../document-ports.js'
import { documentId } from '../domain/ids.js'
import { type DataDigest, documentGone, noStorageQuota } from '../domain/stored-data.js'
import { insertNearEvents } from './postgres-event-outbox.js'

const reserve = statement('document-reserve')(`
  INSERT INTO document (id, owner_id) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING`)

/**
 * A trigger counts stored bytes in the same step, under the lock of the owner's row. Creating that row, even for an
 * owner who has nothing yet, prevents two first documents from exceeding the limit concurrently.
 */
const complete = statement('document-complete')(`
  WITH held AS (
    INSERT INTO owner (owner_id)
    SELECT document.owner_id FROM document WHERE document.id = $1 AND document.state = 'writing'
    ON CONFLICT (owner_id) DO UPDATE SET owner_id = EXCLUDED.owner_id
    RETURNING owner.owner_id, owner.stored_bytes),
  completed AS (
    UPDATE document SET size_bytes = $2, sha256 = $3, state = $4, unclaimed_since = now()
    FROM held
    WHERE document.id = $1 AND document.state = 'writing'
      AND ($5::bigint IS NULL OR $4 = 'compared' OR held.stored_bytes + $2 <= $5)
    RETURNING document.id),
  near AS (${insertNearEvents(`
    SELECT held.owner_id, 'stored_bytes', held.stored_bytes + $2::bigint, $2::bigint, $5::bigint, $6::bigint
    FROM held, completed WHERE $4 = 'stored'`)})
  SELECT held.stored_bytes, (SELECT count(*)::int FROM completed) AS completed FROM held`)

const find = statement('document-find')(`
  SELECT document.size_bytes, document.sha256 FROM document
  WHERE document.id = $1 AND document.state IN ('stored', 'compared')`)

const findNamed = statement('document-find-named')(`
  SELECT document.size_bytes, document.sha256 FROM document
  WHERE document.id = $1 AND document.state = 'stored' AND document.unclaimed_since IS NULL`)

interface DigestRow {
  readonly size_bytes: string
  readonly sha256: Buffer
}

/**
 * A pending claim prevents its document from being condemned, and fails if it already was. The new time keeps other
 * sweeps away. Selects first, in a materialized step: as a condition, the limit would depend on the query plan.
 */
const condemn = statement('document-condemn')(`
  WITH due AS MATERIALIZED (
    SELECT document.id FROM document WHERE document.unclaimed_since < now() - $1 * interval '1 millisecond'
    ORDER BY document.unclaimed_since LIMIT $2 FOR UPDATE SKIP LOCKED)
  UPDATE document SET state = 'condemned', unclaimed_since = now() FROM due WHERE document.id = due.id
  RETURNING document.id`)

const discard = statement('document-discard')(`
  UPDATE document SET state = 'condemned', unclaimed_since = now()
  WHERE document.id = $1 AND document.owner_id = $2 AND document.unclaimed_since IS NOT NULL
    AND document.state IN ('stored', 'compared')
  RETURNING document.id`)

/** Waits for pending writes to these documents; later ones find them gone. */
const lock = statement('document-forget-lock')(`
  SELECT FROM document WHERE document.id = ANY($1) ORDER BY document.id FOR UPDATE`)

const forgetEmpty = statement('document-forget')(`
  DELETE FROM document
  WHERE document.id = ANY($1) AND document.unclaimed_since IS NOT NULL
    AND NOT EXISTS (SELECT FROM document_chunk WHERE document_chunk.document_id = document.id)`)

export function postgresDocumentRegistry(pool: Pool): DocumentRegistry {
  const digest = async (found: Prepared): Promise<DataDigest | null> => {
    const row = await firstRow<DigestRow>(pool, found)
    return row === undefined
      ? null
      : { sizeBytes: Number(row.size_bytes), sha256: row.sha256.toString('hex') }
  }
  return {
    async reserve(id, owner) {
      await query(pool, reserve(id, owner))
    },
    async complete(id, { sizeBytes, sha256 }, kept, { bytesMax, refuse } = noStorageQuota) {
      const state = kept ? 'stored' : 'compared'
      const near = bytesMax === null ? null : nearFrom(bytesMax)
      const statement = complete(id, sizeBytes, Buffer.from(sha256, 'hex'), state, bytesMax, near)
      const row = await firstRow<{ stored_bytes: string; completed: number }>(pool, statement)
      if (row?.completed === 1) return
      const actual = Number(row?.stored_bytes ?? 0) + sizeBytes
      if (row !== undefined && kept && bytesMax !== null && actual > bytesMax) throw refuse(actual)
      throw documentGone()
    },
    find: (id) => digest(find(id)),
    findNamed: (id) => digest(findNamed(id)),
    condemn: async (graceMs, limit) =>
      (await query<{ id: string }>(pool, condemn(graceMs, limit))).rows.map(({ id }) => documentId(id)),
    discard: async (id, owner) => (await query(pool, discard(id, owner))).rows.length > 0,
    async forget(ids) {
      if (ids.length === 0) return
      await transaction(pool, async (tx) => {
        await tx.query(lock(ids))
        await tx.query(forgetEmpty(ids))
      })
    },
  }
}
