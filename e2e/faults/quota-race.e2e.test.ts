import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiResponse } from '../harness/api-client.js'
import { inParallel } from '../harness/in-parallel.js'
import { iterations } from '../harness/iterations.js'
import { startSystem, type TestSystem } from '../harness/system.js'

const megabyte = 1_048_576
const storedMegabytes = 37

let system: TestSystem
let db: pg.Client

beforeAll(async () => {
  system = await startSystem({
    gateways: 2,
    contents: 2,
    identities: 2,
    env: { PLAN_PRO_STORED_BYTES: String(storedMegabytes * megabyte) },
  })
  db = new pg.Client({ connectionString: system.databaseUrl })
  await db.connect()
})
afterAll(async () => {
  await db?.end()
  await system?.stop()
})

const snippet = { tool: 'csv', title: 'Race', data: { v: 1 } }

async function counted(ownerId: string): Promise<{ counter: number; rows: number }> {
  const { rows } = await db.query<{ counter: number; rows: number }>(
    `SELECT (SELECT owner.snippet_count FROM content.owner WHERE owner.owner_id = $1)::int AS counter,
            (SELECT count(*) FROM content.snippet WHERE snippet.owner_id = $1)::int AS rows`,
    [ownerId],
  )
  return rows[0] ?? { counter: -1, rows: -2 }
}

describe('over two gateways and two processes of each service', () => {
  it('of 100 parallel creates with one place left exactly one succeeds, in each of at least 50 rounds', async () => {
    const clients = await Promise.all([0, 1].map((gateway) => system.user('racer', 'free', gateway)))
    const at = (index: number) => clients[index % 2] ?? system.anyone()
    const ownerId = (await at(0).get('/api/auth/profile')).json<{ id: string }>().id
    for (let index = 0; index < 14; index += 1)
      expect((await at(index).post('/api/snippets', snippet)).status).toBe(201)
    for (let round = 0; round < iterations(50, 500); round += 1) {
      const responses = await Promise.all(
        Array.from({ length: 100 }, (_, index) => at(index).post('/api/snippets', snippet)),
      )
      const created = responses.filter(({ status }) => status === 201)
      expect(created).toHaveLength(1)
      expect(responses.filter(({ status }) => status === 403)).toHaveLength(99)
      expect(await counted(ownerId)).toEqual({ counter: 15, rows: 15 })
      expect((await at(round).delete(`/api/snippets/${created[0]?.json<{ id: string }>().id}`)).status).toBe(
        200,
      )
      expect(await counted(ownerId)).toEqual({ counter: 14, rows: 14 })
    }
  })

  it('a hundred parallel creates of 1 MB fill the storage of an account to the byte, small ones beside them', async () => {
    const clients = await Promise.all([0, 1].map((gateway) => system.user('hoarder', 'pro', gateway)))
    const at = (index: number) => clients[index % 2] ?? system.anyone()
    const ownerId = (await at(0).get('/api/auth/profile')).json<{ id: string }>().id
    const large = { tool: 'csv', title: 'Large', data: { v: 'x'.repeat(megabyte - 8) } }
    const create = async (index: number): Promise<ApiResponse> => {
      const path = index % 4 < 2 ? '/api/snippets' : '/api/shares'
      const response = await at(index).post(path, large, { 'Idempotency-Key': `hoard ${index}` })
      if (response.status !== 503 && response.status !== 504 && response.status !== 409) return response
      // A busy machine keeps some waiting too long; clients retry.
      await sleep(1_000 * Number(response.headers.get('retry-after') ?? 1))
      return create(index)
    }
    const responses = await inParallel(100, 100, create)
    const statuses = responses.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(storedMegabytes)
    expect(statuses.filter((status) => status === 403)).toHaveLength(100 - storedMegabytes)
    const refused = responses.find(({ status }) => status === 403)
    expect(refused?.json()).toMatchObject({
      code: 'storage_limit_reached',
      limit: storedMegabytes * megabyte,
    })
    const stored = async () => {
      const { rows } = await db.query<{ counter: string; bytes: string }>(
        `SELECT (SELECT owner.stored_bytes FROM content.owner WHERE owner.owner_id = $1) AS counter,
                (SELECT sum(size_bytes) FROM (
                  SELECT size_bytes FROM content.snippet WHERE snippet.owner_id = $1
                  UNION ALL SELECT size_bytes FROM content.share WHERE share.owner_id = $1) AS kept) AS bytes`,
        [ownerId],
      )
      return [Number(rows[0]?.counter), Number(rows[0]?.bytes)]
    }
    expect(await stored()).toEqual([storedMegabytes * megabyte, storedMegabytes * megabyte])
    const { usage } = (await at(1).get('/api/auth/profile')).json<{ usage: Record<string, number> }>()
    expect(usage.stored_bytes).toBe(storedMegabytes * megabyte)
    expect((await at(0).post('/api/snippets', snippet)).json()).toMatchObject({
      code: 'storage_limit_reached',
    })
  })

  it('fifty parallel creates of keys leave five, in each of at least 20 rounds', async () => {
    for (let round = 0; round < iterations(20, 200); round += 1) {
      const name = `key racer ${round}`
      const clients = [await system.user(name, 'pro', 0), await system.user(name, 'pro', 1)]
      const responses = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          (clients[n % 2] ?? system.anyone()).post('/api/keys', { name: 'k' }),
        ),
      )
      const statuses = responses.map(({ status }) => status)
      expect(statuses.filter((status) => status === 201)).toHaveLength(5)
      expect(statuses.filter((status) => status === 409)).toHaveLength(45)
      const refused = responses.find(({ status }) => status === 409)
      expect(refused?.json()).toMatchObject({ code: 'api_key_limit_reached', limit: 5 })
      expect((await clients[0]?.get('/api/keys'))?.json<{ keys: unknown[] }>().keys).toHaveLength(5)
    }
  })

  it('random creates and deletes never exceed the limit nor leave the counter wrong', async () => {
    const clients = await Promise.all([0, 1].map((gateway) => system.user('muddler', 'free', gateway)))
    const ownerId = (await (clients[0] ?? system.anyone()).get('/api/auth/profile')).json<{ id: string }>().id
    const held: string[] = []
    const statuses = new Set<number>()
    const act = async (index: number): Promise<void> => {
      const client = clients[index % 2] ?? system.anyone()
      const id = Math.random() < 0.45 ? held.pop() : undefined
      const response =
        id === undefined
          ? await client.post('/api/snippets', snippet)
          : await client.delete(`/api/snippets/${id}`)
      statuses.add(response.status)
      if (response.status === 201) held.push(response.json<{ id: string }>().id)
    }
    const worker = async (index: number): Promise<void> => {
      for (let turn = 0; turn < iterations(100, 625); turn += 1) await act(index)
    }
    await Promise.all(Array.from({ length: 16 }, (_, index) => worker(index)))
    expect([...statuses].sort()).toEqual([200, 201, 403])
    const { counter, rows } = await counted(ownerId)
    expect(counter).toBe(rows)
    expect(rows).toBe(held.length)
    expect(rows).toBeLessThanOrEqual(15)
  })
})
