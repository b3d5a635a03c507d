import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type HistoryEntry, listAllHistory, listHistory, recordEntry } from './harness/history.js'
import { inParallel } from './harness/in-parallel.js'
import { iterations } from './harness/iterations.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'
import { within } from './harness/within.js'

let system: SystemInProcess

beforeAll(async () => {
  // With Redis, gateways learn of a plan change immediately.
  const redisUrl = inject('redisUrl')
  system = await startSystem({ env: redisUrl === null ? {} : { REDIS_URL: redisUrl } })
})
afterAll(() => system?.stop())

const isSorted = (entries: readonly HistoryEntry[]): boolean =>
  entries.every((entry, index) => {
    const before = entries[index - 1]
    if (before === undefined || before.created_at > entry.created_at) return true
    return before.created_at === entry.created_at && before.id > entry.id
  })

describe('history', () => {
  it('returns recorded entries, metadata byte for byte, alone and in lists', async () => {
    const user = await system.user('recorder')
    const metadata = '{ "b":1.0, "a":12345678901234567890,"a":"\\u0000", "n":1e400 }'
    const response = await user.post(
      '/api/history',
      `{"tool":"json-to-csv","action":"convert","title":"Ünï","metadata":${metadata}}`,
    )
    expect(response.status).toBe(201)
    expect(response.text).toContain(`"metadata":${metadata},`)
    const { id, created_at } = response.json<HistoryEntry>()
    expect(response.headers.get('location')).toBe(`${system.baseUrl()}/api/history/${id}`)
    const got = await user.get(`/api/history/${id}`)
    expect(got.text).toBe(response.text)
    const bare = await recordEntry(user)
    expect(bare).toMatchObject({ tool: 'csv', action: null, title: null, metadata: null })
    const listed = await user.get('/api/history')
    expect(listed.text).toContain(`"metadata":${metadata},`)
    expect((await listHistory(user)).history.map((entry) => entry.id)).toEqual([bare.id, id])
    expect(Date.parse(created_at)).toBeLessThan(Date.parse(bare.created_at))
    expect((await user.get('/api/auth/profile')).json()).toMatchObject({ usage: { history: 2 } })
  })

  it('rejects invalid entries, naming each problem', async () => {
    const user = await system.user('refused')
    const big = JSON.stringify({ v: 'x'.repeat(16_384 - 8) })
    expect(Buffer.byteLength(big)).toBe(16_384)
    expect((await user.post('/api/history', `{"tool":"t","metadata":${big}}`)).status).toBe(201)
    const cases: [string, string][] = [
      [`{"tool":"t","metadata":${big.replace('x', 'xx')}}`, '/metadata'],
      ['{"tool":"t","metadata":[]}', '/metadata'],
      ['{"tool":"t","metadata":null}', '/metadata'],
      ['{"tool":"t","metadata":"{}"}', '/metadata'],
      ['{}', '/tool'],
      ['{"tool":"-"}', '/tool'],
      ['{"tool":"t","action":""}', '/action'],
      [`{"tool":"t","action":"${'x'.repeat(65)}"}`, '/action'],
      [`{"tool":"t","title":"${'x'.repeat(201)}"}`, '/title'],
      ['{"tool":"t","title":"a\\u0000"}', '/title'],
      ['{"tool":"t","data":{}}', '/data'],
      ['{"tool":"t","created_at":"2030-01-01T00:00:00Z"}', '/created_at'],
    ]
    for (const [body, pointer] of cases) {
      const response = await user.post('/api/history', body)
      expect(response.status, body.slice(0, 80)).toBe(400)
      expect(response.json<{ errors: { pointer: string }[] }>().errors[0]?.pointer).toBe(pointer)
    }
    expect((await user.post('/api/history', '{"tool":"t","metadata":{"a":01}}')).json().code).toBe(
      'malformed_json',
    )
    expect((await listHistory(user)).history).toHaveLength(1)
  })

  it('is paged by tool, newest first, each entry once', async () => {
    const user = await system.user('pager', 'pro')
    await inParallel(230, 16, (index) =>
      recordEntry(user, { tool: index % 3 === 0 ? 'json' : 'csv', title: `n${index}` }),
    )
    const all = await listAllHistory(user)
    expect(new Set(all.map(({ id }) => id)).size).toBe(230)
    expect(isSorted(all)).toBe(true)
    const json = await listAllHistory(user, 'tool=json')
    expect(json).toHaveLength(77)
    expect(json.map(({ id }) => id)).toEqual(all.filter(({ tool }) => tool === 'json').map(({ id }) => id))
    expect((await listHistory(user)).history).toHaveLength(20)
    expect((await user.get('/api/history?cursor=broken')).json().code).toBe('invalid_cursor')
    for (const bad of ['0', '-1', '1e3', 'x', '']) {
      expect((await user.get(`/api/history?limit=${bad}`)).status, bad).toBe(400)
    }
  })

  it('deletes one entry, those of a tool, or all', async () => {
    const user = await system.user('deleter', 'pro')
    const one = await recordEntry(user)
    for (let n = 0; n < 4; n += 1) await recordEntry(user, { tool: n % 2 === 0 ? 'json' : 'csv' })
    expect((await user.delete(`/api/history/${one.id}`)).json()).toEqual({ id: one.id, deleted: true })
    expect((await user.delete(`/api/history/${one.id}`)).status).toBe(404)
    expect((await user.get(`/api/history/${one.id}`)).status).toBe(404)
    expect((await user.delete('/api/history?tool=json')).json()).toEqual({ deleted: 2 })
    expect((await listHistory(user)).history.map(({ tool }) => tool)).toEqual(['csv', 'csv'])
    expect((await user.delete('/api/history')).json()).toEqual({ deleted: 2 })
    expect((await listHistory(user)).history).toEqual([])
    expect((await user.get('/api/auth/profile')).json()).toMatchObject({ usage: { history: 0 } })
    expect((await user.delete('/api/history?tool=-')).status).toBe(400)
  })

  it('is recorded once for the same Idempotency-Key', async () => {
    const user = await system.user('repeater')
    const send = (title: string) =>
      user.post('/api/history', { tool: 'csv', title }, { 'Idempotency-Key': 'once' })
    const responses = await Promise.all(Array.from({ length: 20 }, () => send('a')))
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
    expect(responses.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1)
    expect((await send('b')).json().code).toBe('idempotency_key_reused')
    expect((await listHistory(user)).history).toHaveLength(1)
  })
})

describe('the plan', () => {
  it('all entries of a Pro user are kept', async () => {
    const user = await system.user('keeper', 'pro')
    const count = iterations(1_000, 10_000)
    await inParallel(count, 16, () => recordEntry(user))
    expect(await listAllHistory(user)).toHaveLength(count)
    expect((await user.get('/api/auth/profile')).json()).toMatchObject({ usage: { history: count } })
  })

  it('a downgrade hides older entries, and an upgrade restores them', async () => {
    const user = await system.user('lapsing', 'pro')
    const entries: HistoryEntry[] = []
    for (let n = 0; n < 30; n += 1) entries.unshift(await recordEntry(user, { title: `n${n}` }))
    const visible = async () => (await listAllHistory(user)).map(({ id }) => id)
    const becomes = (count: number) => within(5_100, count, async () => (await visible()).length)
    await system.setPlan('lapsing', 'free')
    await becomes(20)
    expect(await visible()).toEqual(entries.slice(0, 20).map(({ id }) => id))
    expect((await user.get(`/api/history/${entries[25]?.id}`)).status).toBe(404)
    expect((await user.get('/api/auth/profile')).json()).toMatchObject({ usage: { history: 20 } })
    const later = await recordEntry(user)
    expect((await visible())[0]).toBe(later.id)
    await system.setPlan('lapsing', 'pro')
    await becomes(31)
  })
})
