import { ownerId, shareId } from '../domain/ids.js'
import type { ExpiryBy, Share } from '../domain/share.js'
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

export const shareColumns = `share.id, share.owner_id, share.tool, share.title, share.size_bytes, share.sha256, share.document_id,
  share.version, share.created_at, share.expires_at, share.expiry_by, share.purged_at,
  (SELECT disabled_share.disabled_at FROM disabled_share WHERE disabled_share.share_id = share.id) AS disabled_at`

export function restoreShare(row: ShareRow): Share {
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
  }
}
