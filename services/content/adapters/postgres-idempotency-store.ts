import { firstRow, type Pool, query, rowCount, statement } from '#libs/postgres/pool.js'
import { batchWithFallback, oneBatchAtATime } from '#libs/runtime/coalesce.js'
import { idempotencyKeyLifeMs } from '#shared/core/idempotency-key.js'
import type { KeyState } from '../domain/idempotency.js'
import { type Lease, leaseMs } from '../domain/idempotency.js'
import type { IdempotencyStore } from '../ports.js'

const begin = statement('idempotency-begin')(`
  INSERT INTO idempotency_key (owner_id, operation, key, holder, state, lease_until, created_at)
  VALUES ($1, $2, $3, $4, 'running', now() + $5 * interval '1 millisecond', now())
  ON CONFLICT (owner_id, operation, key) DO UPDATE
    SET holder = excluded.holder, state = 'running', lease_until = excluded.lease_until, fingerprint = NULL,
      answer = NULL, created_at = excluded.created_at
    WHERE idempotency_key.created_at <= now() - $6 * interval '1 millisecond'
      OR (idempotency_key.state = 'running'
        AND (idempotency_key.lease_until <= now() OR idempotency_key.holder = excluded.holder))
  RETURNING idempotency_key.holder`)

/** Takes unused keys; skips used ones, which are then checked one by one. */
const beginAll = statement('idempotency-begin-all')(`
  INSERT INTO idempotency_key (owner_id, operation, key, holder, state, lease_until, created_at)
  SELECT wanted.owner_id, wanted.operation, wanted.key, wanted.holder, 'running', now() + $5 * interval '1 millisecond', now()
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS wanted (owner_id, operation, key, holder)
  ON CONFLICT (owner_id, operation, key) DO NOTHING
  RETURNING idempotency_key.owner_id, idempotency_key.operation, idempotency_key.key, idempotency_key.holder`)

const find = statement('idempotency-find')(`
  SELECT idempotency_key.state, idempotency_key.fingerprint, idempotency_key.answer FROM idempotency_key
  WHERE idempotency_key.owner_id = $1 AND idempotency_key.operation = $2 AND idempotency_key.key = $3`)

const release = statement('idempotency-release')(`
  DELETE FROM idempotency_key
  WHERE idempotency_key.owner_id = $1 AND idempotency_key.operation = $2 AND idempotency_key.key = $3
    AND idempotency_key.holder = $4 AND idempotency_key.state = 'running'`)

/** The age is checked again: if a row was replaced meanwhile, its position may hold the new one. */
const deleteExpired = statement('idempotency-delete-expired')(`
  DELETE FROM idempotency_key
  WHERE idempotency_key.created_at <= now() - $1 * interval '1 millisecond' AND idempotency_key.ctid IN (
    SELECT old.ctid FROM idempotency_key AS old
    WHERE old.created_at <= now() - $1 * interval '1 millisecond' LIMIT $2)`)

interface KeyRow {
  readonly state: 'running' | 'done'
  readonly fingerprint: string | null
  readonly answer: string | null
}

function parts({ key }: Lease): [string, string, string] {
  return [key.ownerId, key.operation, key.key]
}

async function beginAlone(pool: Pool, lease: Lease): Promise<KeyState> {
  const take = begin(...parts(lease), lease.holder, leaseMs, idempotencyKeyLifeMs)
  if ((await rowCount(pool, take)) === 1) return { state: 'held' }
  const row = await firstRow<KeyRow>(pool, find(...parts(lease)))
  if (row?.state === 'done' && row.fingerprint !== null && row.answer !== null) {
    return { state: 'done', fingerprint: row.fingerprint, response: row.answer }
  }
  // Also if it was released between the two statements: a retry will get it.
  return { state: 'running' }
}

/** Identifies a key and its holder. */
function holding(owner: string, operation: string, key: string, holder: string): string {
  return JSON.stringify([owner, operation, key, holder])
}

async function beginTogether(
  pool: Pool,
  leases: readonly Lease[],
): Promise<readonly (KeyState | undefined)[]> {
  type Row = { owner_id: string; operation: string; key: string; holder: string }
  const keys = [0, 1, 2].map((column) => leases.map((lease) => parts(lease)[column]))
  const holders = leases.map(({ holder }) => holder)
  const { rows } = await query<Row>(pool, beginAll(...keys, holders, leaseMs))
  const held = new Set(rows.map((row) => holding(row.owner_id, row.operation, row.key, row.holder)))
  return leases.map((lease) =>
    held.has(holding(...parts(lease), lease.holder)) ? { state: 'held' } : undefined,
  )
}

/**
 * Idempotency keys in Postgres.
 * @param pool its commits need not wait for the disk: a lease lost in a crash can be taken again, and
 * completions are committed by the transaction of the effect, which waits.
 */
export function postgresIdempotencyStore(pool: Pool): IdempotencyStore {
  return {
    begin: batchWithFallback(
      oneBatchAtATime,
      (leases) => beginTogether(pool, leases),
      (lease) => beginAlone(pool, lease),
    ),
    async release(lease) {
      await query(pool, release(...parts(lease), lease.holder))
    },
    async deleteExpired(limit) {
      const { rowCount } = await query(pool, deleteExpired(idempotencyKeyLifeMs, limit))
      return rowCount ?? 0
    },
  }
}
