import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ApiClient } from './harness/api-client.js'
import { effort } from './harness/effort.js'
import { startSystem, type TestSystem } from './harness/system.js'

let system: TestSystem
let db: pg.Client
let ann: ApiClient

beforeAll(async () => {
  system = await startSystem({ gateways: 2, contents: 2 })
  db = new pg.Client({ connectionString: system.databaseUrl })
  await db.connect()
  ann = await system.user('ann', 'pro')
})
afterAll(async () => {
  await db?.end()
  await system?.stop()
})

const body = (title: string) => ({ tool: 'csv', title, data: { v: 1 } })

async function rowsTitled(title: string): Promise<number> {
  const { rowCount } = await db.query('SELECT FROM content.snippet WHERE snippet.title = $1', [title])
  return rowCount ?? -1
}

it('the same key and body give the first answer again, also after the snippet has changed or gone', async () => {
  const key = { 'Idempotency-Key': 'first key' }
  const first = await ann.post('/api/snippets', body('once'), key)
  expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([201, null])
  const { id } = first.json<{ id: string }>()
  await ann.patch(`/api/snippets/${id}`, { title: 'renamed' })
  await ann.delete(`/api/snippets/${id}`)
  const again = await ann.post('/api/snippets', body('once'), key)
  expect([again.status, again.headers.get('idempotent-replayed'), again.text]).toEqual([
    201,
    'true',
    first.text,
  ])
  expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
  expect(await rowsTitled('once')).toBe(0)
})

it('the same key with another body is refused', async () => {
  const key = { 'Idempotency-Key': 'k2' }
  await ann.post('/api/snippets', body('one'), key)
  for (const other of [body('two'), { ...body('one'), data: { v: 2 } }, { ...body('one'), tags: ['x'] }]) {
    const answer = await ann.post('/api/snippets', other, key)
    expect([answer.status, answer.json().code]).toEqual([409, 'idempotency_key_reused'])
  }
})

it('a key belongs to one owner and one route', async () => {
  const key = { 'Idempotency-Key': 'k3' }
  const zoe = await system.user('zoe', 'pro')
  const mine = await ann.post('/api/snippets', body('mine'), key)
  const theirs = await zoe.post('/api/snippets', body('mine'), key)
  const shared = await ann.post('/api/shares', body('mine'), key)
  expect([mine.status, theirs.status, shared.status]).toEqual([201, 201, 201])
  expect(new Set([mine, theirs, shared].map((answer) => answer.json().id)).size).toBe(3)
})

it('a request that was refused leaves its key free', async () => {
  const key = { 'Idempotency-Key': 'k4' }
  expect((await ann.post('/api/snippets', { tool: '' }, key)).status).toBe(400)
  expect((await ann.post('/api/snippets', body('later'), key)).status).toBe(201)
})

it('100 requests at once with one key have one effect, small and large', {
  timeout: effort(120_000, 1_800_000),
}, async () => {
  const clients = await Promise.all([0, 1].map((gateway) => system.user('ann', 'pro', gateway)))
  const large = { tool: 'csv', title: 'large', data: { v: 'x'.repeat(200_000) } }
  for (const [title, sent, many] of [
    ['small', body('small'), 100],
    ['large', large, 30],
  ] as const) {
    for (let round = 0; round < effort(5, 500); round += 1) {
      const key = { 'Idempotency-Key': `${title}-${round}` }
      const text = JSON.stringify({ ...sent, title: `${title}-${round}` })
      const answers = await Promise.all(
        Array.from({ length: many }, (_, index) =>
          (clients[index % 2] ?? ann).post('/api/snippets', text, key),
        ),
      )
      const bodies = new Set(answers.filter(({ status }) => status === 201).map((answer) => answer.text))
      expect(bodies.size).toBe(1)
      const others = answers.filter(({ status }) => status !== 201)
      for (const answer of others)
        expect([answer.status, answer.json().code]).toEqual([409, 'idempotency_in_progress'])
      expect(await rowsTitled(`${title}-${round}`)).toBe(1)
    }
  }
})

it('a key that is not 1 to 255 printable characters is refused', async () => {
  for (const bad of ['', 'x'.repeat(256), 'caf\u00e9']) {
    const answer = await ann.post('/api/snippets', body('bad'), { 'Idempotency-Key': bad })
    expect(answer.status, bad).toBe(400)
  }
})
