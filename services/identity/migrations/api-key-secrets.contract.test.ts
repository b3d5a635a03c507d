import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Pool } from '#libs/postgres/pool.js'
import { createMigratedSchema, type MigratedSchema } from '#libs/testing/migrated-schema.js'
import { postgresApiKeyStore } from '../adapters/postgres-api-key-store.js'
import { accountId } from '../domain/account.js'
import { apiKeyId } from '../domain/api-key.js'
import { accounts } from './0001-accounts.js'
import { apiKeys } from './0002-api-keys.js'
import { signInsAndSuspensions } from './0003-sign-ins-and-suspensions.js'
import { profilesByAge } from './0004-profiles-by-age.js'
import { apiKeySecrets } from './0005-api-key-secrets.js'
import { events } from './0006-events.js'
import { operatorActs } from './0009-operator-acts.js'
import { accountErasure } from './0011-account-erasure.js'

const before = [accounts, apiKeys, signInsAndSuspensions, profilesByAge]
const all = [...before, apiKeySecrets, events, operatorActs, accountErasure]
let schema: MigratedSchema
let pool: Pool

beforeAll(async () => {
  schema = await createMigratedSchema('key_secrets', before)
  pool = schema.openPool()
  await pool.query(
    `INSERT INTO account (id, issuer, subject, email_verified) VALUES ('ann', 'i', 's', false)`,
  )
})
afterAll(() => schema?.close())

const idOf = (n: number) => apiKeyId(`${n}`.padStart(22, '0'))
const digestOf = (text: string) => ({ digest: Buffer.from(text).toString('hex'), pepperVersion: 1 })

/** What release 0.1.0 does, which knows one secret per key. */
const older = {
  add: (n: number) =>
    pool.query(
      `INSERT INTO api_key (id, account_id, name, digest, pepper_version, prefix, last4, scopes, created_at)
       VALUES ($1, 'ann', 'CI', $2, 1, 'snk_AAAA', 'aaaa', ARRAY['read'], now())`,
      [idOf(n), Buffer.from(`secret ${n}`)],
    ),
  rehash: (n: number) =>
    pool.query('UPDATE api_key SET digest = $2, pepper_version = 2 WHERE id = $1', [
      idOf(n),
      Buffer.from(`new ${n}`),
    ]),
  remove: (n: number) => pool.query('DELETE FROM api_key WHERE id = $1', [idOf(n)]),
}

it('keys of release 0.1.0 keep working, whether created before, during or after the migration', async () => {
  for (let n = 0; n < 1_200; n += 1) await older.add(n)
  let migrated = false
  const migration = schema.migrateOn(all).finally(() => {
    migrated = true
  })
  let during = 2_000
  while (!migrated || during === 2_000) {
    await older.add(during)
    // Changes only some, however long it takes, so that the last of the existing keys stay as they were.
    const n = (during - 2_000) % 500
    await older.rehash(n)
    await older.remove(600 + n)
    during += 1
  }
  await migration
  await older.add(9_000)
  await older.rehash(9_000)
  const store = postgresApiKeyStore(pool)
  const finds = async (text: string) => (await store.resolve([digestOf(text)])) !== null
  expect(await finds('new 0')).toBe(true)
  expect(await finds('secret 600')).toBe(false)
  expect(await finds('secret 1199')).toBe(true)
  expect(await finds('secret 2000')).toBe(true)
  expect([await finds('new 9000'), await finds('secret 9000')]).toEqual([true, false])
  const wrong = await pool.query(
    `SELECT FROM api_key FULL JOIN api_key_secret ON api_key_secret.api_key_id = api_key.id
     WHERE api_key.digest IS DISTINCT FROM api_key_secret.digest`,
  )
  expect(wrong.rowCount).toBe(0)
  await schema.asOwner(`DELETE FROM migrations WHERE name = '0005-api-key-secrets'`)
  await schema.migrateOn(all)
  expect(await store.list(accountId('ann'))).toHaveLength(
    (await pool.query('SELECT FROM api_key')).rowCount ?? 0,
  )
})

it('emptying the tables that release 0.1.0 knows empties ours, too', async () => {
  await schema.asOwner('TRUNCATE account, api_key, api_key_usage, usage_batch, idempotency_key')
  expect((await pool.query('SELECT FROM api_key_secret')).rowCount).toBe(0)
})
