import { firstRow, type Pool, type Prepared, rowCount, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { transaction } from '#libs/postgres/transaction.js'
import { isErased, noteErased } from '#shared/erasure/erasure-ledger.js'
import type { EntryId, OwnerId } from '../domain/ids.js'
import { lapseGraceMs } from '../domain/stored-plan.js'

/**
 * The condition that an owner's entry is among the newest visible ones, given the parameters of owner and number
 * (NULL for all). No two entries of an owner have the same time.
 */
export function isVisible(owner: string, visible: string): string {
  return `(${visible}::bigint IS NULL OR entry.created_at >= coalesce((
    SELECT newest.created_at FROM entry AS newest WHERE newest.owner_id = ${owner}
    ORDER BY newest.created_at DESC, newest.id DESC OFFSET greatest(${visible}::bigint, 1) - 1 LIMIT 1), '-infinity')
    AND ${visible}::bigint > 0)`
}

/** The maximum rows that one transaction removes, so that none takes long. */
const batch = 5_000

const lock = statement('history-lock')('SELECT FROM owner WHERE owner.owner_id = $1 FOR NO KEY UPDATE')
const uncount = statement('history-uncount')(`
  UPDATE owner SET entry_count = owner.entry_count - $2 WHERE owner.owner_id = $1`)

const removeOne = statement('history-remove')(`
  DELETE FROM entry WHERE entry.owner_id = $1 AND entry.id = $2 AND ${isVisible('$1', '$3')}`)

const newestOf = statement('history-newest')('SELECT owner.newest_at FROM owner WHERE owner.owner_id = $1')

const removeMany = statement('history-remove-many')(`
  DELETE FROM entry WHERE entry.owner_id = $1 AND entry.id IN (
    SELECT doomed.id FROM entry AS doomed
    WHERE doomed.owner_id = $1 AND doomed.created_at <= $2 AND ($3::text IS NULL OR doomed.tool = $3)
    ORDER BY doomed.created_at DESC LIMIT $4)`)

/** Skips owners that another process is working on. */
const takeLapsed = statement('history-lapsed')(`
  SELECT owner.owner_id FROM owner
  WHERE owner.lapsed_at <= now() - $1 * interval '1 millisecond'
  ORDER BY owner.lapsed_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`)

const removeSurplus = statement('history-purge')(`
  DELETE FROM entry WHERE entry.owner_id = $1 AND entry.id IN (
    SELECT surplus.id FROM entry AS surplus WHERE surplus.owner_id = $1
    ORDER BY surplus.created_at DESC, surplus.id DESC OFFSET $2 LIMIT $3)`)

const endLapse = statement('history-end-lapse')('UPDATE owner SET lapsed_at = NULL WHERE owner.owner_id = $1')

/** Removes rows and updates the count, in one transaction that locks the owner. */
async function removeCounted(tx: Session, owner: string, removal: Prepared): Promise<number> {
  const removed = await rowCount(tx, removal)
  if (removed > 0) await tx.query(uncount(owner, removed))
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
    await tx.query(lock(owner))
    return removeCounted(tx, owner, removeOne(owner, id, visible))
  })
  return removed === 1
}

/** Removes an owner's current entries in batches; see `HistoryStore.removeAll`. */
export async function removeEntries(pool: Pool, owner: OwnerId, tool: string | null): Promise<number> {
  const row = await firstRow<{ newest_at: Date | null }>(pool, newestOf(owner))
  const until = row?.newest_at ?? null
  if (until === null) return 0
  for (let total = 0; ; ) {
    const removed = await transaction(pool, async (tx) => {
      await tx.query(lock(owner))
      return removeCounted(tx, owner, removeMany(owner, until, tool, batch))
    })
    total += removed
    if (removed < batch) return total
  }
}

/** Removes a batch of entries hidden by one owner's lapse; `null` if no owner is due. */
function purgeOne(pool: Pool, kept: number | null): Promise<number | null> {
  return transaction(pool, async (tx) => {
    const row = await firstRow<{ owner_id: string }>(tx, takeLapsed(lapseGraceMs))
    const owner = row?.owner_id
    if (owner === undefined) return null
    const removed = kept === null ? 0 : await removeCounted(tx, owner, removeSurplus(owner, kept, batch))
    if (removed < batch) await tx.query(endLapse(owner))
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
const lockOwner = statement('erasure-lock-owner')(`
  INSERT INTO owner (owner_id, plan, plan_version) VALUES ($1, 'free', 0)
  ON CONFLICT (owner_id) DO UPDATE SET entry_count = owner.entry_count`)

const owned = [
  'DELETE FROM entry WHERE entry.owner_id = $1',
  'DELETE FROM idempotency_key WHERE idempotency_key.owner_id = $1',
  'DELETE FROM owner WHERE owner.owner_id = $1',
]

/** Deletes an owner; see `HistoryStore.eraseOwner`. */
export async function eraseOwner(pool: Pool, owner: OwnerId): Promise<void> {
  await removeEntries(pool, owner, null)
  await transaction(pool, async (tx) => {
    if (!(await isErased(tx, owner))) await tx.query(lockOwner(owner))
    await noteErased(tx, owner)
    for (const text of owned) await tx.query({ text, values: [owner] })
  })
}
