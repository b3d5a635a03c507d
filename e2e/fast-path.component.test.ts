import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient, ApiResponse } from './harness/api-client.js'
import { makeKey } from './harness/api-keys.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'
import { within } from './harness/within.js'

let system: SystemInProcess
let pro: ApiClient
let other: ApiClient
let keyed: ApiClient
let key: Awaited<ReturnType<typeof makeKey>>
let snippet: string
let large: string
let share: string
let soonOver: string
let keyedReads = 0

/** The index of the gateway without the fast path. */
const withoutFastPath = 2

const body = { tool: 'hot', title: 'Häß "1"', tags: ['a'], data: { text: 'ünï\u0000 \ud83d\ude00', n: 1 } }
/** Turns a read into one that goes through Express. */
const unusual = { 'If-None-Match': '"another"' }

async function made(client: ApiClient, path: string, fields: object): Promise<string> {
  const response = await client.post(path, { ...body, ...fields })
  expect(response.status).toBe(201)
  return response.json<{ id: string }>().id
}

beforeAll(async () => {
  system = await startSystem({
    gateways: 3,
    gatewayEnv: (gateway) => ({ INTERNAL_FAST_PATH: String(gateway !== withoutFastPath) }),
    env: { RATE_LIMIT_STANDARD: '200/60', RATE_LIMIT_FAIR_USE: '200/60', TRUSTED_PROXIES: '127.0.0.1' },
  })
  pro = await system.user('hot', 'pro')
  other = await system.user('cold', 'pro')
  snippet = await made(pro, '/api/snippets', {})
  large = await made(pro, '/api/snippets', { data: { text: 'x'.repeat(100_000) } })
  share = await made(pro, '/api/shares', { tags: undefined })
  soonOver = await made(pro, '/api/shares', { tags: undefined, expires_in: 60 })
  key = await makeKey(system, pro, { scopes: ['read'] })
  keyed = key.client
})
afterAll(() => system?.stop())

/** The parts of a response that should not vary. */
function lasting({ status, headers, text }: ApiResponse) {
  const moving = /^(date|x-request-id|ratelimit|x-ratelimit-(remaining|reset)|retry-after)$/
  const kept = [...headers].map(([name, value]) => [name, moving.test(name) ? 'moves' : value])
  return {
    status,
    kept,
    text: text.replace(headers.get('x-request-id') ?? 'none', 'id').replace(/Retry in \d+ s/, 'Retry'),
  }
}

async function lineOf(requestId: string, gateway = 0): Promise<Record<string, unknown>> {
  for (let waits = 0; waits < 3_000; waits += 1) {
    const output = system.gatewayOutput(gateway)
    const lines = output.split('\n').filter((line) => line.includes(`"request_id":"${requestId}"`))
    const [first] = lines
    if (first !== undefined) {
      expect(lines).toHaveLength(1)
      const { time: _time, duration_ms: took, ...line } = JSON.parse(first) as Record<string, unknown>
      expect(took).toBeTypeOf('number')
      return line
    }
    await sleep(10)
  }
  throw new Error('no line was logged')
}

describe('a read by the fast path and by Express', () => {
  it('have the same response, headers and log line for every caller', async () => {
    const reads: [(gateway: number) => Promise<ApiClient> | ApiClient, string, number][] = [
      [(gateway) => system.user('hot', 'pro', gateway), `/api/snippets/${snippet}`, 200],
      [(gateway) => system.withKey(key.key, gateway), `/api/snippets/${snippet}`, 200],
      [(gateway) => system.user('hot', 'pro', gateway), `/api/snippets/${large}`, 200],
      [(gateway) => system.user('cold', 'pro', gateway), `/api/snippets/${snippet}`, 403],
      [(gateway) => system.user('hot', 'pro', gateway), `/api/snippets/${'0'.repeat(22)}`, 404],
      [(gateway) => system.anyone(gateway), `/api/snippets/${snippet}`, 401],
      [(gateway) => system.withKey('sk_nonsense', gateway), `/api/snippets/${snippet}`, 401],
      [(gateway) => system.anyone(gateway), `/api/shares/${share}`, 200],
      [(gateway) => system.user('hot', 'pro', gateway), `/api/shares/${share}`, 200],
      [(gateway) => system.anyone(gateway), `/api/shares/${'0'.repeat(22)}`, 404],
    ]
    // The second time shares are cached.
    keyedReads += 8
    for (const [index, [clientOf, path, status]] of [...reads, ...reads].entries()) {
      // Ids of equal length, since problems quote them.
      const ask = async (id: string, gateway: number, headers = {}) => {
        const client = await clientOf(gateway)
        const response = await client.get(path, { 'X-Request-Id': `${id}-${index}`, ...headers })
        const { request_id: _id, ...line } = await lineOf(`${id}-${index}`, gateway)
        return { ...lasting(response), line }
      }
      const fast = await ask('a', 0)
      expect(fast.status).toBe(status)
      expect(await ask('b', 0, unusual)).toEqual(fast)
      expect(await ask('c', withoutFastPath)).toEqual(fast)
      expect(await ask('d', withoutFastPath, unusual)).toEqual(fast)
    }
  })

  it('count alike towards the rate limit, and are rejected alike beyond it', async () => {
    for (const [client, path, name] of [
      [system.anyone(), `/api/shares/${share}`, 'standard'],
      [keyed, `/api/snippets/${snippet}`, 'fair-use'],
    ] as const) {
      const from = { 'X-Forwarded-For': '198.51.100.7' }
      const left: number[] = []
      let response = await client.get(path, from)
      while (response.status === 200 && left.length < 250) {
        left.push(Number(response.headers.get('x-ratelimit-remaining')))
        response = await client.get(path, left.length % 5 === 0 ? { ...from, ...unusual } : from)
      }
      if (client === keyed) keyedReads += left.length + 1
      expect(left).toEqual(left.map((_one, index) => (left[0] ?? 0) - index))
      expect(left.at(-1)).toBe(0)
      expect([response.status, response.json<{ code: string; policy: string }>().policy]).toEqual([429, name])
      const refused = async (id: string, headers: object) => {
        const response = await client.get(path, { ...from, ...headers, 'X-Request-Id': `refused-${id}` })
        const { request_id: _id, ...line } = await lineOf(`refused-${id}`)
        return { ...lasting(response), line }
      }
      const [fast, byExpress] = [await refused(`a-${name}`, {}), await refused(`b-${name}`, unusual)]
      expect(byExpress).toEqual(fast)
      if (client === keyed) keyedReads += 2
    }
  })
})

it('with an API key are counted for it, rejected ones as well', async () => {
  const total = async () => (await pro.get(`/api/keys/${key.id}/usage`)).json<{ total: number }>().total
  await expect.poll(total, { interval: 200 }).toBe(keyedReads)
})

describe('a cached share', () => {
  it('says how long it may be cached, never beyond its expiry', async () => {
    const maxAge = async (): Promise<number> => {
      const response = await other.get(`/api/shares/${soonOver}`, { 'X-Forwarded-For': '198.51.100.8' })
      return Number(/^public, max-age=(\d+)$/.exec(response.headers.get('cache-control') ?? '')?.[1])
    }
    const first = await maxAge()
    expect(first).toBeLessThan(60)
    await expect.poll(maxAge).toBeLessThan(first)
  })

  it('is gone immediately where it was deleted, and within two seconds where the notification was lost', async () => {
    const path = `/api/shares/${await made(other, '/api/shares', { tags: undefined })}`
    const [here, there] = [0, 1].map((gateway) => {
      const client = system.anyone(gateway)
      return () => client.get(path, { 'X-Forwarded-For': '198.51.100.9' })
    })
    for (const ask of [here, there, here, there]) expect((await ask?.())?.status).toBe(200)
    expect((await other.delete(path)).status).toBe(200)
    expect((await here?.())?.status).toBe(404)
    await within(2_100, 404, async () => (await there?.())?.status)
  })
})
