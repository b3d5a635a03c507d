import { idempotencyTable } from '#libs/postgres/idempotency.js'
import { firstRow, type Pool, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { transaction } from '#libs/postgres/transaction.js'
import { idempotencyKeyLifeMs } from '#shared/core/idempotency-key.js'
import type { PlanName } from '#shared/core/plan.js'
import {
  type EntryDraft,
  entryToText,
  type HistoryEntry,
  type IdempotentRequest,
  nextTime,
} from '../domain/history-entry.js'
import type { OwnerId } from '../domain/ids.js'
import { notePlan, type StoredPlan } from '../domain/stored-plan.js'
import type { KeptByPlan, RecordOutcome, VersionedPlan } from '../ports.js'

/** Read and stored under the lock of the owner's row. */
export const responses = idempotencyTable('owner_id', idempotencyKeyLifeMs)

interface OwnerRow {
  readonly plan: PlanName
  readonly plan_version: string
  readonly newest_at: Date | null
  readonly lapsed_at: Date | null
  readonly now: Date
}

/** An owner whose row this transaction has locked: no one else records or trims for it meanwhile. */
interface LockedOwner {
  readonly plan: StoredPlan
  readonly newestAt: Date | null
  /** Read after taking the lock. */
  readonly now: Date
}

/**
 * Records in one statement if there is nothing to trim and the stored plan is current, or the owner is new. The
 * owner's row is locked before its new values are computed, so the clock is read after that.
 */
const recordAtOnce = statement('history-record-at-once')(`
  WITH counted AS (
    INSERT INTO owner (owner_id, plan, plan_version, entry_count, newest_at)
    VALUES ($1, $7, $8, 1, date_trunc('milliseconds', clock_timestamp()))
    ON CONFLICT (owner_id) DO UPDATE SET
      entry_count = owner.entry_count + 1,
      newest_at = greatest(date_trunc('milliseconds', clock_timestamp()),
        owner.newest_at + interval '1 millisecond', owner.lapsed_at + interval '1 millisecond')
    WHERE owner.plan = excluded.plan AND owner.plan_version = excluded.plan_version
    RETURNING owner.newest_at)
  INSERT INTO entry (owner_id, id, tool, action, title, metadata, created_at)
  SELECT $1, $2, $3, $4, $5, $6, counted.newest_at FROM counted
  RETURNING entry.created_at`)

/**
 * Inserts the row if it is missing and locks it either way: a new one already has this plan, so storing it again
 * changes nothing. The clock is read for the returned row, so not before the lock.
 */
const lock = statement('owner-lock')(`
  INSERT INTO owner (owner_id, plan, plan_version) VALUES ($1, $2, $3)
  ON CONFLICT (owner_id) DO UPDATE SET entry_count = owner.entry_count
  RETURNING owner.plan, owner.plan_version, owner.newest_at, owner.lapsed_at,
    date_trunc('milliseconds', clock_timestamp()) AS now`)

const savePlan = statement('owner-save-plan')(`
  UPDATE owner SET plan = $2, plan_version = $3, lapsed_at = $4 WHERE owner.owner_id = $1`)

const insert = statement('history-insert')(`
  WITH counted AS (
    UPDATE owner SET entry_count = owner.entry_count + 1, newest_at = $7 WHERE owner.owner_id = $1)
  INSERT INTO entry (owner_id, id, tool, action, title, metadata, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`)

/** Only entries after a lapse: earlier ones are hidden, and kept during its grace period. */
export const trim = statement('history-trim')(`
  WITH trimmed AS (
    DELETE FROM entry
    WHERE entry.owner_id = $1 AND entry.id IN (
      SELECT surplus.id FROM entry AS surplus
      WHERE surplus.owner_id = $1 AND surplus.created_at > coalesce($3::timestamptz, '-infinity')
      ORDER BY surplus.created_at DESC, surplus.id DESC OFFSET $2)
    RETURNING 1)
  UPDATE owner SET entry_count = owner.entry_count - (SELECT count(*) FROM trimmed) WHERE owner.owner_id = $1`)

function entryValues({ ownerId, id, tool, action, title, metadata }: EntryDraft): unknown[] {
  return [ownerId, id, tool, action, title, metadata]
}

/** Locks an owner, and creates it if it is new. */
export async function lockOwner(
  tx: Session,
  owner: OwnerId,
  { plan, version }: VersionedPlan,
): Promise<LockedOwner> {
  const row = await firstRow<OwnerRow>(tx, lock(owner, plan, version))
  if (row === undefined) throw new Error('an upsert returned no row')
  const held = { plan: row.plan, version: Number(row.plan_version), lapsedAt: row.lapsed_at }
  return { plan: held, newestAt: row.newest_at, now: row.now }
}

/** Stores the plan of a locked owner, and returns the current one. */
export async function noteLocked(
  tx: Session,
  owner: OwnerId,
  { plan: known, newestAt, now }: LockedOwner,
  { plan, version }: VersionedPlan,
): Promise<StoredPlan> {
  const noted = notePlan({ known, newestAt }, plan, version, now)
  if (noted === known) return noted
  await tx.query(savePlan(owner, noted.plan, noted.version, noted.lapsedAt))
  return noted
}

/** Records in one statement; `null`, without effect, if the stored plan differs. */
async function tryAtOnce(
  pool: Pool,
  draft: EntryDraft,
  { plan, version }: VersionedPlan,
): Promise<HistoryEntry | null> {
  const row = await firstRow<{ created_at: Date }>(pool, recordAtOnce(...entryValues(draft), plan, version))
  return row === undefined ? null : { ...draft, createdAt: row.created_at }
}

/** Records an entry under the lock of its owner's row; see `HistoryStore.record`. */
export async function record(
  pool: Pool,
  draft: EntryDraft,
  callersPlan: VersionedPlan,
  kept: KeptByPlan,
  request: IdempotentRequest | null,
): Promise<RecordOutcome> {
  if (request === null && kept[callersPlan.plan] === null) {
    const entry = await tryAtOnce(pool, draft, callersPlan)
    if (entry !== null) return { state: 'recorded', entry }
  }
  const owner = draft.ownerId
  return transaction(pool, async (tx) => {
    const locked = await lockOwner(tx, owner, callersPlan)
    const known = request === null ? null : await responses.find(tx, owner, request.key)
    if (known !== null) return { state: 'replayed', ...known }
    const { plan, lapsedAt } = await noteLocked(tx, owner, locked, callersPlan)
    const entry = { ...draft, createdAt: nextTime(locked.now, locked.newestAt, lapsedAt) }
    await tx.query(insert(...entryValues(draft), entry.createdAt))
    // A separate statement: only one that starts after the lock sees earlier commits.
    const limit = kept[plan]
    if (limit !== null) await tx.query(trim(owner, limit, lapsedAt))
    if (request !== null) {
      const { key, fingerprint } = request
      await responses.store(tx, owner, key, { fingerprint, response: entryToText(entry) })
    }
    return { state: 'recorded', entry }
  })
}

/** Stores the plan of an owner; see `HistoryStore.notePlan`. */
export function noteOwnersPlan(pool: Pool, owner: OwnerId, plan: VersionedPlan): Promise<void> {
  return transaction(pool, async (tx) => {
    await noteLocked(tx, owner, await lockOwner(tx, owner, plan), plan)
  })
}
