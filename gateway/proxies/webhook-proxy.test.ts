import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sendProblem, toProblem } from '../problem.js'
import { createWebhookProxy } from './webhook-proxy.js'

interface Arrived {
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

let arrived: Arrived[]
let answer: (response: ServerResponse) => void
let billing: Server
let gateway: Server
let url: string

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function answerWith(status: number, body: string): void {
  answer = (response) => response.writeHead(status, { 'X-Secret': 'inside' }).end(body)
}

beforeEach(async () => {
  arrived = []
  answerWith(200, '{"received":true}')
  billing = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    arrived.push({ url: request.url, headers: request.headers, body: Buffer.concat(chunks) })
    answer(response)
  })
  const proxy = createWebhookProxy(await listen(billing))
  gateway = createServer((request, response) => {
    response.setHeader('X-Request-Id', 'request-1')
    const exchange = { request, response, requestId: 'request-1', clientAddress: '', params: {} }
    const rest = { signal: AbortSignal.timeout(60_000), search: new URLSearchParams() }
    proxy({ ...exchange, ...rest }).catch((error: unknown) =>
      sendProblem(response, toProblem(error, 'request-1')),
    )
  })
  url = `${await listen(gateway)}/api/webhooks/stripe?x=1`
})
afterEach(() => {
  for (const server of [gateway, billing]) {
    server.closeAllConnections()
    server.close()
  }
})

async function post(body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}) {
  const response = await fetch(url, { method: 'POST', body, headers })
  return { status: response.status, headers: response.headers, body: (await response.json()) as object }
}

it('an event arrives byte for byte, with its signature and the request id, and without credentials', async () => {
  const bytes = Buffer.concat([Buffer.from('{ "a" : 1.0, "b":"\u2028\\u0000" }\r\n'), randomBytes(70_000)])
  const headers = {
    'Stripe-Signature': 't=1,v1=abc',
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
    'stripe-signature': 't=1,v1=abc',
    'content-type': headers['Content-Type'],
    'x-request-id': 'request-1',
  })
  for (const name of ['authorization', 'cookie', 'x-api-key']) expect(only?.headers[name]).toBeUndefined()
})

it('what billing refuses comes as a problem', async () => {
  answerWith(400, '{"code":"invalid_signature","detail":"No."}')
  expect(await post('x')).toMatchObject({
    status: 400,
    body: { code: 'invalid_signature', detail: 'No.', request_id: 'request-1' },
  })
  answerWith(413, '{"code":"data_too_large"}')
  expect(await post('x')).toMatchObject({ status: 413, body: { code: 'data_too_large', limit: 1_048_576 } })
})

it('whatever is wrong behind it is a 503 that tells nothing, so that the provider sends the event again', async () => {
  const wrong: (() => void)[] = [
    () => answerWith(500, '{"code":"internal","detail":"secret"}'),
    () => answerWith(503, ''),
    () => answerWith(400, 'not JSON'),
    () => answerWith(400, JSON.stringify({ code: 'x', detail: 'y'.repeat(20_000) })),
    () => {
      answer = (response) => response.destroy()
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

it('an event that is declared too long is refused before it is passed on', async () => {
  expect((await post(Buffer.alloc(1_048_577))).status).toBe(413)
  expect(arrived).toEqual([])
})
