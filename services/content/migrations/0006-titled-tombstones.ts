import { createIndexConcurrently } from '#libs/postgres/create-index-concurrently.js'

/** Whoever drops the titles of old tombstones finds those that still have one. */
export const titledTombstones = createIndexConcurrently(
  '0006-titled-tombstones',
  'share_titled_tombstone',
  "share (expires_at) WHERE purged_at IS NOT NULL AND title <> ''",
)
