import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '#libs/log/logger.js'
import { testPlanLimits } from '#shared/testing/plan-limits.js'
import type { Operation } from '../../http/operation.js'
import { createRequestLog } from '../../http/request-log.js'
import { createCors } from '../../http/responses.js'
import { createMemorySlidingWindow } from '../../rate-limits/memory-sliding-window.js'
import { createRateLimits } from '../../rate-limits/rate-limits.js'
import { createApp } from '../../server/app.js'
import { createHttpServer } from '../../server/server.js'
import { createWebhookProxy } from './webhook-proxy.js'

interface Arrived {
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

let arrived: Arrived[]
let respond: (response: ServerResponse) => void
let billing: Server
let gateway: Server
let url: string

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function respondWith(status: number, body: string): void {
  respond = (response) => response.writeHead(status, { 'X-Secret': 'inside' }).end(body)
}

const log = createLogger('test', 'silent')
const strict = { name: 'strict', requests: 3, seconds: 60 }
const times = { body: { idleMs: 1_000, minBytesPerSecond: 64_000, afterMs: 1_000 }, storeMs: 2_000 }

function createGateway(billingUrl: string): Server {
  const webhook: Operation = {
    method: 'post',
    path: '/api/webhooks/stripe',
    anyParameter: true,
    operationId: 'takeStripeEvent',
    group: 'Subscription',
    access: 'public',
    rate: 'forgeries',
    summary: '',
    responses: {},
    refusals: [],
    handle: createWebhookProxy(billingUrl, times),
  }
  const policies = { strict, standard: { ...strict, name: 'standard' }, fairUse: null }
  const window = createMemorySlidingWindow(() => performance.now())
  const app = createApp({
    operations: [webhook],
    admit: {
      authenticate: () => Promise.reject(new Error('there are no credentials here')),
      limits: createRateLimits({ policies, scope: 'create', window }),
      plans: { free: testPlanLimits, pro: testPlanLimits },
    },
    clientAddress: (_socket, forwardedFor) => forwardedFor ?? 'the provider',
    everyoneIsPro: false,
    cors: createCors([]),
    webProxy: (_request, response) => void response.end(),
    requestLog: createRequestLog(log, { count: () => {} }),
    log,
  })
  return createHttpServer(app)
}

/** A plausible signature header of this age. */
const signature = (secondsAgo = 0): string =>
  `t=${Math.floor(Date.now() / 1_000) - secondsAgo},v1=${'ab'.repeat(32)}`

beforeEach(async () => {
  arrived = []
  respondWith(200, '{"received":true}')
  billing = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    arrived.push({ url: request.url, headers: request.headers, body: Buffer.concat(chunks) })
    respond(response)
  })
  gateway = createGateway(await listen(billing))
  url = `${await listen(gateway)}/api/webhooks/stripe?x=1`
})
afterEach(() => {
  for (const server of [gateway, billing]) {
    server.closeAllConnections()
    server.close()
  }
})

async function post(body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}) {
  const sent = { 'Stripe-Signature': signature(), 'X-Request-Id': 'request-1', ...headers }
  const response = await fetch(url, { method: 'POST', body, headers: sent })
  return { status: response.status, headers: response.headers, body: (await response.json()) as object }
}

it('an event arrives byte for byte, with its signature and the request id, and without credentials', async () => {
  const bytes = Buffer.concat([Buffer.from('{ "a" : 1.0, "b":"\u2028\\u0000" }\r\n'), randomBytes(70_000)])
  const headers = {
    'Stripe-Signature': signature(),
    'Content-Type': 'application/json; charset=utf-8',
    Authorization: 'Bearer x',
    Cookie: 'a=b',
    'X-API-Key': 'k',
  }
  const result = await post(bytes, headers)
  expect(result).toMatchObject({ status: 200, body: { received: true } })
  expect(result.headers.get('x-secret')).toBeNull()
  const [only] = arrived
  expect(only?.body.equals(bytes)).toBe(true)
  expect(only?.url).toBe('/webhooks/stripe')
  expect(only?.headers).toMatchObject({
    'stripe-signature': headers['Stripe-Signature'],
    'content-type': headers['Content-Type'],
    'content-length': String(bytes.length),
    'x-request-id': 'request-1',
  })
  for (const name of ['authorization', 'cookie', 'x-api-key']) expect(only?.headers[name]).toBeUndefined()
})

it('a rejection by billing becomes a problem', async () => {
  respondWith(400, '{"code":"invalid_signature","detail":"No."}')
  expect(await post('x')).toMatchObject({
    status: 400,
    body: { code: 'invalid_signature', detail: 'No.', request_id: 'request-1' },
  })
  respondWith(413, '{"code":"data_too_large"}')
  expect(await post('x')).toMatchObject({ status: 413, body: { code: 'data_too_large', limit: 1_048_576 } })
})

it('any failure of billing is a 503 without details, so that the provider sends the event again', async () => {
  const wrong: (() => void)[] = [
    () => respondWith(500, '{"code":"internal","detail":"secret"}'),
    () => respondWith(503, ''),
    () => respondWith(400, 'not JSON'),
    () => respondWith(400, JSON.stringify({ code: 'x', detail: 'y'.repeat(20_000) })),
    () => {
      respond = (response) => response.destroy()
    },
  ]
  for (const set of wrong) {
    set()
    const result = await post('x')
    expect(result).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(JSON.stringify(result.body)).not.toContain('secret')
    expect(result.headers.get('retry-after')).toBe('1')
  }
  billing.closeAllConnections()
  billing.close()
  expect((await post('x')).status).toBe(503)
})

it('an event that is declared too long is rejected before it is forwarded', async () => {
  expect((await post(Buffer.alloc(1_048_577))).status).toBe(413)
  expect(arrived).toEqual([])
})

/** Sends raw bytes; `text` returns what has been received so far. */
async function open(headers: string, from = 'the provider'): Promise<{ socket: Socket; text: () => string }> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  socket.write(`POST /api/webhooks/stripe HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${from}\r\n${headers}\r\n`)
  return { socket, text: () => text }
}
const signed = (): string => `Stripe-Signature: ${signature()}\r\n`
const declared = (bytes: number): string => `Content-Length: ${bytes}\r\n`
const chunked = 'Transfer-Encoding: chunked\r\n'

describe('an event without a plausible signature', () => {
  it.each([
    ['without a signature', ''],
    ['with one that is malformed', 'Stripe-Signature: t=1\r\n'],
    ['with one of 301 s ago', () => `Stripe-Signature: ${signature(301)}\r\n`],
    ['with one in 301 s', () => `Stripe-Signature: ${signature(-302)}\r\n`],
  ])('is rejected before its body, without a call to billing: %s', async (_name, headers) => {
    const { socket, text } = await open(
      (typeof headers === 'string' ? headers : headers()) + declared(1_000_000),
    )
    await expect.poll(text).toMatch(/^HTTP\/1\.1 400 .*"code":"invalid_signature"/s)
    await expect.poll(() => socket.closed).toBe(true)
    expect(arrived).toEqual([])
  })

  it('counts towards the strict policy of its client IP, which never limits signed events', async () => {
    const forge = async (from: string) =>
      (await post('x', { 'X-Forwarded-For': from, 'Stripe-Signature': 'forged' })).status
    for (let round = 0; round < strict.requests; round += 1) expect(await forge('a')).toBe(400)
    expect(await forge('a')).toBe(429)
    expect(await forge('a')).toBe(429)
    expect(await forge('b')).toBe(400)
    for (let round = 0; round < 2 * strict.requests; round += 1) {
      expect((await post('x', { 'X-Forwarded-For': 'a' })).status).toBe(200)
    }
  })

  it('also counts if only billing can detect it', async () => {
    respondWith(400, '{"code":"invalid_signature","detail":"No."}')
    const statuses: number[] = []
    for (let round = 0; round <= strict.requests; round += 1) statuses.push((await post('x')).status)
    expect(statuses).toEqual([400, 400, 400, 429])
    respondWith(400, '{"code":"malformed_json","detail":"No."}')
    expect((await post('x', { 'Stripe-Signature': signature(100) })).status).toBe(400)
  })
})

describe('the body of an event', () => {
  it.each([declared(1_000_000), chunked])('that never arrives is 408, not 503: %j', async (length) => {
    const { socket, text } = await open(signed() + length)
    await expect.poll(text).toMatch(/^HTTP\/1\.1 408 .*"code":"request_timeout"/s)
    await expect.poll(() => socket.closed).toBe(true)
    expect(arrived).toEqual([])
  })

  it('that arrives too slowly is 408, too', async () => {
    const { socket, text } = await open(signed() + declared(1_000_000))
    const trickle = setInterval(() => socket.write('x'), 50)
    await expect.poll(text).toMatch(/^HTTP\/1\.1 408 /)
    clearInterval(trickle)
    socket.destroy()
  })

  it('that is too long without a declared length is 413 every time', async () => {
    const piece = `186a0\r\n${'a'.repeat(100_000)}\r\n`
    for (let round = 0; round < 20; round += 1) {
      const { socket, text } = await open(signed() + chunked)
      for (let count = 0; count < 30 && !socket.closed; count += 1) {
        socket.write(piece)
        if (round % 2 === 1) await new Promise((resolve) => setImmediate(resolve))
      }
      await expect.poll(text).toMatch(/^HTTP\/1\.1 413 .*"code":"data_too_large"/s)
      socket.destroy()
    }
    expect(arrived).toEqual([])
  })

  it('is held within a budget that a single client IP cannot exhaust', async () => {
    const part = Buffer.alloc(1_048_575, 0x20)
    const held = await Promise.all(
      Array.from({ length: 6 }, () => open(signed() + declared(1_048_576), 'greedy')),
    )
    for (const { socket } of held) socket.write(part)
    const refused = () => held.filter(({ text }) => text().startsWith('HTTP/1.1 503 ')).length
    await expect.poll(refused).toBe(2)
    expect((await post('x', { 'X-Forwarded-For': 'the provider' })).status).toBe(200)
    for (const { socket } of held) socket.destroy()
    await expect.poll(async () => (await post('x', { 'X-Forwarded-For': 'greedy' })).status).toBe(200)
  })
})
