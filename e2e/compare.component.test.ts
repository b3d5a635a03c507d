import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient, ApiResponse } from './harness/api-client.js'
import { makeKey } from './harness/api-keys.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

const bytesMax = 300_000
let system: SystemInProcess
let ada: ApiClient
let bob: ApiClient

beforeAll(async () => {
  system = await startSystem({
    env: { COMPARE_BYTES_MAX: String(bytesMax), INTERNAL_RATE_LIMIT_POINTER_BYTES: '524288/3600' },
  })
  ada = await system.user('ada', 'pro')
  bob = await system.user('bob')
})
afterAll(() => system?.stop())

const compare = (a: object, b: object, how: object = {}, client = ada): Promise<ApiResponse> =>
  client.post('/api/compare', { a, b, ...how })

async function save(plural: 'snippets' | 'shares', data: string, fields = ''): Promise<string> {
  const response = await ada.post(
    `/api/${plural}`,
    `{"tool":"csv","title":"Compared","data":${data}${fields}}`,
  )
  expect(response.status, response.text).toBe(201)
  return response.json<{ id: string }>().id
}

describe('a comparison', () => {
  it('of snippets, versions, shares and data says exactly what differs', async () => {
    const first = '{"rows":[{"id":1,"v":12345678901234567890},{"id":2,"v":1.0}]}'
    const second = '{"rows":[{"id":1,"v":12345678901234567891},{"id":2,"v":1.0},{"id":3}]}'
    const snippet = await save('snippets', first, ',"name":"compared"')
    const share = await save('shares', second)
    const response = await compare({ snippet: '@compared' }, { share })
    expect(response.status, response.text).toBe(200)
    expect(response.json()).toMatchObject({
      equal: false,
      as: 'json',
      summary: { added: 1, changed: 1, columns_added: [], columns_removed: [] },
      truncated: false,
    })
    expect(response.text).toContain('"from":12345678901234567890,"to":12345678901234567891')
    await ada.patch(`/api/snippets/${snippet}`, `{"data":${second}}`)
    const old = await compare(
      { snippet, version: 1 },
      { data: JSON.parse('{"rows":[]}') },
      { format: 'summary' },
    )
    expect(old.json()).toMatchObject({ equal: false, summary: { removed: 2 } })
    expect(old.json()).not.toHaveProperty('changes')
    expect((await compare({ snippet }, { share })).json()).toMatchObject({ equal: true, changes: [] })
  })

  it('of CSV goes by a column', async () => {
    const csv = (text: string) => ({ data: { csv: text } })
    const how = { key: 'id', values: 'text' }
    const response = await compare(csv('id,n\n1,a\n2,b\n'), csv('id,n,new\n2,c,x\n3,d,y\n'), how)
    expect(response.json()).toMatchObject({
      as: 'csv',
      summary: { added: 1, removed: 1, columns_added: ['new'], columns_removed: [] },
    })
    const days = csv('day,shop,v\n1,A,1\n1,B,2\n')
    const later = csv('day,shop,v\n1,B,2\n1,A,3\n')
    for (const key of [['day', 'shop'], 'day,shop', '["day","shop"]'])
      expect((await compare(days, later, { key })).json()).toMatchObject({
        summary: { changed: 1, moved: 1, added: 0 },
        changes: [{ op: 'move' }, { op: 'replace', key: '["1","A"]' }],
      })
    for (const key of [[], [''], ['day', 1], 7])
      expect((await compare(days, later, { key })).json()).toMatchObject({ code: 'validation_failed' })
    const guessed = await compare(csv('user_id,v\n1,a\n'), csv('user_id,v\n1,b\n'))
    expect(guessed.json()).toMatchObject({ guessed_keys: ['user_id'] })
    const nested = await compare(
      { data: { tool: 1, csv: 'id,n\n1,a\n' }, pointer: '/csv' },
      { ...csv('id,n\n1,b\n'), pointer: '/csv' },
    )
    expect(nested.json()).toMatchObject({ as: 'csv', changes: [{ op: 'replace', from: 'a', to: 'b' }] })
  })

  it('by a key that identifies nothing is refused, and says why', async () => {
    const refusal = async (a: object, b: object, key: string) => {
      const response = await compare({ data: a }, { data: b }, { key })
      expect([response.status, response.json().code]).toEqual([400, 'validation_failed'])
      return response.json<{ errors: { pointer: string; code: string; detail: string }[] }>().errors
    }
    const csv = { csv: 'id,n\n1,a\n1,b\n' }
    expect(await refusal(csv, csv, 'id')).toEqual([
      { pointer: '/key', code: 'key_not_unique', detail: expect.stringContaining('/0 and /1') },
    ])
    expect(await refusal(csv, csv, 'sku')).toMatchObject([{ pointer: '/key', code: 'key_not_found' }])
    const rows = (n: number) => ({ rows: [{ id: 1, n }] })
    expect(await refusal(rows(1), rows(2), 'sku')).toMatchObject([{ pointer: '/key', code: 'key_not_found' }])
  })

  it('includes records that have moved', async () => {
    const [a, b] = [{ rows: [{ id: 1, n: 1 }, { id: 2 }] }, { rows: [{ id: 2 }, { id: 1, n: 2 }] }]
    expect((await compare({ data: a }, { data: b })).json()).toMatchObject({
      summary: { added: 0, removed: 0, changed: 1, moved: 1 },
      changes: [
        { op: 'move', pointer: '/rows/0', new_pointer: '/rows/1' },
        { op: 'replace', pointer: '/rows/0/n', new_pointer: '/rows/1/n', from: 1, to: 2 },
      ],
    })
  })

  it('takes what is ignored, numbers by value, a limit and other formats', async () => {
    const [a, b] = ['{"at":1,"n":1.0,"list":[1,2,3]}', '{"at":2,"n":1,"list":[1]}']
    const post = (how: string) => ada.post('/api/compare', `{"a":{"data":${a}},"b":{"data":${b}},${how}}`)
    const ignoring = await post('"ignore":["/at","/list"],"numbers":"value"')
    expect(ignoring.json()).toMatchObject({ equal: true })
    const limited = await post('"limit":1')
    expect(limited.json()).toMatchObject({ truncated: true })
    expect(limited.json<{ changes: object[] }>().changes).toHaveLength(1)
    const patch = await post('"format":"json-patch"')
    expect(patch.text).toContain('{"op":"replace","path":"/n","value":1}')
    const text = await compare({ data: { text: 'a\nb\n' } }, { data: { text: 'a\nc\n' } }, { format: 'text' })
    expect(text.json().text).toContain('-b\n+c\n')
  })

  it('is refused where a side cannot be read, and says which', async () => {
    const own = await save('snippets', '{"v":1}')
    const unknown = 'A'.repeat(22)
    const refused = async (a: object, b: object, client = ada) => {
      const { code, side } = (await compare(a, b, {}, client)).json()
      return [code, side]
    }
    expect(await refused({ snippet: own }, { snippet: unknown })).toEqual(['not_found', 'b'])
    expect(await refused({ snippet: 'no id' }, { snippet: own })).toEqual(['not_found', 'a'])
    expect(await refused({ snippet: own }, { share: unknown })).toEqual(['not_found', 'b'])
    expect(await refused({ snippet: own, version: 9 }, { snippet: own })).toEqual(['not_found', 'a'])
    expect(await refused({ snippet: own }, { snippet: own, pointer: '/none' })).toEqual(['not_found', 'b'])
    expect(await refused({ data: {} }, { snippet: own }, bob)).toEqual(['not_owner', 'b'])
    const wrong = await compare({ snippet: own, pointer: 'v' }, { snippet: own })
    expect([wrong.status, wrong.json().code]).toEqual([400, 'validation_failed'])
    expect((await compare({ data: {} }, { data: {} }, { ignore: ['v'] })).status).toBe(400)
  })

  it('needs a key that may read', async () => {
    const client = (scope: string) => makeKey(system, ada, { scopes: [scope] })
    const reading = await client('read')
    expect((await compare({ data: {} }, { data: {} }, {}, reading.client)).status).toBe(200)
    const writing = await client('write')
    expect((await compare({ data: {} }, { data: {} }, {}, writing.client)).json().code).toBe(
      'insufficient_scope',
    )
  })
})

describe('documents that are too large together', () => {
  const large = `{"v":"${'x'.repeat(bytesMax / 2)}"}`

  it('are named with the command that compares them', async () => {
    const id = await save('snippets', large)
    const stored = await compare({ snippet: id }, { snippet: id })
    expect([stored.status, stored.json().code, stored.json().limit]).toEqual([
      413,
      'compare_too_large',
      bytesMax,
    ])
    expect(stored.json().actual).toBe(2 * large.length)
    expect(stored.json().detail).toContain('snipkeep diff A B')
    const body = `{"a":{"data":${large}},"b":{"data":${large.replace('"v"', `"${'y'.repeat(100_000)}"`)}}}`
    expect((await ada.post('/api/compare', body)).json().code).toBe('compare_too_large')
    const headers = { 'Content-Encoding': 'gzip', 'Content-Type': 'application/json' }
    const gzipped = await ada.request('POST', '/api/compare', { headers, body: gzipSync(body) })
    expect(gzipped.json().code).toBe('compare_too_large')
  })

  it('and smaller ones count against the budget of bytes', async () => {
    const eve = await system.user('eve', 'pro')
    const side = JSON.parse(`${large.slice(0, 100_000)}"}`)
    const statuses: number[] = []
    for (let index = 0; index < 9; index++)
      statuses.push((await compare({ data: side }, { data: side }, { format: 'summary' }, eve)).status)
    expect(statuses).toEqual([...Array(8).fill(200), 429])
  })

  it('and white space does, too', async () => {
    const mallory = await system.user('mallory', 'pro')
    const body = `{"a":{"data":{}},"b":{"data":{}}}${' '.repeat(200_000)}`
    const statuses: number[] = []
    for (let index = 0; index < 9; index++) statuses.push((await mallory.post('/api/compare', body)).status)
    expect(statuses).toEqual([...Array(8).fill(413), 429])
  })

  it('and white space pays for no stored document', async () => {
    const oscar = await system.user('oscar', 'pro')
    const stored = `{"tool":"csv","title":"Stored","data":${large.slice(0, 100_000)}"}}`
    const { id } = (await oscar.post('/api/snippets', stored)).json<{ id: string }>()
    const inline = `{"v":"${'x'.repeat(10_000)}"}`
    const body = `{"a":{"snippet":"${id}"},"b":{"data":${inline}},"format":"summary"}${' '.repeat(60_000)}`
    const statuses: number[] = []
    for (let index = 0; index < 5; index++) statuses.push((await oscar.post('/api/compare', body)).status)
    // Each takes from the budget twice, for its body and for what is stored.
    expect(statuses).toEqual([...Array(4).fill(200), 429])
  })

  it('may come compressed, and not in another encoding', async () => {
    const body = gzipSync('{"a":{"data":{"v":1}},"b":{"data":{"v":2}}}')
    const post = (encoding: string) =>
      ada.request('POST', '/api/compare', {
        body,
        headers: { 'Content-Encoding': encoding, 'Content-Type': 'application/json' },
      })
    expect((await post('gzip')).json().summary).toMatchObject({ changed: 1 })
    expect((await post('br')).status).toBe(415)
  })
})
