import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Relay, startRelay } from '#libs/testing/redis-relay.js'
import { createTestDatabase, type TestDatabase } from '#libs/testing/test-database.js'
import { effort } from './harness/effort.js'
import { quantile, report, startLoad } from './harness/load.js'
import { startSystem, type TestSystem } from './harness/system.js'

let system: TestSystem
let way: Relay
let probe: TestDatabase

beforeAll(async () => {
  // Every service reaches its database over a line that can be made long.
  probe = await createTestDatabase('latency')
  const server = new URL(probe.url)
  way = await startRelay(Number(server.port))
  server.port = String(way.port)
  server.pathname = '/postgres'
  system = await startSystem({ serverUrl: server.href })
})
afterAll(async () => {
  await system?.stop()
  way?.close()
  await probe?.drop()
})

it('a database that is 100 ms away makes requests slow, and fails none', { timeout: 400_000 }, async () => {
  const ann = await system.user('ann', 'pro')
  const data = { text: 'x'.repeat(500) }
  const { id } = (await ann.post('/api/snippets', { tool: 'json', title: 'far', data })).json<{
    id: string
  }>()
  // 50 ms each way, and a second of three times as much now and then, as when packets are lost and sent again.
  way.slowDown(50)
  const unrest = setInterval(() => {
    way.slowDown(150)
    setTimeout(() => way.slowDown(50), 1_000).unref()
  }, 5_000)
  const load = startLoad(20, {
    read: async () => (await ann.get(`/api/snippets/${id}`)).status,
    save: async () => (await ann.post('/api/snippets', { tool: 'json', title: 'far', data })).status,
    list: async () => (await ann.get('/api/snippets?limit=5&include_data=false')).status,
    record: async () => (await ann.post('/api/history', { tool: 'json', action: 'format' })).status,
  })
  await sleep(effort(6_000, 300_000))
  const outcomes = await load.stop()
  clearInterval(unrest)
  way.slowDown(0)
  report(
    `100 to 300 ms to the database: p50 ${Math.round(quantile(outcomes, 0.5))} ms, p99 ${Math.round(quantile(outcomes, 0.99))} ms`,
    outcomes,
  )
  expect(outcomes.filter(({ status }) => status !== 200 && status !== 201)).toEqual([])
})
