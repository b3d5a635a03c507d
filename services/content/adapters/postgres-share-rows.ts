import { type Pool, query, statement } from '#libs/postgres/pool.js'
import { coalesce } from '#libs/runtime/coalesce.js'
import { isGatedShareId } from '#shared/core/share-id.js'
import type { FoundShare } from '../domain/found-share.js'
import { ownerId, type ShareId, shareId } from '../domain/ids.js'
import type { ExpiryBy, Share } from '../domain/share.js'
import type { Gate } from '../domain/share-gate.js'
import type { ShareStore } from '../ports.js'
import { type DataColumns, digestOf, locationOfRow, readDataOf } from './postgres-rows.js'

/** A row of `share` without its data. */
export interface ShareRow extends DataColumns {
  readonly id: string
  readonly owner_id: string
  readonly tool: string
  readonly title: string
  readonly version: number
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly expiry_by: ExpiryBy
  readonly purged_at: Date | null
  readonly disabled_at: Date | null
}

/** The same with its gate. */
export interface GatedRow extends ShareRow {
  readonly gate_password: string | null
  readonly gate_views_left: number | null
  readonly gate_views: string
  readonly gate_first_viewed_at: Date | null
  readonly gate_last_viewed_at: Date | null
  readonly gate_failed_passwords: string
}

export const shareColumns = `share.id, share.owner_id, share.tool, share.title, share.size_bytes, share.sha256, share.document_id,
  share.version, share.created_at, share.expires_at, share.expiry_by, share.purged_at,
  (SELECT disabled_share.disabled_at FROM disabled_share WHERE disabled_share.share_id = share.id) AS disabled_at`

/** Whether its owner is suspended. */
export const ownerSuspended =
  'coalesce((SELECT owner.suspended_at IS NOT NULL FROM owner WHERE owner.owner_id = share.owner_id), false)'

export const gatedColumns = `${shareColumns}, share.gate_password, share.gate_views_left, share.gate_views, share.gate_first_viewed_at,
  share.gate_last_viewed_at, share.gate_failed_passwords`

export function restoreShare(row: ShareRow, gate: Gate | null = null): Share {
  return {
    id: shareId(row.id),
    ownerId: ownerId(row.owner_id),
    tool: row.tool,
    title: row.title,
    digest: digestOf(row),
    location: locationOfRow(row),
    version: row.version,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    expiryBy: row.expiry_by,
    disabledAt: row.disabled_at,
    gate,
  }
}

/** A share, with its gate if it has one. */
export function restoreOne(row: GatedRow): Share {
  return isGatedShareId(row.id) ? restoreGated(row) : restoreShare(row)
}

/** A share with its gate. */
export function restoreGated(row: GatedRow): Share {
  return restoreShare(row, {
    hasPassword: row.gate_password !== null,
    viewsLeft: row.gate_views_left,
    views: Number(row.gate_views),
    firstViewedAt: row.gate_first_viewed_at,
    lastViewedAt: row.gate_last_viewed_at,
    failedPasswords: Number(row.gate_failed_passwords),
  })
}

/** By the primary key for each, not by one scan; by subqueries, so that a single find is not planned anew each time. */
const findAll = statement('share-find-all')(`
  SELECT wanted.place::int AS place, found.*
  FROM unnest((SELECT $1::text[]), (SELECT $2::boolean[])) WITH ORDINALITY AS wanted (id, include_data, place)
  CROSS JOIN LATERAL (
    SELECT ${shareColumns}, coalesce(share.expires_at <= now(), false) AS expired,
      extract(epoch FROM share.expires_at - now()) * 1000 AS time_left_ms,
      ${ownerSuspended} AS owner_suspended,
      CASE WHEN wanted.include_data AND (share.expires_at IS NULL OR share.expires_at > now())
        THEN share.data END AS data
    FROM share WHERE share.id = wanted.id LIMIT 1) AS found`)

interface Find {
  readonly id: ShareId
  readonly includeData: boolean
}

/** As many as one call of a gateway brings. */
const batching = { maxBatchSize: 32, maxInFlight: 4, maxDelayMs: 5 }

/** The finds of one moment by one statement. */
export function postgresShareFind(pool: Pool): ShareStore['find'] {
  type Found = ShareRow & {
    place: number
    expired: boolean
    time_left_ms: string | null
    owner_suspended: boolean
  }
  const find = coalesce<Find, FoundShare | null>(batching, async (finds) => {
    const values = [finds.map(({ id }) => id), finds.map(({ includeData }) => includeData)]
    const { rows } = await query<Found>(pool, findAll(...values))
    const rowAt = new Map(rows.map((row) => [row.place, row]))
    return finds.map(({ includeData }, index) => {
      const row = rowAt.get(index + 1)
      if (row === undefined) return { status: 'fulfilled', value: null }
      const timeLeftMs = row.time_left_ms === null ? null : Math.floor(Number(row.time_left_ms))
      const { expired, owner_suspended: isSuspended } = row
      const isOpen = !expired && !isSuspended && row.disabled_at === null
      const data = readDataOf(row, includeData && isOpen)
      return {
        status: 'fulfilled',
        value: { record: restoreShare(row), data, expired, ownerSuspended: isSuspended, timeLeftMs },
      }
    })
  })
  return (id, includeData) => find({ id, includeData })
}
