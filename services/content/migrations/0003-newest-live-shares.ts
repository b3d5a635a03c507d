import { createIndexConcurrently } from '#libs/postgres/create-index-concurrently.js'

/** For lists of live shares, which need not scan purged ones. */
export const newestLiveShares = createIndexConcurrently(
  '0003-newest-live-shares',
  'share_newest_unpurged',
  'share (owner_id, created_at DESC, id DESC) WHERE purged_at IS NULL',
)
