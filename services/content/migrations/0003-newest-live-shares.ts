import { createIndexConcurrently } from '#libs/postgres/create-index-concurrently.js'

/** Whoever lists what can still be opened passes over nothing that was purged, however much that is. */
export const newestLiveShares = createIndexConcurrently(
  '0003-newest-live-shares',
  'share_newest_unpurged',
  'share (owner_id, created_at DESC, id DESC) WHERE purged_at IS NULL',
)
