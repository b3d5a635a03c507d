import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ApiClient } from './harness/api-client.js'
import { makeKey } from './harness/api-keys.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess
beforeAll(async () => {
  system = await startSystem({ gateways: 2, contentEnv: { INTERNAL_CONTENT_PURGE_INTERVAL_MS: '100' } })
})
afterAll(() => system?.stop())

interface ListedEvent {
  readonly type: string
  readonly principal: { readonly kind: string; readonly id: string | null }
  readonly subject: { readonly kind: string; readonly id: string }
  readonly detail: Record<string, unknown>
}

const body = { tool: 'csv', title: 'Report', data: { a: 1 } }

async function eventsOf(owner: Pick<ApiClient, 'get'>, query = ''): Promise<readonly ListedEvent[]> {
  return (await owner.get(`/api/events?${query}`)).json<{ events: ListedEvent[] }>().events
}

async function share(owner: Pick<ApiClient, 'post'>, fields = {}): Promise<string> {
  return (await owner.post('/api/shares', { ...body, ...fields })).json<{ id: string }>().id
}

it('a share has events of its creation by a key, its views and its end, for its owner alone', async () => {
  const owner = await system.user('owner', 'pro')
  const key = await makeKey(system, owner)
  const id = await share(key.client)
  const types = async () => (await eventsOf(owner, `subject=${id}`)).map(({ type }) => type)
  await expect.poll(types).toEqual(['share.created'])
  const [created] = await eventsOf(owner, `subject=${id}`)
  expect(created).toMatchObject({
    principal: { kind: 'api_key', id: key.id },
    subject: { kind: 'share', id },
    detail: { title: 'Report', tool: 'csv', expires_at: null },
  })
  const reader = system.anyone(1)
  for (let n = 0; n < 5; n += 1) expect((await reader.get(`/api/shares/${id}`)).status).toBe(200)
  expect((await reader.get(`/api/shares/${id}/raw`)).status).toBe(200)
  await expect.poll(types).toEqual(['share.viewed', 'share.created'])
  const [viewed] = await eventsOf(owner, 'type=share.viewed')
  expect(viewed).toMatchObject({ principal: { kind: 'anyone', id: null }, subject: { kind: 'share', id } })
  expect(viewed?.detail.views).toBeGreaterThan(0)
  await system.expireShares([id], -1_000)
  await expect.poll(types).toContain('share.expired')
  const [expired] = await eventsOf(owner, 'type=share.expired')
  expect(expired).toMatchObject({ principal: { kind: 'system' }, detail: { title: 'Report', views: 6 } })
  expect(await eventsOf(await system.user('other'))).toEqual([])
})

it('neither a page without scripts nor a share that is not there is a view', async () => {
  const owner = await system.user('unseen')
  const [id, seen] = [await share(owner), await share(owner)]
  expect((await system.anyone().get(`/s/${id}`)).status).toBe(200)
  expect((await system.anyone().get(`/api/shares/${'A'.repeat(22)}`)).status).toBe(404)
  // Its event comes after that of the other would have come.
  expect((await system.anyone().get(`/api/shares/${seen}`)).status).toBe(200)
  await expect
    .poll(async () => (await eventsOf(owner, 'type=share.viewed')).map(({ subject }) => subject.id))
    .toEqual([seen])
})

it('restoring a version of a snippet adds an event that names the key', async () => {
  const owner = await system.user('restorer', 'pro')
  const key = await makeKey(system, owner)
  const { id } = (await owner.post('/api/snippets', body)).json<{ id: string }>()
  expect((await owner.patch(`/api/snippets/${id}`, { data: { a: 2 } })).status).toBe(200)
  expect((await key.client.post(`/api/snippets/${id}/restore`, { version: 1 })).status).toBe(200)
  await expect
    .poll(() => eventsOf(owner, `subject=${id}`))
    .toMatchObject([
      {
        type: 'snippet.restored',
        principal: { kind: 'api_key', id: key.id },
        subject: { kind: 'snippet', id },
        detail: { title: 'Report', restored: 1, version: 3 },
      },
    ])
})

it('an event says that 80 % of the snippets of a plan are in use; with one fewer there is none', async () => {
  const owner = await system.user('collector')
  for (let n = 0; n < 11; n += 1) expect((await owner.post('/api/snippets', body)).status).toBe(201)
  await share(owner)
  // Its event comes after that of the limit would have come.
  await expect.poll(async () => (await eventsOf(owner)).map(({ type }) => type)).toEqual(['share.created'])
  expect((await owner.post('/api/snippets', body)).status).toBe(201)
  await expect
    .poll(() => eventsOf(owner, 'type=limit'))
    .toMatchObject([
      { type: 'limit.near', principal: { kind: 'system' }, detail: { limit: 'snippets', used: 12, of: 15 } },
    ])
})
