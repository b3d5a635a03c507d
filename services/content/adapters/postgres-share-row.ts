import { isGatedShareId } from '#shared/core/share-id.js'
import { ownerId, shareId } from '../domain/ids.js'
import type { ExpiryBy, Share } from '../domain/share.js'
import type { Gate } from '../domain/share-gate.js'
import { type DataColumns, digestOf, placeOfRow } from './postgres-rows.js'

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
    place: placeOfRow(row),
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
