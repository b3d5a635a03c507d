import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLogger } from '#libs/log/logger.js'
import { plansHeader } from '#shared/core/plans-header.js'
import { testPlanLimits } from '#shared/testing/plan-limits.js'
import { createRequestLog } from '../../http/request-log.js'
import { createCors } from '../../http/responses.js'
import { createMemorySlidingWindow } from '../../rate-limits/memory-sliding-window.js'
import { createRateLimits } from '../../rate-limits/rate-limits.js'
import { createApp } from '../../server/app.js'
import { createHttpServer } from '../../server/server.js'
import { createWebProxy } from './web-proxy.js'

const pageHeaders = { 'Content-Type': 'text/html', 'Content-Security-Policy': "script-src 'self'" }
const policy = { name: 'standard', requests: 100, seconds: 60 }

async function unused(): Promise<never> {
  throw new Error('this is not called')
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** How often a page was requested that closes its connection without a response. */
let closings = 0
const large = Buffer.alloc(20_000_000, 'x')
const web = createServer((request, response) => {
  switch (request.url) {
    case '/broken':
      response.writeHead(200, { 'Content-Length': 100_000 }).write(large.subarray(0, 50_000), () => {
        response.destroy()
      })
      break
    case '/hanging':
      response.writeHead(200, { 'Content-Length': 100_000 }).write(large.subarray(0, 50_000))
      break
    case '/large':
      response.end(large)
      break
    case '/?from=mail':
    case '/headers':
      response.end(JSON.stringify(request.headers))
      break
    case '/closed-once':
    case '/closed-always':
      closings += 1
      if (closings > 1 && request.url === '/closed-once') response.end('at last')
      else request.socket.destroy()
      break
    default:
      response.writeHead(200, pageHeaders).end('<p>')
  }
})
let gateway: Server
let url: string

beforeAll(async () => {
  const app = createApp({
    operations: [],
    admit: {
      authenticate: unused,
      limits: createRateLimits({
        policies: { strict: null, standard: policy, fairUse: null },
        scope: 'create',
        window: createMemorySlidingWindow(() => 0),
      }),
      plans: { free: testPlanLimits, pro: testPlanLimits },
    },
    clientAddress: () => '127.0.0.1',
    everyoneIsPro: false,
    cors: createCors([]),
    webProxy: createWebProxy(await listen(web), {
      ...{ responseMs: 1_000, stalledMs: 3_000 },
      listPlans: async () => ({ plans: ['all'] }),
    }),
    requestLog: createRequestLog(createLogger('test', 'silent'), { count: () => {} }),
    log: createLogger('test', 'silent'),
  })
  gateway = createHttpServer(app)
  url = await listen(gateway)
})
afterAll(() => {
  for (const server of [gateway, web]) {
    server.closeAllConnections()
    server.close()
  }
})

it('a page has rate-limit headers, and the web application’s headers in place of the API’s', async () => {
  const { status, headers } = await fetch(`${url}/s/x`)
  expect(status).toBe(200)
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-security-policy': "script-src 'self'",
    'x-request-id': expect.stringMatching(/./),
    'ratelimit-policy': '"standard";q=100;w=60',
    ratelimit: '"standard";r=99;t=60',
    'x-ratelimit-limit': '100',
    'x-ratelimit-remaining': '99',
    'x-ratelimit-reset': '60',
  })
  for (const name of ['cache-control', 'cross-origin-resource-policy', 'strict-transport-security'])
    expect(headers.get(name), name).toBeNull()
})

it.each([{}, { Expect: '100-continue' }])(
  'no credentials are forwarded to the web application: %o',
  async (more) => {
    const secrets = { Authorization: 'Bearer secret', 'X-API-Key': 'secret', Cookie: 'a=secret' }
    const request = get(`${url}/headers`, { headers: { ...secrets, ...more } })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    let body = ''
    for await (const chunk of response) body += chunk
    expect(body).not.toContain('secret')
    expect(JSON.parse(body)).toMatchObject({ 'x-request-id': response.headers['x-request-id'] })
  },
)

it('the front page alone is given the plans, and never those of a caller', async () => {
  const forged = { headers: { [plansHeader]: '{"plans":["forged"]}' } }
  const at = async (path: string) => (await (await fetch(`${url}${path}`, forged)).json()) as object
  expect(await at('/?from=mail')).toMatchObject({ [plansHeader]: '{"plans":["all"]}' })
  expect(await at('/headers')).not.toHaveProperty(plansHeader)
})

it('pages are fetched over kept-alive connections', async () => {
  let opened = 0
  web.on('connection', () => {
    opened += 1
  })
  for (let n = 0; n < 10; n += 1) await (await fetch(`${url}/s/x`)).text()
  expect(opened).toBeLessThanOrEqual(1)
})

it('a page is fetched again if its kept-alive connection was just closed', async () => {
  await (await fetch(`${url}/s/x`)).text()
  closings = 0
  const page = await fetch(`${url}/closed-once`)
  expect([page.status, await page.text(), closings]).toEqual([200, 'at last', 2])
})

it('a page is unavailable if a new connection is closed as well', async () => {
  await (await fetch(`${url}/s/x`)).text()
  closings = 0
  const page = await fetch(`${url}/closed-always`)
  expect([page.status, await page.json()]).toMatchObject([503, { code: 'unavailable' }])
  expect(closings).toBeGreaterThan(1)
})

it('a page leaves the connection open for the next one', async () => {
  expect((await fetch(`${url}/s/x`)).headers.get('connection')).toBe('keep-alive')
})

it.each(['/broken', '/hanging'])(
  'a page that is not sent to its end is broken off, not waited for: %s',
  async (path) => {
    const page = await fetch(`${url}${path}`)
    expect(page.status).toBe(200)
    await expect(page.text()).rejects.toThrow()
  },
)

it('a reader may pause for longer than the response timeout', async () => {
  const page = await fetch(`${url}/large`)
  await sleep(1_500)
  expect((await page.arrayBuffer()).byteLength).toBe(large.length)
})

describe('a page that is requested with a body', () => {
  const plain = 'GET /next HTTP/1.1\r\nHost: x\r\nX-Request-Id: next\r\n\r\n'
  const head = (method: string, bytes: number, more = ''): string =>
    `${method} /s/x HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n${more}\r\n`

  async function open(): Promise<{ socket: Socket; text: () => string }> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    await once(socket, 'connect')
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
    })
    socket.on('error', () => {})
    return { socket, text: () => text }
  }

  it.each(['GET', 'HEAD'])(
    'is served before the body has come, and leaves the connection to the next caller: %s',
    async (method) => {
      const { socket, text } = await open()
      socket.write(head(method, 200_000) + 'a'.repeat(1_000))
      await expect.poll(text).toMatch(/^HTTP\/1\.1 200 .*\r\nConnection: keep-alive\r\n/is)
      socket.write('b'.repeat(199_000) + plain)
      await expect.poll(text).toMatch(/\r\nX-Request-Id: next\r\n/i)
      socket.destroy()
    },
  )

  it('closes its connection when the body is large', async () => {
    const { socket, text } = await open()
    socket.write(head('GET', 2_000_000) + 'a'.repeat(1_000))
    await expect.poll(text).toMatch(/^HTTP\/1\.1 200 .*\r\nConnection: close\r\n.*\r\n\r\n/is)
    socket.write(Buffer.alloc(1_999_000, 'b'))
    await expect.poll(() => socket.closed).toBe(true)
    expect(text().match(/HTTP\/1\.1/g)).toHaveLength(1)
  })

  it('is served however large the body is, which is not forwarded', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { socket, text } = await open()
      const bytes = 5_000_000
      socket.write(`GET /headers HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`)
      socket.write(Buffer.alloc(bytes, 'x'))
      await expect.poll(() => socket.closed).toBe(true)
      expect(text()).toMatch(/^HTTP\/1\.1 200 /)
      expect(text()).not.toMatch(/content-length": ?"|transfer-encoding":/)
    }
  })

  it('is served without waiting for an endless body', async () => {
    const { socket, text } = await open()
    socket.write(head('GET', 10_000))
    await expect.poll(text).toMatch(/^HTTP\/1\.1 200 /)
    await expect.poll(() => socket.closed).toBe(true)
  })
})
