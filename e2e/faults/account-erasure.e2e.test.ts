import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type S3Server, startS3Server } from '#libs/testing/s3-server.js'
import { tablesWith } from '#libs/testing/tables-with.js'
import { createTestBucket, type TestBucket } from '#libs/testing/test-bucket.js'
import { type ApiClient, apiClient } from '../harness/api-client.js'
import { makeKey } from '../harness/api-keys.js'
import { iterations } from '../harness/iterations.js'
import { makeShare } from '../harness/make-share.js'
import { scrapeText } from '../harness/scrape.js'
import { subscribeAs } from '../harness/subscribe.js'
import { startSystem, type TestSystem } from '../harness/system.js'
import type { Env } from '../harness/system-process.js'
import { until } from '../harness/until.js'

let system: TestSystem
let db: pg.Pool
/** Where the documents are, unless they are in Postgres. */
let s3: { readonly server: S3Server; readonly bucket: TestBucket } | null = null
const killsMax = 5

async function start(contentEnv: Env): Promise<void> {
  system = await startSystem({
    payments: {},
    env: { METRICS_PORT: '0', OPERATOR_CLAIM: 'groups:operators' },
    contentEnv: { INTERNAL_CONTENT_ORPHAN_GRACE_MS: '1000', ...contentEnv },
    processEnv: (name): Readonly<Record<string, string>> =>
      name === 'identity' ? { ACCOUNT_ERASURE_DAYS: '0' } : {},
  })
  db = new pg.Pool({ connectionString: system.databaseUrl, max: 1 })
}

async function startWithS3(): Promise<void> {
  const server = await startS3Server()
  s3 = { server, bucket: await createTestBucket('erasure', server.access) }
  await start({
    DOCUMENT_STORE: 's3',
    S3_ENDPOINT: server.access.endpoint,
    S3_BUCKET: s3.bucket.name,
    S3_ACCESS_KEY_ID: server.access.accessKeyId,
    S3_SECRET_ACCESS_KEY: server.access.secretAccessKey,
    S3_FORCE_PATH_STYLE: 'true',
  })
}

async function stop(): Promise<void> {
  await db?.end()
  await system?.stop()
  await s3?.server.stop()
  s3 = null
}

async function fresh(name: string): Promise<ApiClient> {
  const token = await system.issuer.token(name, { auth_time: Math.floor(Date.now() / 1_000) })
  return apiClient(system.baseUrl(), { Authorization: `Bearer ${token}` })
}

async function idOf(user: ApiClient): Promise<string> {
  return (await user.get('/api/auth/profile')).json<{ id: string }>().id
}

/** An account with something in every place, each time with the marker in it. */
async function fill(name: string, marker: string): Promise<string> {
  const { user } = await subscribeAs(system, name)
  const id = await idOf(user)
  const saved = await user.post('/api/snippets', {
    tool: 'csv',
    title: marker,
    tags: [marker],
    data: { marker },
  })
  const snippet = saved.json<{ id: string }>()
  await user.patch(`/api/snippets/${snippet.id}`, { data: { marker: `${marker}${'x'.repeat(200_000)}` } })
  await user.post(
    '/api/history',
    { tool: 'csv', title: marker, metadata: { marker } },
    { 'Idempotency-Key': marker },
  )
  await user.post('/api/snippets', { tool: 'csv', title: marker, data: {} }, { 'Idempotency-Key': marker })
  await makeKey(system, user, { name: marker })
  const share = await makeShare(user, { title: marker, data: { marker } })
  await system.anyone().get(`/api/shares/${share.id}`)
  await system.anyone().post('/api/reports', { share: share.id, reason: 'other', message: marker })
  const operator = apiClient(system.baseUrl(), {
    Authorization: `Bearer ${await system.issuer.token('op', { groups: ['operators'] })}`,
  })
  await operator.post(`/api/operator/shares/${share.id}/disable`, { reason: 'a test', message: marker })
  return id
}

/** What can be killed and started again. */
interface Victim {
  kill(): Promise<void>
  restart(): Promise<void>
}

const inPostgres: readonly (readonly [string, () => readonly Victim[]])[] = [
  ['content', () => system.contents],
  ['identity', () => system.identities],
  ['activity', () => system.activities],
  ['billing', () => system.payments?.billings ?? []],
  ['the gateway', () => system.gateways],
  ['one after the other', () => [...system.contents, ...system.activities, ...system.identities]],
]
const inS3: typeof inPostgres = [
  ['content', () => system.contents],
  ['the bucket', () => (s3 === null ? [] : [s3.server])],
]

async function killAgainAndAgain(victims: readonly Victim[], owner: ApiClient): Promise<void> {
  for (let turn = 0; turn < killsMax; turn += 1) {
    const victim = victims[turn % victims.length]
    if (victim === undefined) throw new Error('nothing to kill')
    await victim.kill()
    await victim.restart()
    await until(async () => (await owner.get('/readyz')).status === 200)
    await until(async () => (await owner.get('/api/auth/profile')).status !== 503)
  }
}

async function expectNothingInProcesses(name: string, id: string, marker: string): Promise<void> {
  for (const one of system.processes) {
    expect(one.output(), one.name).not.toContain(marker)
    expect(one.output(), one.name).not.toContain(`${name}@example.com`)
    const metrics = await scrapeText(one).catch(() => '')
    expect(metrics, one.name).not.toContain(id)
    expect(metrics, one.name).not.toContain(marker)
  }
}

async function eraseWhileKilled(what: string, victims: readonly Victim[], round: number): Promise<void> {
  const name = `leaver-${what.replaceAll(' ', '-')}-${round}`
  const marker = `planted-${name}-marker`
  const id = await fill(name, marker)
  if (s3 !== null) expect(await s3.bucket.keys()).not.toEqual([])
  const owner = await fresh(name)
  const kills = killAgainAndAgain(victims, owner)
  const closed = () => owner.request('DELETE', '/api/account', { body: { confirm: id } })
  await until(async () => [202, 400].includes((await closed()).status))
  await kills
  // What the killed had claimed comes again after a minute.
  await db.query('UPDATE identity.account_step SET due_at = now()')
  let left: readonly string[] = []
  await until(
    async () => {
      left = await tablesWith(db, [id, marker])
      return left.length === 0
    },
    () => `something of the account is left in ${left.join(', ')}`,
  )
  expect(await s3?.bucket.keys()).toEqual(s3 === null ? undefined : [])
  const receipts = await db.query<{ service: string }>(
    `SELECT erasure_receipt.service FROM identity.erasure_receipt
     WHERE erasure_receipt.account_digest = sha256(convert_to($1, 'UTF8')) ORDER BY 1`,
    [id],
  )
  const services = receipts.rows.map(({ service }) => service)
  expect(services).toEqual(['activity', 'billing', 'content', 'identity'])
  await until(async () => (await owner.get('/api/auth/profile')).status === 200)
  expect(await idOf(owner)).not.toBe(id)
  await expectNothingInProcesses(name, id, marker)
}

const places = [
  { place: 'Postgres', begin: () => start({}), victims: inPostgres },
  { place: 'S3', begin: startWithS3, victims: inS3 },
]

describe.each(places)('an erasure with documents in $place', ({ begin, victims }) => {
  beforeAll(begin)
  afterAll(stop)

  it.each(victims)(
    'ends in the same state when %s is killed again and again, and leaves nothing anywhere',
    async (what, pick) => {
      for (let round = 0; round < iterations(1, 5); round += 1) await eraseWhileKilled(what, pick(), round)
    },
  )
})
