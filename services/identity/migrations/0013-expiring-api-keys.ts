import { createIndexConcurrently } from '#libs/postgres/create-index-concurrently.js'
import { vacuumSooner } from '#libs/postgres/vacuum-sooner.js'

/** For reminders of keys that expire. */
export const expiringApiKeys = createIndexConcurrently(
  '0013-expiring-api-keys',
  'api_key_expiry',
  'api_key (expires_at) WHERE expires_at IS NOT NULL',
)

/** Tables whose rows come and go, or change all the time. */
export const vacuumIdentitySooner = vacuumSooner('0014-vacuum-sooner', [
  'account',
  'api_key',
  'api_key_secret',
  'event',
  'exchanged_token',
  'idempotency_key',
  'usage_batch',
  'used_assertion',
])
