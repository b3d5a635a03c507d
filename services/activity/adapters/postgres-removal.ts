import { type Pool, query } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { transaction } from '#libs/postgres/transaction.js'
import { isErased, noteErased } from '#shared/erasure/erasure-ledger.js'
import { lapseGraceMs } from '../domain/held-plan.js'
import type { EntryId, OwnerId } from '../domain/ids.js'
import { isVisible } from './postgres-entry-row.js'

/** The maximum rows that one transaction removes, so that none takes long. */
const batch = 5_000

const lock = 'SELECT FROM owner WHERE owner.owner_id = $1 FOR NO KEY UPDATE'
const uncount = 'UPDATE owner SET entry_count = owner.entry_count - $2 WHERE owner.owner_id = $1'

const removeOne = `DELETE FROM entry WHERE entry.owner_id = $1 AND entry.id = $2 AND ${isVisible('$1', '$3')}`

const newestOf = 'SELECT owner.newest_at FROM owner WHERE owner.owner_id = $1'

const removeMany = `
  DELETE FROM entry WHERE entry.owner_id = $1 AND entry.id IN (
    SELECT doomed.id FROM entry AS doomed
    WHERE doomed.owner_id = $1 AND doomed.created_at <= $2 AND ($3::text IS NULL OR doomed.tool = $3)
    ORDER BY doomed.created_at DESC LIMIT $4)`

/** Skips owners that another process is working on. */
const takeLapsed = `
  SELECT owner.owner_id FROM owner
  WHERE owner.lapsed_at <= now() - $1 * interval '1 millisecond'
  ORDER BY owner.lapsed_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`

const removeSurplus = `
  DELETE FROM entry WHERE entry.owner_id = $1 AND entry.id IN (
    SELECT surplus.id FROM entry AS surplus WHERE surplus.owner_id = $1
    ORDER BY surplus.created_at DESC, surplus.id DESC OFFSET $2 LIMIT $3)`

const endLapse = 'UPDATE owner SET lapsed_at = NULL WHERE owner.owner_id = $1'

/** Removes rows and updates the count, in one transaction that locks the owner. */
async function removeCounted(
  tx: Session,
  owner: string,
  statement: { readonly name: string; readonly text: string; readonly values: unknown[] },
): Promise<number> {
  const { rowCount } = await tx.query(statement)
  const removed = rowCount ?? 0
  if (removed > 0) await tx.query({ name: 'history-uncount', text: uncount, values: [owner, removed] })
  return removed
}

/** Removes one entry; see `HistoryStore.remove`. */
export async function removeEntry(
  pool: Pool,
  owner: OwnerId,
  id: EntryId,
  visible: number | null,
): Promise<boolean> {
  const removed = await transaction(pool, async (tx) => {
    await tx.query({ name: 'history-lock', text: lock, values: [owner] })
    const statement = { name: 'history-remove', text: removeOne, values: [owner, id, visible] }
    return removeCounted(tx, owner, statement)
  })
  return removed === 1
}

/** Removes an owner's current entries in batches; see `HistoryStore.removeAll`. */
export async function removeEntries(pool: Pool, owner: OwnerId, tool: string | null): Promise<number> {
  const { rows } = await query<{ newest_at: Date | null }>(pool, {
    name: 'history-newest',
    text: newestOf,
    values: [owner],
  })
  const until = rows[0]?.newest_at ?? null
  if (until === null) return 0
  for (let total = 0; ; ) {
    const removed = await transaction(pool, async (tx) => {
      await tx.query({ name: 'history-lock', text: lock, values: [owner] })
      const values = [owner, until, tool, batch]
      return removeCounted(tx, owner, { name: 'history-remove-many', text: removeMany, values })
    })
    total += removed
    if (removed < batch) return total
  }
}

/** Removes a batch of entries hidden by one owner's lapse; `null` if no owner is due. */
function purgeOne(pool: Pool, kept: number | null): Promise<number | null> {
  return transaction(pool, async (tx) => {
    const { rows } = await tx.query<{ owner_id: string }>({
      name: 'history-lapsed',
      text: takeLapsed,
      values: [lapseGraceMs],
    })
    const owner = rows[0]?.owner_id
    if (owner === undefined) return null
    const values = [owner, kept, batch]
    const removed =
      kept === null
        ? 0
        : await removeCounted(tx, owner, { name: 'history-purge', text: removeSurplus, values })
    if (removed < batch) await tx.query({ name: 'history-end-lapse', text: endLapse, values: [owner] })
    return removed
  })
}

/** Removes entries that a lapse has hidden for longer than the grace period; see `HistoryStore.purgeLapsed`. */
export async function purgeLapsed(pool: Pool, kept: number | null, signal: AbortSignal): Promise<number> {
  let total = 0
  while (!signal.aborted) {
    const removed = await purgeOne(pool, kept)
    if (removed === null) break
    total += removed
  }
  return total
}

/** Every write for an owner locks this row; inserting it waits for those that create it at this moment. */
const lockOwner = `
  INSERT INTO owner (owner_id, plan, plan_version) VALUES ($1, 'free', 0)
  ON CONFLICT (owner_id) DO UPDATE SET entry_count = owner.entry_count`

const owned = [
  'DELETE FROM entry WHERE entry.owner_id = $1',
  'DELETE FROM idempotency_key WHERE idempotency_key.owner_id = $1',
  'DELETE FROM owner WHERE owner.owner_id = $1',
]

/** Deletes an owner; see `HistoryStore.eraseOwner`. */
export async function eraseOwner(pool: Pool, owner: OwnerId): Promise<void> {
  await removeEntries(pool, owner, null)
  await transaction(pool, async (tx) => {
    if (!(await isErased(tx, owner)))
      await tx.query({ name: 'erasure-lock-owner', text: lockOwner, values: [owner] })
    await noteErased(tx, owner)
    for (const text of owned) await tx.query({ text, values: [owner] })
  })
}
