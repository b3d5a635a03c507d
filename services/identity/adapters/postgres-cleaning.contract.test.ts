import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openPostgresIdentity, type PostgresIdentity } from '../testing/postgres-identity.js'
import { postgresApiKeyStore } from './postgres-api-key-store.js'
import { postgresEventStore } from './postgres-event-store.js'
import { postgresTrustedPublisherStore } from './postgres-trusted-publisher-store.js'

const untilDone = new AbortController().signal
/** More than two batches. */
const many = 25_000
let identity: PostgresIdentity

beforeAll(async () => {
  identity = await openPostgresIdentity('identity_cleaning')
})
afterAll(() => identity?.close())
beforeEach(() => identity.reset())

async function addAccount(id: string, plan: 'free' | 'pro'): Promise<void> {
  await identity.pool.query(
    `INSERT INTO account (id, issuer, subject, email_verified, plan) VALUES ($1, 'https://issuer', $1, true, $2)`,
    [id, plan],
  )
}

/** @param age in SQL; `n` counts the events. */
async function addEvents(account: string, count: number, age: string): Promise<void> {
  await identity.pool.query(
    `INSERT INTO event (account_id, type, principal_kind, subject_kind, subject_id, detail, created_at)
     SELECT $1, 'share.created', 'owner', 'share', 's' || n, '{}', now() - ${age} FROM generate_series(1, $2::integer) AS n`,
    [account, count],
  )
}

async function count(table: string): Promise<Record<string, number>> {
  const { rows } = await identity.pool.query<{ id: string; held: number }>(
    `SELECT account_id AS id, count(*)::integer AS held FROM ${table} GROUP BY account_id ORDER BY account_id`,
  )
  return Object.fromEntries(rows.map(({ id, held }) => [id, held]))
}

it('one run deletes every event beyond its days, however many there are and however many Pro keeps', async () => {
  await addAccount('free', 'free')
  await addAccount('pro', 'pro')
  await addEvents('pro', many, `interval '60 days' - n * interval '1 second'`)
  await addEvents('pro', 10, `interval '91 days'`)
  // All of one moment, as after an import.
  await addEvents('free', many, `interval '31 days'`)
  await addEvents('free', 10, `interval '29 days'`)
  await addEvents('erased', 10, `interval '31 days'`)
  const events = postgresEventStore(identity.pool)
  expect(await events.trim({ free: 30, pro: 90 }, untilDone)).toBe(many + 20)
  expect(await count('event')).toEqual({ free: 10, pro: many })
})

it('no statement reads more than its batch of the events that Pro keeps', async () => {
  await addAccount('pro', 'pro')
  await addEvents('pro', many, `interval '60 days' - n * interval '1 second'`)
  let statements = 0
  identity.pool.on('acquire', () => {
    statements += 1
  })
  await postgresEventStore(identity.pool).trim({ free: 30, pro: 90 }, untilDone)
  expect(statements).toBe(Math.ceil(many / 10_000) + 1)
})

it('a run ends between batches when the process stops', async () => {
  await addEvents('erased', many, `interval '31 days' + n * interval '1 second'`)
  const stopped = AbortSignal.abort()
  expect(await postgresEventStore(identity.pool).trim({ free: 30, pro: 90 }, stopped)).toBe(0)
  expect(await count('event')).toEqual({ erased: many })
})

it('expired usage batches, responses, tokens and assertions are deleted in batches', async () => {
  const { pool } = identity
  const series = `FROM generate_series(1, ${many}) AS n`
  await pool.query(
    `INSERT INTO usage_batch (id, applied_at) SELECT 'b' || n, now() - interval '2 days' ${series}`,
  )
  await pool.query(
    `INSERT INTO idempotency_key (account_id, digest, fingerprint, sealed, created_at)
     SELECT 'ann', decode(md5(n::text), 'hex'), 'f', '', now() - interval '2 days' ${series}`,
  )
  await pool.query(
    `INSERT INTO used_assertion (issuer, digest, expires_at)
     SELECT 'https://ci', decode(md5(n::text), 'hex'), now() - interval '1 hour' ${series}`,
  )
  expect(await postgresApiKeyStore(pool).forgetOld(AbortSignal.abort())).toBe(20_000)
  expect(await postgresApiKeyStore(pool).forgetOld(untilDone)).toBe(2 * many - 20_000)
  expect(await postgresTrustedPublisherStore(pool).forgetExpired(AbortSignal.abort())).toBe(10_000)
  expect(await postgresTrustedPublisherStore(pool).forgetExpired(untilDone)).toBe(many - 10_000)
})

it('expired secrets of keys are ended in batches, each with its event', async () => {
  await addAccount('ann', 'free')
  await identity.pool.query(
    `INSERT INTO api_key (id, account_id, name, digest, pepper_version, prefix, last4, scopes, created_at)
     SELECT lpad(n::text, 22, '0'), 'ann', 'key', decode(md5(n::text), 'hex'), 1, 'p', 'last', '{read}', now()
     FROM generate_series(1, 450) AS n`,
  )
  await identity.pool.query(
    `INSERT INTO api_key_secret (api_key_id, number, digest, pepper_version, prefix, last4, created_at, expires_at)
     SELECT lpad(n::text, 22, '0'), 2, decode(md5('second ' || n), 'hex'), 1, 'p', 'last', now(), now() - interval '1 hour'
     FROM generate_series(1, 450) AS n`,
  )
  const keys = postgresApiKeyStore(identity.pool)
  expect(await keys.forgetOld(AbortSignal.abort())).toBe(200)
  expect(await keys.forgetOld(untilDone)).toBe(250)
  expect(await count('event')).toEqual({ ann: 450 })
})

it('tables whose rows come and go are vacuumed long before a fifth of them is dead', async () => {
  const { rows } = await identity.pool.query<{ options: string[] }>(
    `SELECT reloptions AS options FROM pg_class WHERE oid = 'event'::regclass`,
  )
  expect(rows[0]?.options).toContain('autovacuum_vacuum_scale_factor=0.02')
})
