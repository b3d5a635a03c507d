import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ApiClient } from './harness/api-client.js'
import { iterations } from './harness/iterations.js'
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

async function rowsTitled(title: string): Promise<number> {
  const { rowCount } = await db.query('SELECT FROM content.snippet WHERE snippet.title = $1', [title])
  return rowCount ?? -1
}

it('100 parallel requests with one key have one effect, small and large', {
  timeout: iterations(240_000, 1_800_000),
}, async () => {
  const clients = await Promise.all([0, 1].map((gateway) => system.user('ann', 'pro', gateway)))
  const large = { tool: 'csv', title: 'large', data: { v: 'x'.repeat(200_000) } }
  for (const [title, sent, many] of [
    ['small', { tool: 'csv', title: 'small', data: { v: 1 } }, 100],
    ['large', large, 30],
  ] as const) {
    for (let round = 0; round < iterations(5, 500); round += 1) {
      const key = { 'Idempotency-Key': `${title}-${round}` }
      const text = JSON.stringify({ ...sent, title: `${title}-${round}` })
      const responses = await Promise.all(
        Array.from({ length: many }, (_, index) =>
          (clients[index % 2] ?? ann).post('/api/snippets', text, key),
        ),
      )
      const bodies = new Set(
        responses.filter(({ status }) => status === 201).map((response) => response.text),
      )
      expect(bodies.size).toBe(1)
      const others = responses.filter(({ status }) => status !== 201)
      for (const response of others)
        expect([response.status, response.json().code]).toEqual([409, 'idempotency_in_progress'])
      expect(await rowsTitled(`${title}-${round}`)).toBe(1)
    }
  }
})
