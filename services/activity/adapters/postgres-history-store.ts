import { isUnavailability } from '#libs/core/domain-error.js'
import { type Page, pageOf } from '#libs/core/page.js'
import { listFilter } from '#libs/postgres/list-filter.js'
import { firstAs, firstRow, type Pool, query, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { transaction } from '#libs/postgres/transaction.js'
import { createKeyedQueue } from '#libs/runtime/keyed-queue.js'
import type { HistoryEntry } from '../domain/history-entry.js'
import { type EntryId, entryId, type OwnerId, ownerId } from '../domain/ids.js'
import type { EntryFilter, HistoryStore, ImportedEntry, KeptByPlan, VersionedPlan } from '../ports.js'
import { lockOwner, noteLocked, noteOwnersPlan, record, responses, trim } from './postgres-record.js'
import { eraseOwner, isVisible, purgeLapsed, removeEntries, removeEntry } from './postgres-removal.js'

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
async function knownEntries(
  db: Pool | Session,
  owner: OwnerId,
  ids: readonly EntryId[],
): Promise<ReadonlySet<EntryId>> {
  const { rows } = await query<{ id: string }>(db, known(owner, ids))
  return new Set(rows.map(({ id }) => entryId(id)))
}

/** Imports entries under the lock of their owner's row; see `HistoryStore.importAll`. */
function importEntries(
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

/** A `HistoryEntry`. */
const columns = `entry.id, entry.owner_id AS "ownerId", entry.tool, entry.action, entry.title, entry.metadata,
  entry.created_at AS "createdAt"`

const find = statement('history-find')(`
  SELECT ${columns} FROM entry
  WHERE entry.owner_id = $1 AND entry.id = $2 AND ${isVisible('$1', '$3')}`)

const ownerOf = statement('history-owner')('SELECT entry.owner_id FROM entry WHERE entry.id = $1 LIMIT 1')
const count = statement('history-count')('SELECT owner.entry_count FROM owner WHERE owner.owner_id = $1')

/** A page, and one more entry to detect another page. */
function pageStatement({ ownerId: owner, visible, tool, after, itemsMax }: EntryFilter) {
  const filter = listFilter('entry', [owner, itemsMax + 1], 'entry.owner_id = $1')
  filter.add('visible', visible, (most) => isVisible('$1', most))
  filter.add('tool', tool, (one) => `entry.tool = ${one}`)
  filter.after(after)
  const text = `
    SELECT ${columns} FROM entry WHERE ${filter.sql()}
    ORDER BY entry.created_at DESC, entry.id DESC LIMIT $2`
  return { name: filter.name('history-list'), text, values: filter.values }
}

async function list(pool: Pool, filter: EntryFilter): Promise<Page<HistoryEntry>> {
  const { rows } = await query<HistoryEntry>(pool, pageStatement(filter))
  return pageOf(rows, filter.itemsMax)
}

export function postgresHistoryStore(pool: Pool): HistoryStore {
  // Work for the same row queues here, without holding sessions that others could use.
  const owners = createKeyedQueue(isUnavailability)
  return {
    record: (draft, plan, kept, request) =>
      owners.run(draft.ownerId, () => record(pool, draft, plan, kept, request)),
    importAll: (owner, entries, plan, kept) =>
      owners.run(owner, () => importEntries(pool, owner, entries, plan, kept)),
    known: (owner, ids) => knownEntries(pool, owner, ids),
    find: async (owner, id, visible) =>
      (await firstRow<HistoryEntry>(pool, find(owner, id, visible))) ?? null,
    ownerOf: (id) => firstAs(pool, ownerOf(id), (row: { owner_id: string }) => ownerId(row.owner_id)),
    list: (filter) => list(pool, filter),
    remove: (owner, id, visible) => removeEntry(pool, owner, id, visible),
    eraseOwner: (owner) => owners.run(owner, () => eraseOwner(pool, owner)),
    removeAll: (owner, tool) => removeEntries(pool, owner, tool),
    count: async (owner) =>
      Number((await firstRow<{ entry_count: string }>(pool, count(owner)))?.entry_count ?? 0),
    notePlan: (owner, plan) => noteOwnersPlan(pool, owner, plan),
    purgeLapsed: (kept, signal) => purgeLapsed(pool, kept, signal),
    deleteExpiredResponses: (signal) => responses.deleteExpired(pool, signal),
  }
}
