import { createIndexConcurrently } from '#libs/postgres/create-index-concurrently.js'

/** For lists of expired shares, which need not scan live ones. */
export const newestPurgedShares = createIndexConcurrently(
  '0004-newest-purged-shares',
  'share_newest_purged',
  'share (owner_id, created_at DESC, id DESC) WHERE purged_at IS NOT NULL',
)
