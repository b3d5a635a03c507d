import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeKey } from './harness/api-keys.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess
let key: string

beforeAll(async () => {
  system = await startSystem()
  key = (await makeKey(system, await system.user('ada', 'pro'), { scopes: ['read'] })).key
})
afterAll(() => system?.stop())

/** A message of the 2025 revisions, which need no handshake here. */
function post(body: unknown, headers: Record<string, string> = { 'X-API-Key': key }) {
  return system.anyone().request('POST', '/mcp', {
    body,
    headers: { Accept: 'application/json, text/event-stream', ...headers },
  })
}

it.each(['*/*', 'application/json', 'application/*', 'application/json;q=0.9, text/plain', undefined])(
  'responds in JSON to Accept: %s',
  async (accept) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    const init = { method: 'POST', body: JSON.stringify(body) }
    // fetch adds */* where there is none.
    const headers = {
      'X-API-Key': key,
      'Content-Type': 'application/json',
      ...(accept === undefined ? {} : { Accept: accept }),
    }
    const response = await fetch(`${system.baseUrl()}/mcp`, { ...init, headers })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(await response.json()).toMatchObject({
      jsonrpc: '2.0',
      id: 1,
      result: { tools: expect.any(Array) },
    })
  },
)

it.each(['text/html', 'text/event-stream', 'application/xml'])(
  'responds 406 to Accept: %s',
  async (accept) => {
    const response = await post(
      { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
      { 'X-API-Key': key, Accept: accept },
    )
    expect(response.status).toBe(406)
  },
)

it('responds with events to clients that accept them, and to a batch in JSON with an array', async () => {
  const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list', params: {} })
  expect((await post(call(1))).headers.get('content-type')).toContain('text/event-stream')
  const batch = await post([call(1), call(2)], {
    'X-API-Key': key,
    Accept: 'application/json',
    'MCP-Protocol-Version': '2025-03-26',
  })
  expect(batch.json<{ id: number }[]>().map(({ id }) => id)).toEqual([1, 2])
})
