import { createIndexConcurrently } from '#libs/postgres/create-index-concurrently.js'

/** For clearing the titles of old tombstones. */
export const titledTombstones = createIndexConcurrently(
  '0006-titled-tombstones',
  'share_titled_tombstone',
  "share (expires_at) WHERE purged_at IS NOT NULL AND title <> ''",
)
