import { idempotencyTable } from '#libs/postgres/idempotency.js'
import type { Pool } from '#libs/postgres/pool.js'
import { idempotencyKeyLifeMs } from '#shared/core/idempotency-key.js'
import type { IdempotencyStore } from '../ports.js'

const table = idempotencyTable('account_id', idempotencyKeyLifeMs)

/** Responses by idempotency key, in Postgres. */
export function postgresIdempotencyStore(pool: Pool): IdempotencyStore {
  return {
    find: (accountId, key) => table.find(pool, accountId, key),
    async store(accountId, key, stored) {
      if (await table.store(pool, accountId, key, stored)) return stored
      return (await table.find(pool, accountId, key)) ?? stored
    },
    deleteExpired: (signal) => table.deleteExpired(pool, signal),
  }
}
