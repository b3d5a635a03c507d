import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Impairment, type Relay, startRelay } from '#libs/testing/relay.js'
import { createTestDatabase, type TestDatabase } from '#libs/testing/test-database.js'
import { iterations } from '../harness/iterations.js'
import { quantileMs, report, startLoad } from '../harness/load.js'
import { startSystem, type TestSystem } from '../harness/system.js'

/** A round trip of 100 ± 50 ms, with one percent packet loss at first. */
const bad: Impairment = { delayMs: 50, jitterMs: 25, lossFraction: 0.01 }

let system: TestSystem
const ways: Relay[] = []
let probe: TestDatabase

async function wayTo(port: number): Promise<number> {
  const way = await startRelay(port)
  ways.push(way)
  return way.port
}

beforeAll(async () => {
  // Every connection to the database and between gateway and services can be impaired.
  probe = await createTestDatabase('latency')
  const server = new URL(probe.url)
  server.port = String(await wayTo(Number(server.port)))
  server.pathname = '/postgres'
  system = await startSystem({ serverUrl: server.href, wayTo })
})
afterAll(async () => {
  await system?.stop()
  for (const way of ways) way.close()
  await probe?.drop()
})

it('latency of 100 ms with packet loss slows requests down, and fails none', {
  timeout: 400_000,
}, async () => {
  const ann = await system.user('ann', 'pro')
  const data = { text: 'x'.repeat(500) }
  const { id } = (await ann.post('/api/snippets', { tool: 'json', title: 'far', data })).json<{
    id: string
  }>()
  for (const way of ways) way.impair(bad)
  const load = startLoad(20, {
    read: async () => (await ann.get(`/api/snippets/${id}`)).status,
    save: async () => (await ann.post('/api/snippets', { tool: 'json', title: 'far', data })).status,
    list: async () => (await ann.get('/api/snippets?limit=5&include_data=false')).status,
    record: async () => (await ann.post('/api/history', { tool: 'json', action: 'format' })).status,
  })
  await sleep(iterations(6_000, 300_000))
  const outcomes = await load.stop()
  for (const way of ways) way.impair({ delayMs: 0 })
  report(
    `100 ms with losses to services and database: p50 ${Math.round(quantileMs(outcomes, 0.5))} ms, p99 ${Math.round(quantileMs(outcomes, 0.99))} ms`,
    outcomes,
  )
  expect(outcomes.filter(({ status }) => status !== 200 && status !== 201)).toEqual([])
  expect(quantileMs(outcomes, 0.99)).toBeLessThan(iterations(5_000, 1_500))
})
