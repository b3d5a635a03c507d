import { createIndexConcurrently } from '#libs/postgres/create-index-concurrently.js'

/** Whoever lists what has expired passes over nothing that can still be opened, however much that is. */
export const newestPurgedShares = createIndexConcurrently(
  '0004-newest-purged-shares',
  'share_newest_purged',
  'share (owner_id, created_at DESC, id DESC) WHERE purged_at IS NOT NULL',
)
