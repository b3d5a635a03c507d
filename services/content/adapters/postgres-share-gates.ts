import { firstRow, type Pool, rowCount, statement } from '#libs/postgres/pool.js'
import { transaction } from '#libs/postgres/transaction.js'
import { accessGrantMs } from '#shared/core/access-grant.js'
import { sharePasswordFailed, shareUsedUp } from '../domain/content-event.js'
import type { FoundGatedShare } from '../domain/found-share.js'
import { failuresMax, failuresWindowMs } from '../domain/share-gate.js'
import type { ShareGateStore } from '../ports.js'
import { ownerQueue } from './owner-queue.js'
import { addDelivery } from './postgres-event-outbox.js'
import { readDataOf } from './postgres-rows.js'
import { type GatedRow, gatedColumns, ownerSuspended, restoreGated } from './postgres-share-rows.js'
import { purgeUsedUp } from './postgres-tombstones.js'

const isOver = 'coalesce(share.expires_at <= now(), false)'
const isDisabled = 'EXISTS (SELECT FROM disabled_share WHERE disabled_share.share_id = share.id)'
/** The oldest of the last failures is younger than the window, if there are so many. */
const limitEnd = `CASE WHEN cardinality(share.gate_failures) >= ${failuresMax}
  THEN share.gate_failures[1] + ${failuresWindowMs} * interval '1 millisecond' END`

const find = statement('share-find-gated')(`
  SELECT ${gatedColumns}, ${isOver} AS expired, extract(epoch FROM share.expires_at - now()) * 1000 AS time_left_ms,
    ${ownerSuspended} AS owner_suspended,
    extract(epoch FROM ${limitEnd} - now()) * 1000 AS limited_for_ms, opened.expires_at AS grant_expires_at,
    CASE WHEN $2 AND NOT ${isOver} AND (opened.digest IS NOT NULL OR share.owner_id = $4) THEN share.data END AS data
  FROM share LEFT JOIN share_grant AS opened
    ON opened.digest = decode($3, 'hex') AND opened.share_id = share.id AND opened.expires_at > now()
  WHERE share.id = $1`)

/** The conditions under which someone may come in, checked again once the row is locked. */
const isOpen = `share.id = $1 AND share.purged_at IS NULL AND NOT ${isOver}
  AND NOT ${isDisabled} AND NOT ${ownerSuspended}
  AND (share.gate_views_left IS NULL OR share.gate_views_left > 0) AND coalesce(${limitEnd} <= now(), true)`

/**
 * Counts the view and stores its grant in one statement. Without `grant_expires_at`, the digest is that of a grant that
 * has not ended, and the count must be rolled back. A concurrent insert or delete of the same digest is waited for.
 */
const grant = statement('share-grant')(`
  WITH counted AS (
    UPDATE share SET gate_views_left = share.gate_views_left - 1, gate_views = share.gate_views + 1,
      gate_first_viewed_at = coalesce(share.gate_first_viewed_at, now()), gate_last_viewed_at = now(),
      gate_open_until = greatest(share.gate_open_until, now() + $3 * interval '1 millisecond')
    WHERE ${isOpen}
    RETURNING ${gatedColumns}),
  granted AS (
    INSERT INTO share_grant (digest, share_id, expires_at)
    SELECT decode($2, 'hex'), counted.id, now() + $3 * interval '1 millisecond' FROM counted
    ON CONFLICT (digest) DO UPDATE SET share_id = excluded.share_id, expires_at = excluded.expires_at
    WHERE share_grant.expires_at <= now()
    RETURNING share_grant.expires_at),
  viewed AS (
    INSERT INTO share_view (share_id, views) SELECT counted.id, 1 FROM counted
    ON CONFLICT (share_id) DO UPDATE SET views = share_view.views + 1)
  SELECT counted.*, granted.expires_at AS grant_expires_at, date_trunc('milliseconds', now()) AS now
  FROM counted LEFT JOIN granted ON true`)

const fail = statement('share-password-failed')(`
  UPDATE share SET gate_failed_passwords = share.gate_failed_passwords + 1,
    gate_failures = CASE WHEN cardinality(share.gate_failures) >= ${failuresMax}
      THEN share.gate_failures[2:] ELSE share.gate_failures END || now()
  WHERE ${isOpen}
  RETURNING ${gatedColumns}, date_trunc('milliseconds', now()) AS now`)

/** Its end is compared again once the row is locked: a repeated attempt may have renewed it meanwhile. */
const deleteEnded = statement('share-grants-delete')(`
  DELETE FROM share_grant WHERE share_grant.expires_at <= now() AND share_grant.digest IN (
    SELECT ended.digest FROM share_grant AS ended WHERE ended.expires_at <= now() LIMIT $1)`)

interface FoundRow extends GatedRow {
  readonly expired: boolean
  readonly owner_suspended: boolean
  readonly time_left_ms: string | null
  readonly limited_for_ms: string | null
  /** Of the reader's grant. */
  readonly grant_expires_at: Date | null
}

type GrantedRow = GatedRow & { readonly grant_expires_at: Date | null; readonly now: Date }

/** Rolls back a view whose grant exists already. */
class GrantExists extends Error {}

function foundOf(row: FoundRow, accountId: string | null, includeData: boolean): FoundGatedShare {
  const access = row.owner_id === accountId ? 'owner' : row.grant_expires_at === null ? null : 'grant'
  const { expired, owner_suspended: isSuspended } = row
  const isReadable = access !== null && !expired && !isSuspended && row.disabled_at === null
  return {
    record: restoreGated(row),
    data: readDataOf(row, includeData && isReadable),
    ...{ expired, ownerSuspended: isSuspended },
    timeLeftMs: row.time_left_ms === null ? null : Math.floor(Number(row.time_left_ms)),
    access,
    grantExpiresAt: row.grant_expires_at,
    purged: row.purged_at !== null,
    passwordHash: row.gate_password,
    limitedForMs: Math.max(0, Math.ceil(Number(row.limited_for_ms ?? 0))),
  }
}

/** The gates of shares in Postgres. */
export function postgresShareGates(pool: Pool): ShareGateStore {
  // Everyone who opens the same share waits here, not with a session in hand.
  const turns = ownerQueue()
  return {
    async find(id, { includeData, accessGrantDigest, accountId }) {
      const row = await firstRow<FoundRow>(pool, find(id, includeData, accessGrantDigest, accountId))
      return row === undefined ? null : foundOf(row, accountId, includeData)
    },

    grant: (id, digest) =>
      turns.run(id, () =>
        transaction(pool, async (tx) => {
          const row = await firstRow<GrantedRow>(tx, grant(id, digest, accessGrantMs))
          if (row === undefined) return null
          if (row.grant_expires_at === null) throw new GrantExists()
          const share = restoreGated(row)
          if (share.gate?.viewsLeft === 0)
            await addDelivery(tx, shareUsedUp(share, share.gate.views, row.now))
          return { share, expiresAt: row.grant_expires_at }
        }).catch((error: unknown) => {
          if (error instanceof GrantExists) return null
          throw error
        }),
      ),

    addFailure: (id) =>
      turns.run(id, () =>
        transaction(pool, async (tx) => {
          const row = await firstRow<GatedRow & { now: Date }>(tx, fail(id))
          if (row === undefined) return false
          const failed = Number(row.gate_failed_passwords)
          await addDelivery(tx, sharePasswordFailed(restoreGated(row), failed, row.now))
          return true
        }),
      ),

    purgeUsedUp: (limit) => purgeUsedUp(pool, limit),

    deleteEndedAccessGrants: (limit) => rowCount(pool, deleteEnded(limit)),
  }
}
