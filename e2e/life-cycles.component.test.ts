import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithRedis } from '#libs/testing/describe-with-redis.js'
import type { ApiClient } from './harness/api-client.js'
import { iterations } from './harness/iterations.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess
let clients: readonly ApiClient[]

/** Gateways learn of each other's deleted shares through Redis. */
async function open(redisUrl: string): Promise<void> {
  system = await startSystem({ gateways: 2, contents: 2, env: { REDIS_URL: redisUrl } })
  clients = await Promise.all([0, 1].map((gateway) => system.user('lifer', 'pro', gateway)))
}

type Kind = 'snippets' | 'shares'

/** What one worker has created and deleted. */
interface Model {
  readonly live: Map<string, { kind: Kind; data: string }>
  readonly gone: Map<string, Kind>
}

const anyOf = <T>(items: readonly T[]): T | undefined => items[Math.floor(Math.random() * items.length)]
const client = (): ApiClient => anyOf(clients) ?? system.anyone()

async function create(model: Model): Promise<void> {
  const kind: Kind = Math.random() < 0.5 ? 'snippets' : 'shares'
  const data = `{"n":${Math.random()},"pad":"${'x'.repeat(Math.random() < 0.2 ? 70_000 : 10)}"}`
  const response = await client().post(`/api/${kind}`, `{"tool":"life","title":"Cycle","data":${data}}`)
  expect(response.status).toBe(201)
  model.live.set(response.json<{ id: string }>().id, { kind, data })
}

async function failToCreate(): Promise<void> {
  const before = (await client().get('/api/auth/profile')).json<{ usage: object }>().usage
  const response = await client().post('/api/snippets', '{"tool":"life","title":"Leak","data":{"v":1')
  expect(response.status).toBe(400)
  expect(before).toBeDefined()
}

async function read(model: Model): Promise<void> {
  const found = anyOf([...model.live])
  if (found === undefined) return
  const [id, { kind, data }] = found
  expect((await client().get(`/api/${kind}/${id}/raw`)).text).toBe(data)
}

async function remove(model: Model): Promise<void> {
  const found = anyOf([...model.live])
  if (found === undefined) return
  const [id, { kind }] = found
  model.live.delete(id)
  expect((await client().delete(`/api/${kind}/${id}`)).status).toBe(200)
  model.gone.set(id, kind)
}

async function useAfterFree(model: Model): Promise<void> {
  const found = anyOf([...model.gone])
  if (found === undefined) return
  const [id, kind] = found
  for (const response of [
    await client().get(`/api/${kind}/${id}`),
    await client().get(`/api/${kind}/${id}/raw`),
    await client().delete(`/api/${kind}/${id}`),
  ]) {
    expect(response.status).toBe(404)
  }
}

async function walkAtRandom(): Promise<void> {
  const models: Model[] = Array.from({ length: 8 }, () => ({ live: new Map(), gone: new Map() }))
  const walk = async (model: Model): Promise<void> => {
    for (let step = 0; step < iterations(250, 2_500); step += 1) {
      const act = anyOf([create, create, read, remove, useAfterFree, failToCreate]) ?? read
      await act(model)
    }
  }
  await Promise.all(models.map(walk))
  const expected = models.flatMap(({ live }) => [...live])
  const { usage } = (await client().get('/api/auth/profile')).json<{ usage: Record<Kind, number> }>()
  for (const kind of ['snippets', 'shares'] as const) {
    const ids: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`
      const page = await client().get(`/api/${kind}?limit=100${query}`)
      const body = page.json<Record<Kind, { id: string; title: string }[]> & { next_cursor: string | null }>()
      ids.push(...body[kind].map(({ id }) => id))
      expect(body[kind].filter(({ title }) => title === 'Leak')).toEqual([])
      cursor = body.next_cursor
    }
    const known = expected.filter(([, one]) => one.kind === kind).map(([id]) => id)
    expect(ids.sort()).toEqual(known.sort())
    expect(usage[kind]).toBe(known.length)
  }
}

describeWithRedis('two gateways and two content processes', (redisUrl) => {
  beforeAll(() => open(redisUrl))
  afterAll(() => system?.stop())

  it(
    'deletions take effect immediately on every gateway, and a failed create leaves nothing, over at least 2,000 random steps',
    walkAtRandom,
  )
})
