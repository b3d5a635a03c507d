import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { type ApiClient, apiClient } from './harness/api-client.js'
import { makeKey } from './harness/api-keys.js'
import { signWebhook, webhookSecrets } from './harness/payment-side.js'
import { scrapeText } from './harness/scrape.js'
import { checkout, subscribeAs } from './harness/subscribe.js'
import { startSystem, type TestSystem } from './harness/system.js'
import { startTraceCollector, type TraceCollector } from './harness/trace-collector.js'
import { until } from './harness/until.js'

function plant(name: string): string {
  return `planted${name}${randomBytes(8).toString('hex')}`
}

const secrets = {
  databasePassword: plant('Password'),
  pepper: plant('PepperWhichIsLongEnough'),
  title: plant('Title'),
  data: plant('Data'),
  tag: plant('Tag'),
  metadata: plant('Metadata'),
  email: `${plant('mail')}@example.com`,
  idempotencyKey: plant('IdempotencyKey'),
  query: plant('Query'),
  keyName: plant('KeyName'),
  userName: plant('UserName'),
}
const role = `planted_${randomBytes(6).toString('hex')}`

let collector: TraceCollector
let system: TestSystem

async function asAdmin(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('databaseUrl') })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

async function inDatabase(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: system.databaseUrl })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

beforeAll(async () => {
  collector = await startTraceCollector()
  await asAdmin(`CREATE ROLE ${role} SUPERUSER LOGIN PASSWORD '${secrets.databasePassword}'`)
  const serverUrl = new URL(inject('databaseUrl'))
  serverUrl.username = role
  serverUrl.password = secrets.databasePassword
  system = await startSystem({
    payments: {},
    serverUrl: serverUrl.href,
    env: {
      METRICS_PORT: '0',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      LOG_LEVEL: 'trace',
      API_KEY_PEPPER: secrets.pepper,
    },
    gatewayEnv: { RATE_LIMIT_STRICT: '60/60' },
  })
})
afterAll(async () => {
  await system?.stop()
  await collector?.stop()
  await asAdmin(`DROP ROLE IF EXISTS ${role}`)
})

const snippet = { tool: 'json', title: secrets.title, data: { v: secrets.data }, tags: [secrets.tag] }

/** Saves everything that can be saved, and reads it back. */
async function save(user: ApiClient): Promise<void> {
  const keyed = { 'Idempotency-Key': secrets.idempotencyKey }
  const made = await user.post('/api/snippets', snippet, keyed)
  expect([made.status, (await user.post('/api/snippets', snippet, keyed)).status]).toEqual([201, 201])
  const path = `/api/snippets/${made.json<{ id: string }>().id}`
  expect((await user.patch(path, { title: `${secrets.title} again` })).status).toBe(200)
  expect((await user.get(`/api/snippets?q=${secrets.query}&tag=${secrets.tag}`)).status).toBe(200)
  const { tool, title, data } = snippet
  const share = await user.post('/api/shares', { tool, title, data })
  expect((await system.anyone().get(`/s/${share.json<{ id: string }>().id}`)).text).toContain(secrets.title)
  const entry = { tool, title, metadata: { v: secrets.metadata } }
  expect((await user.post('/api/history', entry)).status).toBe(201)
  expect((await user.get('/api/auth/profile')).text).toContain(secrets.email)
}

/** Makes requests fail in every way that callers can. */
async function failAsCaller(user: ApiClient, token: string, key: string): Promise<void> {
  const broken = `${JSON.stringify(snippet).slice(0, -1)},`
  const statuses: number[] = []
  const note = async (response: Promise<{ status: number }>): Promise<void> => {
    statuses.push((await response).status)
  }
  await note(user.post('/api/snippets', broken))
  await note(user.post('/api/snippets', { ...snippet, [secrets.data]: 1 }))
  await note(user.post('/api/snippets', { ...snippet, tags: [secrets.tag.repeat(9)] }))
  await note(
    user.post('/api/shares', { ...snippet, tags: undefined, data: { v: secrets.data.repeat(200_000) } }),
  )
  await note(user.post('/api/history', { tool: 'json', metadata: { v: secrets.metadata.repeat(1_000) } }))
  await note(user.get(`/api/snippets/${secrets.title}`))
  await note(user.get(`/${secrets.title}?${secrets.query}`))
  await note(user.get(`/api/snippets?cursor=${secrets.query}`))
  await note(system.anyone().get('/api/snippets', { Authorization: `Bearer ${token.slice(0, -4)}AAAA` }))
  await note(system.anyone().get('/api/snippets', { Authorization: `Bearer ${token}`, 'X-API-Key': key }))
  await note(system.withKey(`${key.slice(0, -1)}!`).get('/api/snippets'))
  await note(system.withKey(key).get('/api/keys'))
  expect(statuses).toEqual([400, 400, 400, 413, 400, 404, 404, 400, 401, 401, 401, 403])
  for (let n = 0; n < 80; n += 1) await note(system.withKey(`snk_${secrets.query}`).get('/api/snippets'))
  expect(statuses.slice(-10)).toEqual(Array.from({ length: 10 }, () => 429))
}

/** Makes the database fail with messages that quote what was saved. */
async function failInDatabase(user: ApiClient): Promise<void> {
  await inDatabase(`
    CREATE FUNCTION content.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'no % here', NEW.title USING ERRCODE = '22023', DETAIL = NEW::text; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON content.snippet FOR EACH ROW EXECUTE FUNCTION content.refuse();
    ALTER TABLE content.share ADD CONSTRAINT refused CHECK (title = '') NOT VALID`)
  expect((await user.post('/api/snippets', snippet)).status).toBe(500)
  const { tool, title, data } = snippet
  expect((await user.post('/api/shares', { tool, title, data })).status).toBe(500)
  await inDatabase(
    `DROP TRIGGER refuse ON content.snippet; ALTER TABLE content.share DROP CONSTRAINT refused`,
  )
  await inDatabase(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`)
  await until(async () => (await user.post('/api/snippets', snippet)).status === 201)
}

/** Makes the payment provider fail, and forges events. */
async function failAtProvider(): Promise<void> {
  const payments = system.payments
  if (payments === null) throw new Error('there are no payments')
  const payer = await system.user('payer')
  await payments.control('faults', { match: 'POST /v1/customers', kind: 'status-500', times: 2 })
  await checkout(payer)
  await payments.control('faults', { clear: true })
  await subscribeAs(system, 'subscriber')
  const body = JSON.stringify({ id: 'evt_1', type: 'x', data: { object: { note: secrets.data } } })
  for (const signature of [signWebhook(body, 'whsec_of_somebody_else'), signWebhook(body)]) {
    const options = { body, headers: { 'Stripe-Signature': signature } }
    await system.anyone().request('POST', '/api/webhooks/stripe', options)
  }
  const malformed = `{"${secrets.data}`
  const headers = { 'Stripe-Signature': signWebhook(malformed) }
  await system.anyone().request('POST', '/api/webhooks/stripe', { body: malformed, headers })
}

it('no secret is in logs, metrics or traces, whatever fails', async () => {
  const claims = { email: secrets.email, name: secrets.userName }
  const token = await system.issuer.token('owner', claims)
  await system.setPlan('owner', 'pro')
  const user = apiClient(system.baseUrl(), {
    Authorization: `Bearer ${token}`,
    'X-Request-Id': 'control-of-logs',
  })
  await save(user)
  const key = await makeKey(system, user, { name: secrets.keyName })
  await save(apiClient(system.baseUrl(), { 'X-API-Key': key.key }))
  await failInDatabase(user)
  await failAtProvider()
  const free = apiClient(system.baseUrl(), {
    Authorization: `Bearer ${await system.issuer.token('free', claims)}`,
  })
  await failAsCaller(free, token, key.key)

  const metrics = await Promise.all(system.processes.map(scrapeText))
  const urls = system.processes.map(({ output }) => output)
  await until(async () => collector.spans().some(({ failed }) => failed))
  await system.stop()
  const written = {
    logs: urls.map((output) => output()).join('\n'),
    metrics: metrics.join('\n'),
    traces: collector.bytes().toString('latin1'),
  }
  // Proves that the search finds what is there.
  expect(written.logs).toContain('control-of-logs')
  expect(written.logs).toContain('unexpected error')
  expect(written.metrics).toContain('/api/snippets/{id}')
  expect(written.traces).toContain('control-of-logs')

  const [, payload = '', signature = ''] = token.split('.')
  const planted: Readonly<Record<string, string>> = {
    ...secrets,
    token: signature,
    tokenPayload: payload,
    apiKey: key.key,
    apiKeySecret: key.key.slice(12),
    providerKey: 'sk_test_of_the_end_to_end_tests',
    webhookSecret: webhookSecrets[0],
    olderWebhookSecret: webhookSecrets[1],
  }
  const found = Object.entries(planted).flatMap(([name, secret]) =>
    [
      secret,
      Buffer.from(secret)
        .toString('base64')
        .replace(/.{0,4}$/, ''),
      encodeURIComponent(secret),
    ].flatMap((form) =>
      Object.entries(written).flatMap(([where, text]) => {
        const at = text.indexOf(form)
        return at === -1 ? [] : [`${name} in ${where}: ${text.slice(Math.max(0, at - 300), at + 100)}`]
      }),
    ),
  )
  expect(Object.keys(planted).length).toBeGreaterThanOrEqual(12)
  expect(found).toEqual([])
  expect(written.logs).toContain('[withheld]')
})
