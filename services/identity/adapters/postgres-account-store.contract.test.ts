import { afterAll, beforeAll } from 'vitest'
import { createLogger } from '#libs/log/logger.js'
import { migrate } from '#libs/postgres/migrate.js'
import { createPool, type Pool } from '#libs/postgres/pool.js'
import { createTestSchema, type TestSchema } from '#libs/testing/test-schema.js'
import { accounts } from '../migrations/0001-accounts.js'
import { accountStoreContract } from './account-store-contract.js'
import { postgresAccountStore } from './postgres-account-store.js'

let schema: TestSchema
let pool: Pool

beforeAll(async () => {
  schema = await createTestSchema('identity')
  await migrate({ ...schema, role: null }, [accounts])
  const session = {
    url: schema.url,
    schema: schema.schema,
    role: null,
    connectionsMax: 10,
    statementTimeoutMs: 5_000,
  }
  pool = createPool(session, createLogger('test', 'silent'))
})
afterAll(async () => {
  await pool?.end()
  await schema?.drop()
})

accountStoreContract('accounts in Postgres', async () => {
  await pool.query('TRUNCATE account')
  return postgresAccountStore(pool)
})
