import { type Pool, query } from '#libs/postgres/pool.js'
import { coalesce } from '#libs/runtime/coalesce.js'
import type { FoundShare } from '../domain/found-share.js'
import type { ShareId } from '../domain/ids.js'
import type { ShareStore } from '../ports.js'
import { readDataOf } from './postgres-rows.js'
import { ownerSuspended, restoreShare, type ShareRow, shareColumns } from './postgres-share-row.js'

/** By the primary key for each, not by one scan. */
const findAll = `
  SELECT wanted.place::int AS place, found.*
  FROM unnest($1::text[], $2::boolean[]) WITH ORDINALITY AS wanted (id, include_data, place)
  CROSS JOIN LATERAL (
    SELECT ${shareColumns}, coalesce(share.expires_at <= now(), false) AS expired,
      extract(epoch FROM share.expires_at - now()) * 1000 AS time_left_ms,
      ${ownerSuspended} AS owner_suspended,
      CASE WHEN wanted.include_data AND (share.expires_at IS NULL OR share.expires_at > now())
        THEN share.data END AS data
    FROM share WHERE share.id = wanted.id LIMIT 1) AS found`

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
    const { rows } = await query<Found>(pool, { name: 'share-find-all', text: findAll, values })
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
