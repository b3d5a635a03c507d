import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { corpusFolder } from '#libs/testing/corpora.js'
import { hostileStrings } from '#libs/testing/hostile-strings.js'
import { areInstalled } from '#libs/testing/programs.js'
import type { ApiClient, ApiResponse } from './harness/api-client.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

const run = promisify(execFile)
const csv = 'name,role\r\nAda,"engineer"\n'
const dataType = 'application/vnd.snipkeep.data+json'

let system: SystemInProcess
let mia: ApiClient
let fred: ApiClient
let folder: string

beforeAll(async () => {
  system = await startSystem()
  mia = await system.user('mia', 'pro')
  fred = await system.user('fred', 'free')
  folder = await mkdtemp(join(tmpdir(), 'raw-uploads-'))
})
afterAll(async () => {
  await system?.stop()
  await rm(folder, { recursive: true })
})

const put = (
  path: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<ApiResponse> =>
  mia.request('PUT', path, { body, headers: { 'Content-Type': 'text/csv', ...headers } })

/** The `data` of a new record, parsed. */
async function dataOf(list: 'snippets' | 'shares', response: ApiResponse): Promise<Record<string, unknown>> {
  expect(response.status, response.text).toBe(201)
  return (await mia.get(`/api/${list}/${response.json().id}/raw`)).json()
}

describe.each(['snippets', 'shares'] as const)('raw %s', (list) => {
  it('store the text under the last word of the tool, with the tool and date as the title', async () => {
    const response = await put(`/api/${list}?tool=json-to-csv`, csv)
    const today = new Date().toISOString().slice(0, 10)
    expect(response.json()).toMatchObject({ tool: 'json-to-csv', title: `json-to-csv ${today}` })
    expect(await dataOf(list, response)).toEqual({ csv })
    const raw = await mia.get(`/api/${list}/${response.json().id}/raw?pointer=/csv`)
    expect([raw.text, raw.headers.get('content-type')]).toEqual([csv, 'text/plain; charset=utf-8'])
  })

  it('take title and key from the query, by POST as by PUT', async () => {
    const path = `/api/${list}?tool=x&title=March%20%C3%A4&key=a%22%2Fb`
    for (const method of ['POST', 'PUT']) {
      const response = await mia.request(method, path, {
        body: csv,
        headers: { 'Content-Type': 'text/plain' },
      })
      expect(response.json().title).toBe('March ä')
      expect(await dataOf(list, response)).toEqual({ 'a"/b': csv })
    }
  })

  it('accept JSON in the usual envelope by PUT too', async () => {
    const response = await mia.request('PUT', `/api/${list}`, {
      body: { tool: 'a', title: 'b', data: { c: 1 } },
    })
    expect(await dataOf(list, response)).toEqual({ c: 1 })
  })

  it('accept data itself, byte for byte', async () => {
    const data = '{ "b":1e2,\t"a":"\\u0041", "a":12345678901234567890 }'
    const response = await put(`/api/${list}?tool=x`, ` ${data}\n`, { 'Content-Type': dataType })
    expect(response.json().size_bytes).toBe(data.length)
    expect((await mia.get(`/api/${list}/${response.json().id}/raw`)).text).toBe(data)
    const refused: readonly [string, string, number | undefined][] = [
      ['[1]', 'validation_failed', undefined],
      ['"text"', 'validation_failed', undefined],
      ['', 'malformed_json', 0],
      ['{"a":1', 'malformed_json', 6],
      ['{"a":1},"title":"x"', 'malformed_json', 7],
      ['{"a":1}}', 'malformed_json', 7],
      ['{"a":\u0000}', 'malformed_json', 5],
    ]
    for (const [body, code, offset] of refused) {
      const response = await put(`/api/${list}?tool=x`, body, { 'Content-Type': dataType })
      expect([response.status, response.json().code, response.json().offset], body).toEqual([
        400,
        code,
        offset,
      ])
    }
  })

  it('return only the URL when text is preferred', async () => {
    const response = await put(`/api/${list}?tool=csv`, csv, { Accept: 'text/plain' })
    const id = response.headers.get('location')?.split('/').at(-1)
    const address = list === 'shares' ? `/s/${id}` : `/api/snippets/${id}/raw`
    expect([response.status, response.headers.get('content-type')]).toEqual([
      201,
      'text/plain; charset=utf-8',
    ])
    expect(response.text).toMatch(/^http[^\n]+\n$/)
    expect(new URL(response.text).pathname).toBe(address)
    for (const accept of ['*/*', 'application/json, text/plain;q=0.5', 'text/html', ''])
      expect((await put(`/api/${list}?tool=csv`, csv, { Accept: accept })).json().tool, accept).toBe('csv')
  })

  it('are 415 for every other type, charset and encoding, and without a tool', async () => {
    const types = [
      'application/x-www-form-urlencoded',
      'image/png',
      'text/csv; charset=utf-16',
      'application/pdf',
    ]
    for (const type of types) {
      const response = await put(`/api/${list}?tool=csv`, csv, { 'Content-Type': type })
      expect([response.status, response.json().code], type).toEqual([415, 'unsupported_media_type'])
    }
    for (const encoding of ['br', 'gzip, gzip', 'zstd'])
      expect((await put(`/api/${list}?tool=csv`, csv, { 'Content-Encoding': encoding })).status).toBe(415)
    const latin = { 'Content-Type': 'text/csv; charset=windows-1252' }
    const refused = await put(`/api/${list}?tool=csv`, csv, latin)
    expect([refused.status, refused.json().detail]).toEqual([415, expect.stringContaining('?encoding=')])
    expect((await put(`/api/${list}?tool=csv&encoding=windows-1252`, csv, latin)).status).toBe(201)
    const unnamed = await put(`/api/${list}`, csv)
    expect([unnamed.status, unnamed.json().detail]).toEqual([415, expect.stringContaining('?tool=csv')])
  })

  it('has no parameters beside a body of JSON, where they would have no effect', async () => {
    const json = { 'Content-Type': 'application/json' }
    const whole = '{"tool":"csv","title":"T","data":{}}'
    for (const query of ['tool=csv', 'title=Other', 'key=a&tool=csv']) {
      const response = await put(`/api/${list}?${query}`, whole, json)
      expect([response.status, response.json().code], query).toEqual([400, 'unknown_parameter'])
      expect(response.json().detail).toMatch(
        /^\w+ is for text that is uploaded as it is\. In a JSON body it is a field/,
      )
    }
    expect((await put(`/api/${list}`, whole, json)).status).toBe(201)
  })

  it.each(['text/csv', 'text/plain; charset=us-ascii', 'application/octet-stream', 'application/yaml'])(
    'may be %s, plain or gzip',
    async (type) => {
      const zipped = { 'Content-Type': type, 'Content-Encoding': 'gzip' }
      expect(await dataOf(list, await put(`/api/${list}?tool=csv`, gzipSync(csv), zipped))).toEqual({ csv })
      expect(await dataOf(list, await put(`/api/${list}?tool=csv`, csv, { 'Content-Type': type }))).toEqual({
        csv,
      })
      expect((await put(`/api/${list}?tool=csv`, csv, zipped)).json().code).toBe('malformed_json')
    },
  )

  it('are rejected if the query is invalid or the text is not UTF-8', async () => {
    const wrong = ['tool=', 'tool=a&tool=b', 'tool=a&title=', 'tool=a&key=', `tool=a&key=${'k'.repeat(101)}`]
    for (const query of wrong) {
      const response = await put(`/api/${list}?${query}`, csv)
      expect([response.status, response.json().code], query).toEqual([400, 'validation_failed'])
    }
    const response = await put(`/api/${list}?tool=csv`, Buffer.from([0x61, 0xc3, 0x28]))
    expect(response.json()).toMatchObject({ status: 400, code: 'malformed_text', offset: 1 })
  })

  it('count as repeated on any day if text and query are the same', async () => {
    const key = { 'Idempotency-Key': `raw-${list}` }
    const first = await put(`/api/${list}?tool=csv`, csv, key)
    const again = await put(`/api/${list}?tool=csv`, csv, key)
    expect([again.json(), again.headers.get('idempotent-replayed')]).toEqual([first.json(), 'true'])
    const titled = await put(`/api/${list}?tool=csv&title=${first.json().title}`, csv, key)
    expect([titled.status, titled.json().code]).toEqual([409, 'idempotency_key_reused'])
  })

  it('store every hostile text', async () => {
    for (const text of hostileStrings.filter((one) => Buffer.from(one).toString() === one && one !== '')) {
      const response = await put(`/api/${list}?tool=x&key=text`, text)
      expect((await dataOf(list, response)).text, text).toBe(text)
    }
  })
})

describe('the limits of a plan', () => {
  const bytesMax = 5_242_880
  const around = '{"csv":""}'.length

  it('apply to the stored JSON, to the byte', async () => {
    const upload = (text: string, declared = true) =>
      fred.request('PUT', '/api/shares?tool=csv', {
        body: declared ? text : gzipSync(text),
        headers: { 'Content-Type': 'text/csv', ...(declared ? {} : { 'Content-Encoding': 'gzip' }) },
      })
    const fits = `${'x'.repeat(bytesMax - around - 2)}\n`
    expect((await upload(fits)).json()).toMatchObject({ size_bytes: bytesMax })
    for (const declared of [true, false])
      expect((await upload(`${fits}x`, declared)).json()).toMatchObject({
        status: 413,
        code: 'data_too_large',
        limit: bytesMax,
      })
    expect((await upload('x'.repeat(bytesMax + 1))).json()).toMatchObject({
      status: 413,
      actual: bytesMax + 1,
    })
  })
})

describe('tags and expiry', () => {
  it('come from the query', async () => {
    const snippet = await put('/api/snippets?tool=csv&tag=a&tag=%20b%20&tag=a', csv)
    expect(snippet.json().tags).toEqual(['a', 'b'])
    const share = (await put('/api/shares?tool=csv&expires_in=3600', csv)).json<{
      created_at: string
      expires_at: string
    }>()
    expect(Date.parse(share.expires_at) - Date.parse(share.created_at)).toBe(3_600_000)
    for (const value of ['59', '1e3', '-1', '3600.5', ''])
      expect((await put(`/api/shares?tool=csv&expires_in=${value}`, csv)).json().code, value).toBe(
        'validation_failed',
      )
  })
})

describe.skipIf(!areInstalled('curl'))('curl -T (needs curl)', () => {
  it.each([
    ['a small file', 12],
    ['a large one, after 100 Continue', 2_000_000],
  ])('shares %s and prints its address', async (_what, bytes) => {
    const file = join(folder, 'out.csv')
    const text = 'a,"b"\n'.repeat(bytes / 6)
    await writeFile(file, text)
    const token = await system.issuer.token('mia')
    const args = [
      '-sS',
      '--fail-with-body',
      '-H',
      'Accept: text/plain',
      '-H',
      `Authorization: Bearer ${token}`,
      '-T',
      file,
    ]
    const { stdout } = await run('curl', [...args, `${system.baseUrl()}/api/shares?tool=csv`])
    const id = stdout.trim().split('/').at(-1)
    expect((await mia.get(`/api/shares/${id}/raw?pointer=/csv`)).text).toBe(text)
  })
})

describe('other users’ texts', () => {
  const corpus = corpusFolder('csv-spectrum/csvs')
  it.skipIf(corpus === null)('are returned as sent', async () => {
    const files = readdirSync(corpus ?? '').map((name) => join(corpus ?? '', name))
    expect(files.length).toBeGreaterThan(10)
    for (const file of files) {
      const text = readFileSync(file)
      const { id } = (await put('/api/snippets?tool=csv', text)).json()
      expect((await mia.get(`/api/snippets/${id}/raw?pointer=/csv`)).text, file).toBe(text.toString())
    }
  })
})
