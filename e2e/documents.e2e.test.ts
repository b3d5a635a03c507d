import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rawHttp } from './harness/raw-http.js'
import { type StreamedResponse, streamedRequest } from './harness/streamed-request.js'
import { startSystem, type TestSystem } from './harness/system.js'

const freeBytes = 5_242_880
const proBytes = 52_428_800

let system: TestSystem
let tokens: Record<'free' | 'pro', string>

beforeAll(async () => {
  system = await startSystem({
    gatewayEnv: {
      PLAN_FREE_SNIPPETS: '1000',
      INTERNAL_RATE_LIMIT_POINTER_BYTES: `${proBytes}/60`,
      TRUSTED_PROXIES: '127.0.0.1',
    },
    contentEnv: { PLAN_FREE_SNIPPETS: '1000' },
  })
  await system.user('pro', 'pro')
  tokens = { free: await system.issuer.token('free'), pro: await system.issuer.token('pro') }
})
afterAll(() => system?.stop())

/** A barely compressible JSON object of exactly this many bytes. */
function dataOf(bytes: number): Buffer {
  const head = '{"v":"'
  const tail = '"}'
  const filler = createHash('sha512').update(String(bytes)).digest('base64')
  return Buffer.from(head + filler.repeat(Math.ceil(bytes / filler.length)).slice(0, bytes - 8) + tail)
}

function envelope(data: Buffer, order: 'data first' | 'data last' = 'data last'): Buffer {
  const fields = '"tool":"big","title":"Large"'
  return order === 'data last'
    ? Buffer.concat([Buffer.from(`{${fields},"data":`), data, Buffer.from('}')])
    : Buffer.concat([Buffer.from('{"data":'), data, Buffer.from(`,${fields}}`)])
}

function* slices(body: Buffer, size = 65_536): Generator<Buffer> {
  for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size)
}

type Way = 'declared' | 'chunked' | 'gzip' | 'gzip chunked'

function send(path: string, who: 'free' | 'pro', body: Buffer, way: Way): Promise<StreamedResponse> {
  const sent = way.startsWith('gzip') ? gzipSync(body, { level: 1 }) : body
  const headers: Record<string, string> = {
    Authorization: `Bearer ${tokens[who]}`,
    'Content-Type': 'application/json',
  }
  if (way.startsWith('gzip')) headers['Content-Encoding'] = 'gzip'
  if (way.endsWith('chunked')) headers['Transfer-Encoding'] = 'chunked'
  else headers['Content-Length'] = String(sent.length)
  return streamedRequest(`${system.baseUrl()}${path}`, 'POST', headers, slices(sent))
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

async function fetchBytes(path: string, who: 'free' | 'pro'): Promise<Buffer> {
  const response = await fetch(`${system.baseUrl()}${path}`, {
    headers: { Authorization: `Bearer ${tokens[who]}` },
  })
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

describe('50 MB of a Pro user', () => {
  it.each(['snippets', 'shares'])('go in and come back with the same SHA-256 as %s', async (plural) => {
    const data = dataOf(proBytes)
    const created = await send(`/api/${plural}`, 'pro', envelope(data, 'data first'), 'declared')
    expect(created.status, created.body.toString().slice(0, 500)).toBe(201)
    const { id, size_bytes } = JSON.parse(created.body.toString()) as { id: string; size_bytes: number }
    expect(size_bytes).toBe(proBytes)
    const raw = await fetchBytes(`/api/${plural}/${id}/raw`, 'pro')
    expect(sha256(raw)).toBe(sha256(data))
    const whole = await fetchBytes(`/api/${plural}/${id}`, 'pro')
    const start = whole.indexOf('"data":') + 7
    expect(sha256(whole.subarray(start, start + proBytes))).toBe(sha256(data))
    const text = await fetchBytes(`/api/${plural}/${id}/raw?pointer=/v`, 'pro')
    expect(sha256(text)).toBe(sha256(data.subarray(6, -2)))
  })
})

describe('a large public share', () => {
  let large: string
  let medium: string
  const save = async (who: 'free' | 'pro', bytes: number): Promise<string> => {
    const created = await send('/api/shares', who, envelope(dataOf(bytes)), 'declared')
    return (JSON.parse(created.body.toString()) as { id: string }).id
  }
  const readBy = (client: string, path: string, method = 'GET'): Promise<Response> =>
    fetch(`${system.baseUrl()}/api/shares/${path}`, { method, headers: { 'X-Forwarded-For': client } })

  beforeAll(async () => {
    large = await save('pro', proBytes)
    medium = await save('free', freeBytes)
  })

  it('has a pointer-search budget per client, the same for GET and HEAD', async () => {
    const path = `${medium}/raw?pointer=/none`
    for (let index = 0; index < 10; index++) {
      const response = await readBy('198.51.100.1', path, index % 2 === 0 ? 'GET' : 'HEAD')
      expect(response.status).toBe(404)
      await response.arrayBuffer()
    }
    const refused = await readBy('198.51.100.1', path)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d?$/)
    expect(await refused.json()).toMatchObject({ code: 'rate_limited', policy: 'pointer', limit: proBytes })
    expect((await readBy('198.51.100.1', `${medium}/raw`, 'HEAD')).status).toBe(200)
    expect((await readBy('198.51.100.2', `${medium}/raw?pointer=/v`, 'HEAD')).status).toBe(200)
  })

  it('is sent to one client eight times in parallel, and to others meanwhile', async () => {
    const responses: Response[] = []
    for (let index = 0; index < 9; index++) responses.push(await readBy('198.51.100.3', `${large}/raw`))
    const other = await readBy('198.51.100.4', `${large}/raw`)
    expect(responses.map(({ status }) => status)).toEqual([...Array.from({ length: 8 }, () => 200), 429])
    expect(other.status).toBe(200)
    await Promise.all([...responses, other].map(({ body }) => body?.cancel()))
  })
})

describe('the size limit', () => {
  const ways: Way[] = ['declared', 'chunked', 'gzip', 'gzip chunked']

  it.each(ways)('of Free is exact to the byte, sent %s', async (way) => {
    for (const path of ['/api/snippets', '/api/shares']) {
      const exact = await send(path, 'free', envelope(dataOf(freeBytes)), way)
      expect(exact.status, exact.body.toString().slice(0, 300)).toBe(201)
      const over = await send(path, 'free', envelope(dataOf(freeBytes + 1)), way)
      expect(over.status).toBe(413)
      expect(JSON.parse(over.body.toString())).toMatchObject({
        code: 'data_too_large',
        limit: freeBytes,
        plan: 'free',
      })
    }
  })

  it.each(['declared', 'gzip chunked'] as Way[])('of Pro is exact to the byte, sent %s', async (way) => {
    expect((await send('/api/shares', 'pro', envelope(dataOf(proBytes)), way)).status).toBe(201)
    expect((await send('/api/shares', 'pro', envelope(dataOf(proBytes + 1)), way)).status).toBe(413)
  })

  it('counts bytes, not characters', async () => {
    const data = Buffer.from(`{"v":"${'é'.repeat((freeBytes - 8) / 2)}"}`)
    expect(data.length).toBe(freeBytes)
    expect((await send('/api/shares', 'free', envelope(data), 'declared')).status).toBe(201)
    const over = Buffer.from(`{"v":"${'é'.repeat((freeBytes - 6) / 2)}"}`)
    expect((await send('/api/shares', 'free', envelope(over), 'chunked')).status).toBe(413)
  })

  it('leaves exactly 64 KiB for the other fields', async () => {
    const padded = (bytes: number): Buffer => {
      const body = envelope(Buffer.from('{}'))
      return Buffer.concat([
        body.subarray(0, 1),
        Buffer.alloc(bytes - body.length + 2, ' '),
        body.subarray(1),
      ])
    }
    expect((await send('/api/shares', 'free', padded(65_536), 'declared')).status).toBe(201)
    expect((await send('/api/shares', 'free', padded(65_537), 'chunked')).status).toBe(413)
  })

  it('is the same for PATCH and POST', async () => {
    const created = await send('/api/snippets', 'free', envelope(Buffer.from('{}')), 'declared')
    const { id } = JSON.parse(created.body.toString()) as { id: string }
    const patch = (bytes: number): Promise<StreamedResponse> => {
      const body = Buffer.concat([Buffer.from('{"data":'), dataOf(bytes), Buffer.from('}')])
      const headers = {
        Authorization: `Bearer ${tokens.free}`,
        'Content-Type': 'application/json',
        'Content-Length': String(body.length),
      }
      return streamedRequest(`${system.baseUrl()}/api/snippets/${id}`, 'PATCH', headers, slices(body))
    }
    expect((await patch(freeBytes)).status).toBe(200)
    expect((await patch(freeBytes + 1)).status).toBe(413)
    expect(sha256(await fetchBytes(`/api/snippets/${id}/raw`, 'free'))).toBe(sha256(dataOf(freeBytes)))
  })
})

describe('an unacceptable body', () => {
  const head = (headers: string): string =>
    `POST /api/snippets HTTP/1.1\r\nHost: ${new URL(system.baseUrl()).host}\r\nContent-Type: application/json\r\n${headers}\r\n`

  it('is rejected without 100 Continue, and an acceptable one gets it', async () => {
    const expectContinue = 'Expect: 100-continue\r\n'
    const anonymous = await rawHttp(system.baseUrl(), head(`${expectContinue}Content-Length: 52428800\r\n`))
    expect(anonymous.statuses).toEqual([401])
    const auth = `Authorization: Bearer ${tokens.free}\r\n`
    const large = await rawHttp(
      system.baseUrl(),
      head(`${auth}${expectContinue}Content-Length: 52428800\r\n`),
    )
    expect(large.statuses).toEqual([413])
    const small = '{"tool":"a","title":"b","data":{}}'
    const good = await rawHttp(
      system.baseUrl(),
      [head(`${auth}${expectContinue}Content-Length: ${small.length}\r\nConnection: close\r\n`), small],
      { pauseMs: 100 },
    )
    expect(good.statuses).toEqual([100, 201])
  })

  it('is rejected by its declared length, before any of it is read', async () => {
    const auth = `Authorization: Bearer ${tokens.free}\r\n`
    const { statuses, text } = await rawHttp(system.baseUrl(), head(`${auth}Content-Length: 5400000\r\n`))
    expect(statuses, text).toEqual([413])
  })

  it('without credentials is rejected during the upload, and the sender can read the response', async () => {
    const body = envelope(dataOf(proBytes))
    const headers = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) }
    const response = await streamedRequest(`${system.baseUrl()}/api/snippets`, 'POST', headers, slices(body))
    expect([response.status, JSON.parse(response.body.toString()).code]).toEqual([401, 'missing_credentials'])
  })

  it('is not decompressed beyond the limit', async () => {
    const bomb = Buffer.concat([
      Buffer.from('{"tool":"a","title":"b","data":{"v":"'),
      Buffer.alloc(100 * 1024 * 1024, 'x'),
      Buffer.from('"}}'),
    ])
    const response = await send('/api/shares', 'free', bomb, 'gzip')
    expect(response.status).toBe(413)
  })
})
