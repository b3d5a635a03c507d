import { afterEach, describe, expect, it } from 'vitest'
import { describeWithRedis } from '#libs/testing/describe-with-redis.js'
import type { ApiResponse } from './harness/api-client.js'
import { makeKey } from './harness/api-keys.js'
import { rawHttp } from './harness/raw-http.js'
import { type InProcessOptions, type SystemInProcess, startSystem } from './harness/system-in-process.js'
import { within } from './harness/within.js'

const snippet = { tool: 'csv', title: 'Limits', data: { v: 1 } }

let system: SystemInProcess
const open = async (options: InProcessOptions): Promise<SystemInProcess> => {
  system = await startSystem(options)
  return system
}

function count(responses: readonly ApiResponse[], status: number): number {
  return responses.filter((response) => response.status === status).length
}

const ofItsTime = ['date', 'content-length', 'retry-after', 'x-ratelimit-reset']

/** A response without its id and seconds. */
function alike({ status, headers, text }: ApiResponse): string {
  const kept = [...headers].filter(([name]) => !ofItsTime.includes(name))
  const plain = JSON.stringify([status, kept, text]).replaceAll(headers.get('x-request-id') ?? '', 'id')
  return plain.replaceAll(/(;t=|is in )\d+/g, '')
}

describe('a client beyond its limit', () => {
  afterEach(() => system?.stop())

  it('gets the same 429 with a new request id, and each time is counted and logged', async () => {
    await open({ env: { RATE_LIMIT_FAIR_USE: '3/60' } })
    const owner = await system.user('pro', 'pro')
    const { id, client, key } = await makeKey(system, owner)
    const responses: ApiResponse[] = []
    for (let n = 0; n < 10; n += 1)
      responses.push(await client.get('/api/snippets', { 'X-Request-Id': `own-${n}` }))
    expect([count(responses, 200), count(responses, 429)]).toEqual([3, 7])
    expect(new Set(responses.slice(3).map(alike)).size).toBe(1)
    const ids = responses.map(({ headers }) => headers.get('x-request-id'))
    expect(ids).toEqual(responses.map((_, n) => `own-${n}`))
    const line = (name: string): unknown => {
      const lines = system.gatewayOutput().split('\n')
      return lines.filter((text) => text.includes(`"${name}"`)).map((text): unknown => JSON.parse(text))
    }
    await expect.poll(() => line('own-9')).toHaveLength(1)
    const refused = { route: '/api/snippets', status: 429, code: 'rate_limited', complete: true }
    for (const n of [3, 4, 9]) expect(line(`own-${n}`)).toMatchObject([refused])
    expect(system.gatewayOutput()).not.toContain(key.slice(8, -4))
    const usage = async () =>
      (await owner.get(`/api/keys/${id}/usage`)).json<{ days: object[] }>().days.at(-1)
    await expect.poll(usage).toMatchObject({ requests: 10, errors: 7 })
  })

  it('with a body is rejected as well, without 100 Continue', async () => {
    await open({ env: { RATE_LIMIT_FAIR_USE: '1/60' } })
    const { client, key } = await makeKey(system, await system.user('pro', 'pro'))
    expect((await client.get('/api/snippets')).status).toBe(200)
    for (let n = 0; n < 5; n += 1) {
      const { status, headers } = await client.post('/api/snippets', snippet)
      expect([status, headers.get('connection')]).toEqual([429, 'keep-alive'])
    }
    const head = (length: number, more = ''): string =>
      `POST /api/snippets HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Length: ${length}\r\n${more}\r\n`
    // The body of the first request is discarded, and the second is parsed from its start.
    const pieces = [head(1_000), 'x'.repeat(1_000), head(3), 'abc']
    const two = await rawHttp(system.baseUrl(), pieces, { pauseMs: 30 })
    expect([two.statuses, two.closed]).toEqual([[429, 429], false])
    // A slow body is not waited for.
    for (const late of [head(1_000), head(1_000_000), head(3, 'Expect: 100-continue\r\n')]) {
      const { statuses, closed } = await rawHttp(system.baseUrl(), late, { quietMs: 10_000 })
      expect([statuses, closed]).toEqual([[429], true])
    }
  })

  it('with a key revoked in the meantime gets a 401 within a second', async () => {
    await open({ env: { RATE_LIMIT_FAIR_USE: '1/60' } })
    const owner = await system.user('pro', 'pro')
    const { id, client } = await makeKey(system, owner)
    const list = () => client.get('/api/snippets')
    expect([(await list()).status, (await list()).status]).toEqual([200, 429])
    expect((await owner.delete(`/api/keys/${id}`)).status).toBe(200)
    await within(1_200, 401, async () => (await list()).status)
  })
})

describeWithRedis('a client beyond a limit that Redis counts', (redisUrl) => {
  afterEach(() => system?.stop())

  it('is served soon after an upgrade', async () => {
    await open({ env: { RATE_LIMIT_STRICT: '5/60', REDIS_URL: redisUrl } })
    const user = await system.user('upgraded')
    const create = () => user.post('/api/shares', snippet)
    const before: ApiResponse[] = []
    for (let n = 0; n < 8; n += 1) before.push(await create())
    expect([count(before, 201), count(before, 429)]).toEqual([5, 3])
    await system.setPlan('upgraded', 'pro')
    await within(1_500, 201, async () => (await create()).status)
  })
})
