import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeKey } from './harness/api-keys.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess

beforeAll(async () => {
  system = await startSystem()
})
afterAll(() => system?.stop())

interface Page {
  readonly events: readonly {
    readonly id: string
    readonly type: string
    readonly principal: { readonly kind: string }
    readonly subject: { readonly kind: string; readonly id: string }
    readonly detail: Record<string, unknown>
  }[]
  readonly next_cursor: string | null
}

it('events of keys and the plan are visible to the owner only, without secrets', async () => {
  const owner = await system.user('teller', 'pro')
  const { id, key } = await makeKey(system, owner, { name: 'CI' })
  const rotated = (await owner.post(`/api/keys/${id}/rotate`, {})).json<{ key: string }>()
  expect((await system.withKey(rotated.key).get('/api/snippets')).status).toBe(200)
  expect((await system.anyone().post('/api/keys/revoke', { key })).status).toBe(200)
  expect((await owner.delete(`/api/keys/${id}`)).status).toBe(200)
  const all = await owner.get('/api/events')
  expect(all.status).toBe(200)
  const { events, next_cursor: next } = all.json<Page>()
  expect(next).toBeNull()
  expect(events.map(({ type, principal }) => `${type} ${principal.kind}`).toSorted()).toEqual([
    'account.plan_changed system',
    'key.created owner',
    'key.deleted owner',
    'key.overlap_began api_key',
    'key.revoked key_holder',
    'key.rotated owner',
  ])
  for (const secret of [key, rotated.key]) expect(all.text).not.toContain(secret.slice(8, -4))
  const other = await system.user('other')
  expect((await other.get('/api/events')).json()).toEqual({ events: [], next_cursor: null })
})

it('an event says that 80 % of the keys of a plan are in use; with one fewer there is none', async () => {
  const owner = await system.user('collector', 'pro')
  const near = async () => (await owner.get('/api/events?type=limit.near')).json<Page>().events
  for (const name of ['1', '2', '3']) await makeKey(system, owner, { name })
  expect(await near()).toEqual([])
  await makeKey(system, owner, { name: '4' })
  expect(await near()).toMatchObject([
    { principal: { kind: 'system' }, detail: { limit: 'api_keys', used: 4, of: 5 } },
  ])
})

it('events are filtered by type, group and subject, page by page', async () => {
  const owner = await system.user('finder', 'pro')
  const keys = await Promise.all([1, 2, 3].map((n) => makeKey(system, owner, { name: `key ${n}` })))
  const list = async (query: string) => (await owner.get(`/api/events?${query}`)).json<Page>()
  expect((await list('type=key')).events).toHaveLength(3)
  expect((await list('type=key.created')).events).toHaveLength(3)
  expect((await list('type=key.deleted')).events).toEqual([])
  expect((await list(`subject=${keys[1]?.id}`)).events).toMatchObject([{ detail: { name: 'key 2' } }])
  const first = await owner.get('/api/events?type=key&limit=2')
  const { events, next_cursor: cursor } = first.json<Page>()
  expect(events).toHaveLength(2)
  expect(first.headers.get('link')).toContain(`cursor=${cursor}`)
  const rest = await list(`type=key&limit=2&cursor=${cursor}`)
  expect(new Set([...events, ...rest.events].map(({ id }) => id)).size).toBe(3)
  expect(rest.next_cursor).toBeNull()
  for (const bad of ['type=Key', 'type=key.', 'subject=a%20b', 'limit=0', 'cursor=x'])
    expect((await owner.get(`/api/events?${bad}`)).status, bad).toBe(400)
})

it('an unchanged list is a 304, and a new event changes it', async () => {
  const owner = await system.user('poller', 'pro')
  const { client } = await makeKey(system, owner)
  const first = await client.get('/api/events')
  const etag = first.headers.get('etag') ?? ''
  expect(etag).toMatch(/^"[\w-]{22}"$/)
  const again = await client.get('/api/events', { 'If-None-Match': etag })
  expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
  await makeKey(system, owner)
  const changed = await client.get('/api/events', { 'If-None-Match': etag })
  expect(changed.status).toBe(200)
  expect(changed.headers.get('etag')).not.toBe(etag)
})
