import { createHash, randomBytes } from 'node:crypto'
import { connect, createServer, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testPort } from '#libs/testing/test-port.js'
import { type ApiClient, type ApiResponse, apiClient } from '../harness/api-client.js'
import { iterations } from '../harness/iterations.js'
import { startSystem, type TestSystem } from '../harness/system.js'
import type { SystemProcess } from '../harness/system-process.js'

let system: TestSystem
let db: pg.Client
let kit: ApiClient
/** The port at which content looks for identity; nothing listens there until a test starts a relay. */
let identityPort: number
let way: Server | null = null

beforeAll(async () => {
  identityPort = await testPort()
  system = await startSystem({
    env: { OPERATOR_CLAIM: 'groups:operators' },
    contentEnv: {
      INTERNAL_CONTENT_ORPHAN_GRACE_MS: '1500',
      INTERNAL_CONTENT_SWEEP_INTERVAL_MS: '300',
      PLAN_PRO_REVISIONS: '1000',
      IDENTITY_GRPC_TARGET: `127.0.0.1:${identityPort}`,
    },
  })
  db = new pg.Client({ connectionString: system.databaseUrl })
  await db.connect()
  kit = await system.user('kit', 'pro')
})
afterAll(async () => {
  way?.close()
  await db?.end()
  await system?.stop()
})

const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Random documents around the size limits of storage, up to a few MiB. */
function randomData(): string {
  const sizes = [1, 40_000, 65_528, 65_529, 262_144, 700_000, 1_048_576, 3_000_000]
  const size = sizes[Math.floor(Math.random() * sizes.length)] ?? 1
  return `{"v":"${randomBytes(Math.ceil(size / 2))
    .toString('hex')
    .slice(0, size)}"}`
}

async function restartWhenGone(victim: SystemProcess): Promise<void> {
  await victim.kill()
  await victim.restart()
  await expect
    .poll(async () => (await kit.get('/readyz').catch(() => undefined))?.text ?? 'unreachable')
    .not.toContain('unreachable')
}

/** Uploads until stopped, and records every document whose upload was acknowledged. */
async function uploadUntil(stopped: () => boolean, acknowledged: Map<string, string>): Promise<void> {
  while (!stopped()) {
    const data = randomData()
    try {
      const response = await kit.post('/api/snippets', `{"data":${data},"tool":"kill","title":"Crash"}`)
      if (response.status === 201) acknowledged.set(response.json<{ id: string }>().id, sha256(data))
      else expect([500, 503, 504]).toContain(response.status)
    } catch {
      await sleep(20)
    }
  }
}

async function orphans(): Promise<{ documents: number; chunks: number }> {
  const { rows } = await db.query<{ documents: number; chunks: number }>(
    `SELECT (SELECT count(*) FROM content.document WHERE document.unclaimed_since IS NOT NULL)::int AS documents,
            (SELECT count(*) FROM content.document_chunk WHERE NOT EXISTS
              (SELECT FROM content.document WHERE document.id = document_chunk.document_id))::int AS chunks`,
  )
  return rows[0] ?? { documents: -1, chunks: -1 }
}

describe('a kill -9 during uploads', () => {
  it.each([
    ['content', () => system.contents[0]],
    ['the gateway', () => system.gateways[0]],
  ] as const)(
    'of %s loses no acknowledged document and leaves no orphan after the sweep',
    async (_name, pick) => {
      const acknowledged = new Map<string, string>()
      let stopped = false
      const uploads = Promise.all(Array.from({ length: 6 }, () => uploadUntil(() => stopped, acknowledged)))
      const someMore = async (): Promise<void> => {
        const before = acknowledged.size
        await expect.poll(() => acknowledged.size - before, { interval: 10 }).toBeGreaterThan(3)
      }
      for (let round = 0; round < iterations(3, 40); round += 1) {
        await someMore()
        await sleep(Math.random() * 500)
        const victim = pick()
        if (victim === undefined) throw new Error('there is nothing to kill')
        await restartWhenGone(victim)
      }
      await someMore()
      stopped = true
      await uploads
      const read = async (id: string): Promise<[number, string]> => {
        const raw = await kit.get(`/api/snippets/${id}/raw`)
        return [raw.status, sha256(raw.text)]
      }
      for (const [id, sum] of acknowledged) {
        // It may return 503 only until the gateway has reconnected to the restarted process.
        await expect.poll(() => read(id), { interval: 100 }).toEqual([200, sum])
      }
      await expect.poll(orphans, { interval: 200 }).toEqual({ documents: 0, chunks: 0 })
      const { rows } = await db.query(
        'SELECT owner.snippet_count::int AS counter, (SELECT count(*)::int FROM content.snippet WHERE snippet.owner_id = owner.owner_id) AS rows FROM content.owner',
      )
      for (const row of rows) expect(row.counter).toBe(row.rows)
    },
  )
})

it('events of shares and audit entries that content could not deliver before a kill -9 are delivered after it, each once', async () => {
  const made: string[] = []
  for (let n = 0; n < 5; n += 1) {
    const response = await kit.post('/api/shares', { tool: 'kill', title: `Share ${n}`, data: { n } })
    expect(response.status).toBe(201)
    made.push(response.json<{ id: string }>().id)
  }
  const waiting = async (table = 'event_delivery'): Promise<number> => {
    const text = `SELECT count(*)::int AS n FROM content.${table}`
    return (await db.query<{ n: number }>(text)).rows[0]?.n ?? -1
  }
  expect(await waiting()).toBe(5)
  const token = await system.issuer.token('op', { groups: ['operators'] })
  const operator = apiClient(system.baseUrl(), { Authorization: `Bearer ${token}` })
  const disabled = await operator.post(`/api/operator/shares/${made[0]}/disable`, { reason: 'a test' })
  expect(disabled.status).toBe(200)
  const entries = async (): Promise<number> => {
    const log = await operator.get(`/api/operator/acts?subject=${made[0]}`)
    return log.json<{ acts: object[] }>().acts.length
  }
  expect([await waiting(), await waiting('audit_delivery'), await entries()]).toEqual([6, 1, 0])
  const [content] = system.contents
  const [identity] = system.identities
  if (content === undefined || identity === undefined) throw new Error('there is nothing to kill')
  await restartWhenGone(content)
  expect([await waiting(), await waiting('audit_delivery')]).toEqual([6, 1])
  way = createServer((near) => {
    const far = connect(identity.port, '127.0.0.1')
    near.pipe(far).pipe(near)
    for (const end of [near, far]) end.on('error', () => end.destroy())
  }).listen(identityPort, '127.0.0.1')
  await expect.poll(() => waiting(), { interval: 100 }).toBe(0)
  await expect.poll(() => waiting('audit_delivery'), { interval: 100 }).toBe(0)
  expect(await entries()).toBe(1)
  const recorded = (await kit.get('/api/events?type=share.created')).json<{
    events: { subject: { id: string } }[]
  }>()
  expect(recorded.events.map(({ subject }) => subject.id).toSorted()).toEqual(made.toSorted())
})

it('an aborted upload leaves nothing behind', async () => {
  const abort = new AbortController()
  const token = await system.issuer.token('kit')
  const half = `{"tool":"x","title":"Half","data":{"v":"${'x'.repeat(2_000_000)}`
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(half))
    },
  })
  const sent = fetch(`${system.baseUrl()}/api/snippets`, {
    method: 'POST',
    body,
    duplex: 'half',
    signal: abort.signal,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
  })
  await expect.poll(async () => (await orphans()).documents, { interval: 20 }).toBe(1)
  abort.abort()
  await expect(sent).rejects.toThrow()
  await expect.poll(orphans, { interval: 50 }).toEqual({ documents: 0, chunks: 0 })
  expect((await kit.get('/api/snippets?q=half')).json().snippets).toEqual([])
})

it('a create that was committed without a response is found by its idempotency key', async () => {
  const title = 'Cut off'
  for (let round = 0; round < 5; round += 1) {
    const key = { 'Idempotency-Key': `cut-${round}` }
    const body = { tool: 'kill', title: `${title} ${round}`, data: { round } }
    const first = kit.post('/api/snippets', body, key).catch(() => undefined)
    await sleep(round * 3)
    const gateway = system.gateways[0]
    if (gateway === undefined) throw new Error('there is no gateway')
    await restartWhenGone(gateway)
    await first
    await expect
      .poll(async () => (await kit.post('/api/snippets', body, key)).status, { interval: 250 })
      .toBe(201)
    const { rowCount } = await db.query('SELECT FROM content.snippet WHERE snippet.title = $1', [body.title])
    expect(rowCount).toBe(1)
  }
})

/** The response to a request that is repeated until there is one. */
async function untilAnswered(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  for (;;) {
    const response = await send().catch(() => null)
    if (response !== null && response.status < 500) return response
    await sleep(20)
  }
}

it('a kill -9 of content loses no version of a snippet and duplicates none, restores included', async () => {
  const first = '{"v":"first"}'
  const path = '/api/snippets/@versions'
  const record = (data: string) => `{"tool":"kill","title":"Versions","data":${data}}`
  await kit.request('PUT', path, { body: record(first) })
  const expected = [first]
  /** Replaces the data once, though a response may get lost, and restores what it was at first. */
  const replaceAndRestore = async (n: number): Promise<void> => {
    const data = `{"v":${n}}`
    const read = await untilAnswered(() => kit.get(path))
    const headers = { 'If-Match': read.headers.get('etag') ?? '' }
    const put = await untilAnswered(() => kit.request('PUT', path, { body: record(data), headers }))
    // 412 says that the response before was lost, and its effect was not.
    expect([200, 412]).toContain(put.status)
    expect((await untilAnswered(() => kit.get(`${path}/raw`))).text).toBe(data)
    const key = { 'Idempotency-Key': `version-${n}` }
    const restored = await untilAnswered(async () => {
      const response = await kit.post(`${path}/restore`, { version: 1 }, key)
      return response.status === 409 ? Promise.reject(new Error('still running')) : response
    })
    expect(restored.status, restored.text).toBe(200)
    expected.push(data, first)
  }
  let killing = true
  const kills = (async () => {
    for (let round = 0; round < iterations(3, 20); round += 1) {
      const before = expected.length
      await expect.poll(() => expected.length - before, { interval: 5 }).toBeGreaterThan(4)
      await sleep(Math.random() * 20)
      const victim = system.contents[0]
      if (victim === undefined) throw new Error('there is nothing to kill')
      await restartWhenGone(victim)
    }
  })().finally(() => {
    killing = false
  })
  for (let n = 0; killing && n < 450; n += 1) await replaceAndRestore(n)
  await kills
  const found: string[] = []
  for (let version = 1; version <= expected.length; version += 1)
    found.push((await untilAnswered(() => kit.get(`${path}/revisions/${version}/raw`))).text)
  expect(found).toEqual(expected)
  expect((await kit.get(`${path}/revisions/${expected.length + 1}`)).status).toBe(404)
})

describe('stopping', () => {
  it('finishes requests in progress and exits with 0', async () => {
    const slow = new ReadableStream({
      async start(controller) {
        const parts = ['{"tool":"x","title":"Slow",', '"data":{"v":', '1}}']
        for (const part of parts) {
          controller.enqueue(new TextEncoder().encode(part))
          await sleep(300)
        }
        controller.close()
      },
    })
    const token = await system.issuer.token('kit')
    const request = fetch(`${system.baseUrl()}/api/snippets`, {
      method: 'POST',
      body: slow,
      duplex: 'half',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    })
    await sleep(200)
    const gateway = system.gateways[0]
    const exit = gateway?.terminate()
    expect((await request).status).toBe(201)
    expect(await exit).toBe(0)
    await gateway?.restart()
    await expect.poll(async () => (await kit.get('/readyz').catch(() => undefined))?.status).toBe(200)
  })
})
