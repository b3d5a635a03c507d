import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient, ApiResponse } from './harness/api-client.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess
let ada: ApiClient
let anyone: ApiClient
beforeAll(async () => {
  system = await startSystem()
  ada = await system.user('ada', 'pro')
  anyone = system.anyone()
})
afterAll(() => system?.stop())

const rowsOf = (count: number, row: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => row(index + 1))
/** Digits that no JavaScript number has. */
const item = (index: number): string => `{"id":1234567890123456${String(index).padStart(4, '0')}, "v":1.10}`
const record = (index: number): string => `${index},"say ""${index}""\nand more",é\n`

/** `data` with this many items and as many records: one that is stored in the message, and a large one. */
const documents = [
  ['small', 10],
  ['large', 9_000],
] as const

function dataOf(count: number): string {
  const csv = `n,text,more\n${rowsOf(count, record).join('')}`
  return `{"csv":${JSON.stringify(csv)},"items":[\n${rowsOf(count, item).join(',\n')}\n],"object":{"a":1},"n":12}`
}

async function pathOf(plural: string, count: number): Promise<string> {
  const created = await ada.post(`/api/${plural}`, `{"tool":"csv","title":"Rows","data":${dataOf(count)}}`)
  expect(created.status, created.text).toBe(201)
  return `/api/${plural}/${created.json<{ id: string }>().id}/raw`
}

it('a version of a snippet supports rows and ranges, too', async () => {
  const { id } = (await ada.post('/api/snippets', '{"tool":"csv","title":"V","data":{"v":[1.10,2]}}')).json()
  await ada.patch(`/api/snippets/${id}`, { data: { v: [3] } })
  const path = `/api/snippets/${id}/revisions/1/raw`
  expect((await ada.get(`${path}?pointer=/v&rows=1-1`)).text).toBe('[1.10]')
  expect((await ada.get(path, { Range: 'bytes=-3' })).text).toBe('2]}')
})

describe.each(['snippets', 'shares'])('of %s', (plural) => {
  describe.each(documents)('a %s document', (_size, count) => {
    let path: string
    let get: (query: string, headers?: Record<string, string>, method?: string) => Promise<ApiResponse>
    beforeAll(async () => {
      path = await pathOf(plural, count)
      const caller = plural === 'shares' ? anyone : ada
      get = (query, headers = {}, method = 'GET') => caller.request(method, `${path}${query}`, { headers })
    })

    it('returns items of an array as sent', async () => {
      const response = await get('?pointer=/items&rows=3-5')
      expect(response.status).toBe(200)
      expect(response.text).toBe(`[\n${[3, 4, 5].map(item).join(',\n')}]`)
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(response.headers.get('x-total-rows')).toBe(String(count))
      expect(response.headers.get('content-length')).toBe(String(response.text.length))
      const last = await get(`?pointer=/items&rows=${count}-${count + 5}`)
      expect(last.text).toBe(`[\n${item(count)}\n]`)
    })

    it('returns records of CSV below their header', async () => {
      const response = await get('?pointer=/csv&rows=4-5')
      expect(response.text).toBe(`n,text,more\n${record(4)}${record(5)}`)
      expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
      expect(response.headers.get('x-total-rows')).toBe(String(count))
      const saved = await get('?pointer=/csv&rows=1-1&download')
      expect(saved.headers.get('content-disposition')).toBe('attachment; filename="Rows.csv"')
    })

    it('returns nothing past the last row', async () => {
      const items = await get(`?pointer=/items&rows=${count + 1}-${count + 9}`)
      expect([items.status, items.text, items.headers.get('x-total-rows')]).toEqual([200, '[]', `${count}`])
      expect((await get(`?pointer=/csv&rows=${count + 1}-999999999`)).text).toBe('n,text,more\n')
    })

    it('treats HEAD and If-None-Match like any read', async () => {
      const whole = await get('?pointer=/items&rows=1-2')
      const head = await get('?pointer=/items&rows=1-2', {}, 'HEAD')
      for (const name of ['etag', 'content-length', 'x-total-rows', 'content-type'])
        expect(head.headers.get(name), name).toBe(whole.headers.get(name))
      expect([head.status, head.text]).toEqual([200, ''])
      const known = { 'If-None-Match': whole.headers.get('etag') ?? '' }
      expect((await get('?pointer=/items&rows=1-2', known)).status).toBe(304)
    })

    it('returns a byte range of data and of values', async () => {
      const data = Buffer.from(dataOf(count))
      const some = await get('', { Range: 'bytes=1-5' })
      expect([some.status, some.text]).toEqual([206, data.subarray(1, 6).toString()])
      expect(some.headers.get('content-range')).toBe(`bytes 1-5/${data.length}`)
      expect(some.headers.get('content-length')).toBe('5')
      expect(some.headers.get('etag')).toMatch(/^"/)
      expect((await get('', { Range: 'bytes=-8' })).text).toBe(data.subarray(-8).toString())
      const items = (await get('?pointer=/items')).text
      const part = await get('?pointer=/items', { Range: `bytes=${items.length - 20}-` })
      expect([part.status, part.text]).toEqual([206, items.slice(-20)])
      expect((await get('', {}, 'HEAD')).headers.get('accept-ranges')).toBe('bytes')
    })

    it('returns all of it for several ranges, another version, and HEAD', async () => {
      const data = dataOf(count)
      const etag = (await get('', {}, 'HEAD')).headers.get('etag') ?? ''
      for (const headers of [{ Range: 'bytes=0-1,3-4' }, { Range: 'bytes=0-1', 'If-Range': '"old"' }]) {
        const whole = await get('', headers)
        expect([whole.status, whole.text.length, whole.headers.get('content-range')]).toEqual([
          200,
          data.length,
          null,
        ])
      }
      expect((await get('', { Range: 'bytes=0-1', 'If-Range': etag })).status).toBe(206)
      const head = await get('', { Range: 'bytes=0-1' }, 'HEAD')
      expect([head.status, head.headers.get('content-length')]).toEqual([200, `${Buffer.byteLength(data)}`])
      const known = await get('', { Range: 'bytes=0-1', 'If-None-Match': etag })
      expect(known.status).toBe(304)
    })

    it('has no range past its end', async () => {
      const length = Buffer.byteLength(dataOf(count))
      const beyond = await get('', { Range: `bytes=${length}-` })
      expect(beyond.status).toBe(416)
      expect(beyond.json()).toMatchObject({ code: 'range_not_satisfiable', actual: length })
      expect(beyond.json()).not.toHaveProperty('content_range')
      expect(beyond.headers.get('content-range')).toBe(`bytes */${length}`)
      expect(beyond.headers.get('content-type')).toBe('application/problem+json')
      expect(beyond.headers.get('etag')).toBeNull()
    })
  })

  it('invalid rows are rejected', async () => {
    const path = await pathOf(plural, 3)
    const get = (query: string) => ada.get(`${path}${query}`)
    const wrong = ['0-1', '2-1', '1', '-1', '1-', 'a-b', '1-2,4-5', '01-2', '1-9999999999', '']
    for (const rows of wrong) {
      const response = await get(`?pointer=/items&rows=${rows}`)
      expect(response.status, rows).toBe(400)
      expect(response.json().errors, rows).toMatchObject([{ pointer: 'rows' }])
    }
    for (const query of [
      '?rows=1-2',
      '?pointer=&rows=1-2',
      '?pointer=/object&rows=1-2',
      '?pointer=/n&rows=1-2',
    ]) {
      const response = await get(query)
      expect(response.status, query).toBe(400)
      expect(response.json().errors, query).toMatchObject([{ pointer: 'rows' }])
    }
    expect((await get('?pointer=/none&rows=1-2')).status).toBe(404)
  })
})
