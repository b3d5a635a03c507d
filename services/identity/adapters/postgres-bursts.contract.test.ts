import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type AccountId, newIdentity } from '../domain/account.js'
import type { JobDecision } from '../domain/authorize-job.js'
import { openPostgresIdentity, type PostgresIdentity } from '../testing/postgres-identity.js'
import { postgresAccountStore } from './postgres-account-store.js'
import { postgresApiKeyStore } from './postgres-api-key-store.js'
import { postgresTrustedPublisherStore } from './postgres-trusted-publisher-store.js'
import { randomIds } from './random-identity-ids.js'

const profile = { email: null, emailVerified: false, name: null, picture: null }
const good: JobDecision = { reason: null, claim: null, shown: {}, ofRepository: true, pin: {} }
const none = () => null
const numbers = Array.from({ length: 30 }, (_none, n) => n)

let identity: PostgresIdentity
let stores: ReturnType<typeof openStores>
let ann: AccountId
let hashes = 0

function openStores() {
  const { pool } = identity
  return {
    accounts: postgresAccountStore(pool),
    apiKeys: postgresApiKeyStore(pool),
    publishers: postgresTrustedPublisherStore(pool),
  }
}

beforeAll(async () => {
  identity = await openPostgresIdentity('identity_bursts')
})
afterAll(() => identity?.close())
beforeEach(async () => {
  await identity.reset()
  stores = openStores()
  ann = (await stores.accounts.upsert(randomIds.account(), newIdentity('i', 'ann'), profile, null)).id
})

function shown() {
  hashes += 1
  const digest = { digest: Buffer.from(String(hashes).padEnd(32, '.')).toString('hex'), pepperVersion: 1 }
  return { prefix: 'snk_AAAA', last4: 'aaaa', digest }
}

async function addKey() {
  const id = randomIds.apiKey()
  const draft = { id, accountId: ann, name: 'CI', scopes: ['read'] as const, expiresInSeconds: null }
  await stores.apiKeys.add({ ...draft, ...shown() }, none, null)
  return id
}

async function addRule() {
  const id = randomIds.trustedPublisher()
  const repository = { issuer: 'https://ci.example', provider: 'github', repository: 'acme/website' } as const
  const fields = { claims: {}, events: [], scopes: ['read'] as const, ttlSeconds: 900 }
  await stores.publishers.add({ id, accountId: ann, name: 'CI', ...repository, ...fields }, none, null)
  return id
}

/** Starts work while someone else locks a row, and checks that others get a session meanwhile. */
async function behindLock<T>(table: string, id: string, start: () => readonly Promise<T>[]): Promise<T[]> {
  const holder = await identity.pool.connect()
  await holder.query('BEGIN')
  await holder.query(`SELECT FROM ${table} WHERE ${table}.id = $1 FOR UPDATE`, [id])
  const burst = Promise.all(start())
  // Longer than anyone waits for a session.
  await sleep(1_200)
  expect(await stores.accounts.find(newIdentity('i', 'bob'))).toBeNull()
  await holder.query('COMMIT')
  holder.release()
  return burst
}

it.each([
  ['new keys', () => addKey()],
  ['new rules', () => addRule()],
] as const)('a burst of %s waits in a queue, and uses up no sessions', async (_name, add) => {
  const ids = await behindLock('account', ann, () => numbers.map<Promise<string>>(add))
  expect(new Set(ids).size).toBe(numbers.length)
})

it('a burst of rotations waits in a queue, and uses up no sessions', async () => {
  const apiKeyId = await addKey()
  const how = { apiKeyId, accountId: ann, overlapSeconds: 60, begins: 'first-use' } as const
  const rotate = () => stores.apiKeys.rotate({ ...how, ...shown() }, () => {}, null)
  const rotated = await behindLock('account', ann, () => numbers.map(rotate))
  expect(rotated.every(({ state }) => state === 'added')).toBe(true)
})

it('a burst of jobs of one rule waits in a queue, and uses up no sessions', async () => {
  const rule = await addRule()
  const exchange = (n: number) => {
    const { digest } = shown()
    const assertion = { issuer: 'https://ci.example', claims: {}, fault: null, digest: digest.digest }
    const token = { digest, eventId: randomIds.publisherEvent() }
    const expiresAt = new Date(Date.UTC(2100, 0, 1, 0, 0, n))
    return stores.publishers.exchange(rule, { ...assertion, expiresAt }, () => good, token)
  }
  const exchanged = await behindLock('trusted_publisher', rule, () => numbers.map(exchange))
  expect(exchanged.every((one) => one?.state === 'issued')).toBe(true)
})
