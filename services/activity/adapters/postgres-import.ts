import { type Pool, query, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { transaction } from '#libs/postgres/transaction.js'
import type { HistoryEntry } from '../domain/history-entry.js'
import { type EntryId, entryId, type OwnerId } from '../domain/ids.js'
import type { ImportedEntry, KeptByPlan, VersionedPlan } from '../ports.js'
import { lockOwner, noteLocked, trim } from './postgres-record.js'

/** An index lookup for each id, whatever the planner estimates. */
const known = statement('history-known')(`
  SELECT wanted.id FROM unnest($2::text[]) AS wanted (id)
  CROSS JOIN LATERAL (
    SELECT FROM entry WHERE entry.owner_id = $1 AND entry.id = wanted.id LIMIT 1) AS found`)

const importAll = statement('history-import')(`
  WITH wanted AS (
    SELECT * FROM json_to_recordset($2) AS wanted (
      id text, tool text, action text, title text, metadata text, created_at timestamptz)),
  added AS (
    INSERT INTO entry (owner_id, id, tool, action, title, metadata, created_at)
    SELECT $1, wanted.id, wanted.tool, wanted.action, wanted.title, wanted.metadata,
      least(wanted.created_at, $3::timestamptz)
    FROM wanted ON CONFLICT (owner_id, id) DO NOTHING
    RETURNING entry.created_at)
  UPDATE owner SET entry_count = owner.entry_count + (SELECT count(*) FROM added),
    newest_at = greatest(owner.newest_at, (SELECT max(added.created_at) FROM added))
  WHERE owner.owner_id = $1`)

/** Which of these entries an owner has. */
export async function knownEntries(
  db: Pool | Session,
  owner: OwnerId,
  ids: readonly EntryId[],
): Promise<ReadonlySet<EntryId>> {
  const { rows } = await query<{ id: string }>(db, known(owner, ids))
  return new Set(rows.map(({ id }) => entryId(id)))
}

/** Imports entries under the lock of their owner's row; see `HistoryStore.importAll`. */
export function importEntries(
  pool: Pool,
  owner: OwnerId,
  entries: readonly HistoryEntry[],
  callersPlan: VersionedPlan,
  kept: KeptByPlan,
): Promise<readonly ImportedEntry[]> {
  const ids = entries.map(({ id }) => id)
  const rows = entries.map(({ id, tool, action, title, metadata, createdAt }) => ({
    ...{ id, tool, action, title, metadata, created_at: createdAt },
  }))
  return transaction(pool, async (tx) => {
    const locked = await lockOwner(tx, owner, callersPlan)
    const { plan, lapsedAt } = await noteLocked(tx, owner, locked, callersPlan)
    const before = await knownEntries(tx, owner, ids)
    await tx.query(importAll(owner, JSON.stringify(rows), locked.now))
    const limit = kept[plan]
    if (limit !== null) await tx.query(trim(owner, limit, lapsedAt))
    const after = await knownEntries(tx, owner, ids)
    return ids.map((id) => (before.has(id) ? 'exists' : after.has(id) ? 'added' : 'not-kept'))
  })
}
