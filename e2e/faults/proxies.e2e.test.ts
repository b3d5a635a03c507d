import { createHash } from 'node:crypto'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiClient, apiClient } from '../harness/api-client.js'
import { type FrontProxy, type ProxyName, proxyIsInstalled, startProxy } from '../harness/proxy.js'
import { startSystem, type TestSystem } from '../harness/system.js'

const limit = 5
const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex')
/** JSON of exactly this many bytes. */
const dataOf = (bytes: number): string => `{"x":"${'x'.repeat(bytes - 8)}"}`

let system: TestSystem
let token: string

beforeAll(async () => {
  // Clients of the proxy are on 127.0.0.2 and so on, which are not trusted.
  system = await startSystem({ env: { TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_STRICT: `${limit}/3600` } })
  await system.user('ann', 'pro')
  token = await system.issuer.token('ann')
})
afterAll(() => system?.stop())

/** Sends a request from an address of this machine, of whose body a part may be sent later. */
function send(
  url: string,
  method: string,
  {
    headers = {},
    localAddress = '127.0.0.1',
  }: { headers?: Record<string, string>; localAddress?: string } = {},
) {
  const outgoing = request(url, { method, headers, localAddress, agent: false })
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve)
    outgoing.once('error', reject)
  })
  return { outgoing, response }
}

async function bytesOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(Buffer.from(chunk as Uint8Array))
  return Buffer.concat(chunks)
}

describe.each<[Exclude<ProxyName, 'compose'>, string]>([
  ['haproxy', '127.0.1'],
  ['nginx', '127.0.2'],
  ['caddy', '127.0.3'],
])('behind %s', (name, network) => {
  describe.skipIf(!proxyIsInstalled(name))(`(needs ${name})`, () => {
    let proxy: FrontProxy
    let ann: ApiClient
    const authorized = () => ({ Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' })

    beforeAll(async () => {
      proxy = await startProxy(
        name,
        system.gateways.map(({ port }) => port),
      )
      ann = apiClient(proxy.url, authorized())
    })
    afterAll(() => proxy?.stop())

    async function save(data: string): Promise<string> {
      const response = await ann.post('/api/snippets', `{"tool":"json","title":"${name}","data":${data}}`)
      expect(response.status, response.text.slice(0, 300)).toBe(201)
      return `/api/snippets/${response.json<{ id: string }>().id}`
    }

    it('50 MB go up and come down byte for byte, compressed or not', async () => {
      const data = dataOf(52_428_800)
      const path = await save(data)
      for (const encoding of ['identity', 'gzip']) {
        const response = await ann.get(`${path}/raw`, { 'Accept-Encoding': encoding })
        expect([response.status, sha256(response.text)], encoding).toEqual([200, sha256(data)])
      }
    })

    it('compressed JSON is the same, and its weak tag still saves a second transfer', async () => {
      const path = await save(dataOf(20_000))
      const plain = await ann.get(path, { 'Accept-Encoding': 'identity' })
      const compressed = await ann.get(path, { 'Accept-Encoding': 'gzip' })
      expect(compressed.headers.get('content-encoding')).toBe('gzip')
      expect(compressed.json()).toEqual(plain.json())
      const tag = compressed.headers.get('etag') ?? ''
      expect(tag.replace(/^W\//, '')).toBe(plain.headers.get('etag'))
      const again = await ann.get(path, { 'Accept-Encoding': 'gzip', 'If-None-Match': tag })
      expect([again.status, again.text]).toEqual([304, ''])
    })

    it('the tag of compressed JSON guards a change, like that of plain JSON', async () => {
      const path = await save(dataOf(20_000))
      const tag = (await ann.get(path, { 'Accept-Encoding': 'gzip' })).headers.get('etag') ?? ''
      expect(tag).toMatch(name === 'nginx' ? /^W\/"/ : /"/)
      const change = (title: string) => ann.patch(path, { title }, { 'If-Match': tag })
      expect((await change('changed')).status).toBe(200)
      expect((await change('changed again')).status).toBe(412)
      expect((await ann.get(path)).json()).toMatchObject({ title: 'changed' })
    })

    it('slow uploads and slow readers hold up nobody else, and end well', async () => {
      const data = dataOf(8_000_000)
      const path = await save(data)
      const readers = Array.from({ length: 4 }, () => {
        const reader = send(`${proxy.url}${path}/raw`, 'GET', { headers: authorized() })
        reader.outgoing.end()
        return reader
      })
      const body = Buffer.from(`{"tool":"json","title":"slow","data":${dataOf(300_000)}}`)
      const headers = { ...authorized(), 'Content-Length': String(body.length) }
      const writers = Array.from({ length: 20 }, () => {
        const writer = send(`${proxy.url}/api/snippets`, 'POST', { headers })
        writer.outgoing.write(body.subarray(0, 200_000))
        return writer
      })
      for (let n = 0; n < 10; n += 1) expect((await ann.get('/api/snippets?limit=1')).status).toBe(200)
      for (const { outgoing } of writers) outgoing.end(body.subarray(200_000))
      for (const { response } of writers) {
        const { statusCode } = (await response).resume()
        expect(statusCode).toBe(201)
      }
      for (const { response } of readers) expect(sha256(await bytesOf(await response))).toBe(sha256(data))
    })

    it('each client has its own rate limit, whatever address it claims', async () => {
      const share = await ann.post('/api/shares', { tool: 'json', title: 'shared', data: {} })
      const report = JSON.stringify({ share: share.json<{ id: string }>().id, reason: 'other' })
      const from = async (localAddress: string, claims: Record<string, string> = {}) => {
        const headers = { 'Content-Type': 'application/json', ...claims }
        const { outgoing, response } = send(`${proxy.url}/api/reports`, 'POST', { headers, localAddress })
        outgoing.end(report)
        return (await response).resume().statusCode
      }
      const first = `${network}.1`
      for (let n = 0; n < limit; n += 1) expect(await from(first)).toBe(201)
      expect(await from(first)).toBe(429)
      expect(await from(first, { 'X-Forwarded-For': '203.0.113.9' })).toBe(429)
      expect(await from(first, { 'X-Forwarded-For': '127.0.0.1, 127.0.0.1' })).toBe(429)
      expect(await from(`${network}.2`)).toBe(201)
    })
  })
})
