import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient, ApiResponse } from './harness/api-client.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess
let ada: ApiClient

beforeAll(async () => {
  system = await startSystem()
  ada = await system.user('ada', 'pro')
})
afterAll(() => system?.stop())

const fields = { tool: 'csv', title: 'Known', data: { v: 1 } }

async function made(kind: 'snippets' | 'shares'): Promise<string> {
  const response = await ada.post(`/api/${kind}`, fields)
  expect(response.status, response.text).toBe(201)
  return `/api/${kind}/${response.json<{ id: string }>().id}`
}

async function tagOf(path: string): Promise<string> {
  return (await ada.get(path)).headers.get('etag') ?? ''
}

type Change = (path: string, headers: Record<string, string>) => Promise<ApiResponse>

const changes: readonly (readonly [name: string, kind: 'snippets' | 'shares', change: Change])[] = [
  ['a PATCH', 'snippets', (path, headers) => ada.patch(path, { title: 'New' }, headers)],
  ['a PUT', 'snippets', (path, headers) => ada.request('PUT', path, { body: fields, headers })],
  ['a restore', 'snippets', (path, headers) => ada.post(`${path}/restore`, { version: 1 }, headers)],
  ['a DELETE', 'snippets', (path, headers) => ada.delete(path, headers)],
  ['a DELETE of a share', 'shares', (path, headers) => ada.delete(path, headers)],
]

describe('If-Match with a tag that a compressing proxy has made weak', () => {
  it.each(changes)('lets %s through while it is current, and no longer', async (_name, kind, change) => {
    const path = await made(kind)
    const tag = await tagOf(path)
    const stale = await change(path, { 'If-Match': `W/"older", W/"weak:${tag.slice(1)}` })
    expect([stale.status, stale.json().code]).toEqual([412, 'precondition_failed'])
    const done = await change(path, { 'If-Match': `W/"older", W/${tag}` })
    expect(done.status, done.text).toBe(200)
  })

  it('refuses it once the snippet has changed', async () => {
    const path = await made('snippets')
    const tag = await tagOf(path)
    await ada.patch(path, { title: 'Meanwhile' })
    expect((await ada.patch(path, { title: 'Lost' }, { 'If-Match': `W/${tag}` })).status).toBe(412)
  })
})
