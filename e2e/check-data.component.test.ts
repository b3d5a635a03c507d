import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient, ApiResponse } from './harness/api-client.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

const compareBytesMax = 600_000
let system: SystemInProcess
let ada: ApiClient

beforeAll(async () => {
  system = await startSystem({ env: { COMPARE_BYTES_MAX: String(compareBytesMax) } })
  ada = await system.user('ada', 'pro')
})
afterAll(() => system?.stop())

const upload = (path: string, body: string, headers = {}): Promise<ApiResponse> =>
  ada.request('PUT', path, { body, headers: { 'Content-Type': 'text/csv', ...headers } })
const sendText = (path: string, body: string, headers = {}): Promise<ApiResponse> =>
  ada.post(path, body, { 'Content-Type': 'text/csv', ...headers })
const storedBytes = async (): Promise<number> =>
  (await ada.get('/api/auth/profile')).json<{ usage: { stored_bytes: number } }>().usage.stored_bytes

/** A table of this many rows; the price of the last one differs. */
function table(rows: number, price: string): string {
  const lines = Array.from({ length: rows }, (_none, n) => `${n},${n === rows - 1 ? price : '1.00'}\n`)
  return `id,price\n${lines.join('')}`
}

async function approve(response: ApiResponse): Promise<ApiResponse> {
  return ada.request('POST', `/api/checks/${response.json().id}/approve`)
}

describe('the data of a check', () => {
  it('may be uploaded as it is, and gets the name that the text of the snippet has', async () => {
    await upload('/api/snippets/@table?tool=report&key=csv', table(3, '1.00'))
    const same = await sendText('/api/snippets/@table/checks', table(3, '1.00'))
    expect(same.json(), same.text).toMatchObject({ verdict: 'same', as: 'csv', tool: 'report' })
    const breaks = await sendText('/api/snippets/@table/checks?title=Run%208', table(3, '1.10'))
    expect(breaks.json()).toMatchObject({
      ...{ verdict: 'breaks', title: 'Run 8' },
      breaks: [{ pointer: '/2/price', rule: 'value', baseline: '1.00', candidate: '1.10' }],
    })
    const { id } = breaks.json<{ id: string }>()
    expect((await ada.get(`/api/checks/${id}/raw?pointer=/csv`)).text).toBe(table(3, '1.10'))
    const first = await sendText('/api/snippets/@first-table/checks?tool=csv', table(1, '1.00'))
    expect(first.json(), first.text).toMatchObject({ verdict: 'new', tool: 'csv' })
    const unnamed = await sendText('/api/snippets/@second-table/checks', table(1, '1.00'))
    expect([unnamed.status, unnamed.json().code]).toEqual([415, 'unsupported_media_type'])
  })

  it('may be large: it is judged, kept, read in parts, and becomes the version, counted once', async () => {
    const [before, after] = [table(20_000, '1.00'), table(20_000, '2.00')]
    await upload('/api/snippets/@large?tool=csv', before)
    const stored = await storedBytes()
    const checked = await sendText('/api/snippets/@large/checks?accept=allowed', after)
    const found = checked.json<{ id: string; size_bytes: number; breaks: object[] }>()
    expect(found, checked.text).toMatchObject({
      ...{ verdict: 'breaks', state: 'pending', as: 'csv', counts: { breaks: 1, allowed: 0 } },
      breaks: [{ pointer: '/19999/price', baseline: '1.00', candidate: '2.00' }],
    })
    // What breaks counts as long as the check is kept.
    const counted = stored + found.size_bytes + Buffer.byteLength(JSON.stringify(found.breaks))
    expect(await storedBytes()).toBe(counted)
    const raw = `/api/checks/${found.id}/raw`
    expect((await ada.get(`${raw}?pointer=/csv`)).text).toBe(after)
    const range = await ada.get(raw, { Range: 'bytes=0-16' })
    expect([range.status, range.text]).toEqual([206, '{"csv":"id,price\\'])
    const rows = await ada.get(`${raw}?pointer=/csv&rows=20000-20000`)
    expect(rows.text).toBe('id,price\n19999,2.00\n')
    expect((await approve(checked)).json()).toMatchObject({ state: 'approved', version: 2 })
    expect((await ada.get('/api/snippets/@large/raw?pointer=/csv')).text).toBe(after)
    expect(await storedBytes()).toBe(counted)
  })

  it('is refused before it is received if it and the current version are too large together', async () => {
    const path = '/api/snippets/@too-large'
    await upload(`${path}?tool=csv`, table(40_000, '1.00'))
    const limit = { status: 413, code: 'compare_too_large', limit: compareBytesMax }
    const together = await sendText(`${path}/checks`, table(40_000, '2.00'))
    expect(together.json(), together.text).toMatchObject(limit)
    const put = () => ada.request('PUT', `${path}/contract`, { body: '{}' })
    expect((await put()).status).toBe(201)
    await upload(`${path}?tool=csv`, table(80_000, '1.00'))
    const refused = (await put()).json()
    expect(refused).toMatchObject({ ...limit, detail: expect.stringContaining('The current version has') })
  })

  it('is one check, however often it is sent with one key, small or large', async () => {
    for (const rows of [2, 20_000]) {
      const path = `/api/snippets/@repeated-${rows}`
      await upload(`${path}?tool=csv`, table(rows, '1.00'))
      const headers = { 'Idempotency-Key': `check-${rows}` }
      const send = (price: string) => sendText(`${path}/checks`, table(rows, price), headers)
      const first = await send('2.00')
      expect([first.status, first.headers.get('idempotent-replayed')], first.text).toEqual([201, null])
      const stored = await storedBytes()
      const again = await send('2.00')
      expect([again.status, again.headers.get('idempotent-replayed')], again.text).toEqual([201, 'true'])
      expect(again.json()).toMatchObject({ id: first.json().id, verdict: 'breaks' })
      expect(await storedBytes()).toBe(stored)
      expect((await send('3.00')).json()).toMatchObject({ code: 'idempotency_key_reused' })
      const { checks } = (await ada.get(`${path}/checks`)).json<{ checks: object[] }>()
      expect(checks).toHaveLength(1)
    }
  })

  it('that cannot be judged is not kept, and does not count', async () => {
    await upload('/api/snippets/@unjudged?tool=csv', table(2, '1.00'))
    const rules = { schema: { snippet: '@unjudged.schema' } }
    const schema = { tool: 'json', title: 'Schema', data: { type: 'object' } }
    await ada.request('PUT', '/api/snippets/@unjudged.schema', { body: schema })
    const made = await ada.request('PUT', '/api/snippets/@unjudged/contract', { body: rules })
    expect(made.status, made.text).toBe(201)
    await ada.delete('/api/snippets/@unjudged.schema')
    const stored = await storedBytes()
    const headers = { 'Idempotency-Key': 'unjudged' }
    for (let n = 0; n < 2; n += 1) {
      const refused = await sendText('/api/snippets/@unjudged/checks', table(20_000, '1.00'), headers)
      expect(refused.json(), refused.text).toMatchObject({
        ...{ status: 400, code: 'validation_failed', pointer: '/schema/snippet' },
      })
      expect(await storedBytes()).toBe(stored)
    }
    await upload('/api/snippets/@too-large?tool=csv', table(30_000, '1.00'))
    const before = await storedBytes()
    const large = await sendText('/api/snippets/@too-large/checks', table(40_000, '1.00'))
    expect(large.json()).toMatchObject({ status: 413, code: 'compare_too_large', limit: compareBytesMax })
    expect(await storedBytes()).toBe(before)
  })

  it('must fit the schema that a snippet holds, in whatever form it was saved', async () => {
    const schema = '{"properties":{"total":{"minimum":0}},"required":["total"]}'
    const asJson = `{"tool":"json","title":"S","data":${schema}}`
    await ada.request('PUT', '/api/snippets/@total.schema', { body: asJson })
    await upload('/api/snippets/@total-text.schema?tool=json', schema)
    for (const snippet of ['@total.schema', '@total-text.schema']) {
      const name = `total-${snippet.length}`
      const body = { tool: 'json', title: 'T', data: { total: 1 } }
      await ada.request('PUT', `/api/snippets/@${name}`, { body })
      const put = await ada.request('PUT', `/api/snippets/@${name}/contract`, {
        body: { schema: { snippet }, ignore: ['/total'] },
      })
      expect(put.status, put.text).toBe(201)
      const path = `/api/snippets/@${name}/checks?accept=allowed`
      expect((await ada.post(path, { data: { total: 5 } })).json(), snippet).toMatchObject({
        ...{ verdict: 'allowed', state: 'accepted', version: 2 },
      })
      const broken = await ada.post(path, '{"data":{"total":-1}}')
      expect(broken.json(), broken.text).toMatchObject({
        ...{ verdict: 'breaks', breaks: [{ pointer: '/total', rule: 'schema', candidate: '-1' }] },
      })
    }
  })
})

describe('the list of checks', () => {
  it('is newest first, in pages, and of one state', async () => {
    const path = '/api/snippets/@listed'
    const send = async (v: number) =>
      (await ada.post(`${path}/checks`, { data: { v } })).json<{ id: string }>()
    await ada.request('PUT', path, { body: { tool: 'json', title: 'L', data: { v: 0 } } })
    const sent = [await send(1), await send(2), await send(0), await send(3)]
    await ada.request('POST', `/api/checks/${sent[0]?.id}/reject`)
    const idsOf = async (query: string): Promise<unknown[]> => {
      const page = (await ada.get(`${path}/checks${query}`)).json<{ checks: { id: string }[] }>()
      return page.checks.map(({ id }) => sent.findIndex((one) => one.id === id))
    }
    expect(await idsOf('')).toEqual([3, 2, 1, 0])
    expect(await idsOf('?state=pending')).toEqual([3, 1])
    expect(await idsOf('?state=accepted')).toEqual([2])
    expect(await idsOf('?state=rejected')).toEqual([0])
    expect(await idsOf('?state=expired')).toEqual([])
    const first = await ada.get(`${path}/checks?limit=3`)
    const { next_cursor: cursor, checks } = first.json<{ next_cursor: string; checks: object[] }>()
    expect(checks[0]).not.toHaveProperty('breaks')
    expect(first.headers.get('link')).toContain('rel="next"')
    expect(await idsOf(`?limit=3&cursor=${cursor}`)).toEqual([0])
    expect((await ada.get(`${path}/checks?state=lost`)).status).toBe(400)
  })

  it('is limited like creates for Free, and decisions are not', async () => {
    const limited = await startSystem({ env: { RATE_LIMIT_STRICT: '3/600' } })
    try {
      const eve = await limited.user('eve')
      const path = '/api/snippets/@limited'
      await eve.request('PUT', path, { body: { tool: 'json', title: 'L', data: { v: 0 } } })
      const found = (await eve.post(`${path}/checks`, { data: { v: 1 } })).json()
      expect((await eve.post(`${path}/checks`, { data: { v: 2 } })).status).toBe(201)
      expect((await eve.post(`${path}/checks`, { data: { v: 3 } })).status).toBe(429)
      expect((await eve.request('PUT', `${path}/contract`, { body: {} })).status).toBe(201)
      expect((await eve.request('POST', `/api/checks/${found.id}/approve`)).status).toBe(200)
    } finally {
      await limited.stop()
    }
  })
})

describe('the query of a check', () => {
  it.each([
    ['?accept=all', 'accept'],
    ['?source=javascript:alert(1)', 'source'],
    ['?source=https%3A%2F%2Fci.example%2F%20%00', 'source'],
    [`?source=https%3A%2F%2Fci.example%2F${'x'.repeat(2_000)}`, 'source'],
    ['?tag=a', 'tag'],
  ])('is refused where it is wrong: %s', async (query, pointer) => {
    await ada.request('PUT', '/api/snippets/@query', { body: { tool: 'json', title: 'Q', data: {} } })
    const refused = await ada.post(`/api/snippets/@query/checks${query}`, { data: {} })
    expect(refused.json(), refused.text).toMatchObject({ status: 400, errors: [{ pointer }] })
  })
})
