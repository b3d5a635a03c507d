import { type Pool, query, rowCount, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { transaction } from '#libs/postgres/transaction.js'
import { eraseFromAuditEntries, isErased, noteErased } from '#shared/erasure/erasure-ledger.js'
import { documentId, type OwnerId } from '../domain/ids.js'
import type { OwnerErasure } from '../erasure-ports.js'

/** Documents are not released: all of the owner's are condemned afterwards. */
const removeSnippets = statement('erasure-snippets')(`
  DELETE FROM snippet WHERE snippet.owner_id = $1 AND snippet.id IN (
    SELECT one.id FROM snippet AS one WHERE one.owner_id = $1 ORDER BY one.id LIMIT $2)`)

const removeShares = statement('erasure-shares')(`
  WITH gone AS MATERIALIZED (
    SELECT share.id FROM share WHERE share.owner_id = $1 ORDER BY share.id LIMIT $2 FOR UPDATE),
  unviewed AS (DELETE FROM share_view USING gone WHERE share_view.share_id = gone.id),
  closed AS (DELETE FROM share_grant USING gone WHERE share_grant.share_id = gone.id),
  enabled AS (DELETE FROM disabled_share USING gone WHERE disabled_share.share_id = gone.id)
  DELETE FROM share USING gone WHERE share.id = gone.id`)

/** The rows of an owner in a table without other tables that refer to it. */
const removeFrom = (table: string): string => `
  DELETE FROM ${table} WHERE ${table}.owner_id = $1 AND ${table}.ctid = ANY (ARRAY(
    SELECT one.ctid FROM ${table} AS one WHERE one.owner_id = $1 LIMIT $2))`

/**
 * In this order: triggers delete the revisions and checks of a snippet with it, which may be a hundred times as many rows
 * as the limit, and shares cause events and reports.
 */
const removals = [
  statement('erasure-revisions')(removeFrom('snippet_revision')),
  statement('erasure-checks')(removeFrom('snippet_check')),
  statement('erasure-contracts')(removeFrom('snippet_contract')),
  removeSnippets,
  removeShares,
  statement('erasure-reports')(removeFrom('share_report')),
  statement('erasure-events')(removeFrom('event_delivery')),
  statement('erasure-keys')(removeFrom('idempotency_key')),
]

const condemn = statement('erasure-condemn')(`
  WITH due AS MATERIALIZED (
    SELECT document.id FROM document
    WHERE document.owner_id = $1
      AND (document.state <> 'writing' OR document.created_at < now() - $2 * interval '1 millisecond')
    ORDER BY document.id LIMIT $3 FOR UPDATE)
  UPDATE document SET state = 'condemned', unclaimed_since = now() FROM due WHERE document.id = due.id
  RETURNING document.id`)

/** Every write for an owner needs this row; inserting it waits for those that create it at this moment. */
const lock = statement('erasure-lock-owner')(`
  INSERT INTO owner (owner_id) VALUES ($1)
  ON CONFLICT (owner_id) DO UPDATE SET owner_id = excluded.owner_id`)

const hasDocuments = statement('erasure-documents')(`
  SELECT FROM document WHERE document.owner_id = $1 LIMIT 1`)
const removeOwner = statement('erasure-owner')('DELETE FROM owner WHERE owner.owner_id = $1')

/** Larger than what can arrive between the removal of the records and this step. */
const restMax = 10_000

async function finish(tx: Session, owner: OwnerId): Promise<boolean> {
  if (!(await isErased(tx, owner))) await tx.query(lock(owner))
  if ((await rowCount(tx, hasDocuments(owner))) > 0) return false
  await noteErased(tx, owner)
  await eraseFromAuditEntries(tx, owner, ['operator_act', 'audit_delivery'])
  for (const remove of removals) await tx.query(remove(owner, restMax))
  await tx.query(removeOwner(owner))
  return true
}

/** Deletes owners from Postgres. */
export function postgresOwnerErasure(pool: Pool): OwnerErasure {
  return {
    async removeRecords(owner, limit) {
      for (const remove of removals) {
        const removed = await transaction(pool, (tx) => rowCount(tx, remove(owner, limit)))
        if (removed > 0) return removed
      }
      return 0
    },
    async condemn(owner, graceMs, limit) {
      const { rows } = await query<{ id: string }>(pool, condemn(owner, graceMs, limit))
      return rows.map(({ id }) => documentId(id))
    },
    finish: (owner) => transaction(pool, (tx) => finish(tx, owner)),
  }
}
