import { createIndexConcurrently } from '#libs/postgres/create-index-concurrently.js'
import { vacuumSooner } from '#libs/postgres/vacuum-sooner.js'

/**
 * For deleting old tombstones. The previous release still clears their titles by the index of 0006, which a later
 * release drops.
 */
export const oldTombstones = createIndexConcurrently(
  '0017-old-tombstones',
  'share_tombstone',
  'share (expires_at) WHERE purged_at IS NOT NULL',
)

/** Tables whose rows come and go, or change all the time. */
export const vacuumContentSooner = vacuumSooner('0018-vacuum-sooner', [
  'document',
  'document_chunk',
  'event_delivery',
  'idempotency_key',
  'owner',
  'share',
  'share_grant',
  'share_view',
  'snippet_revision',
])
