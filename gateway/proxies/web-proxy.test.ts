import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLogger } from '#libs/log/logger.js'
import { createApp } from '../app.js'
import { createMemorySlidingWindow } from '../limits/memory-sliding-window.js'
import { createCors } from '../middleware/cors.js'
import { createRateLimits } from '../middleware/rate-limit.js'
import { createWebProxy } from './web-proxy.js'

const pageHeaders = { 'Content-Type': 'text/html', 'Content-Security-Policy': "script-src 'self'" }
const policy = { name: 'standard', requests: 3, seconds: 60 }
const planLimits = { dataBytes: 1, snippets: 1, shareTtlDays: 1, history: 1, apiKeys: 0 }

async function nobody(): Promise<never> {
  throw new Error('nobody calls this')
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const web = createServer((_request, response) => response.writeHead(200, pageHeaders).end('<p>'))
let gateway: Server
let url: string

beforeAll(async () => {
  const app = createApp({
    operations: [],
    admit: {
      authenticate: nobody,
      limits: createRateLimits({
        policies: { strict: null, standard: policy, fairUse: null },
        scope: 'create',
        window: createMemorySlidingWindow(() => 0),
      }),
      usage: { count: () => {} },
      plans: { free: planLimits, pro: planLimits },
    },
    clientAddress: () => '127.0.0.1',
    everyoneIsPro: false,
    cors: createCors([]),
    webProxy: createWebProxy(await listen(web)),
    log: createLogger('test', 'silent'),
  })
  gateway = createServer(app)
  url = await listen(gateway)
})
afterAll(() => {
  for (const server of [gateway, web]) {
    server.closeAllConnections()
    server.close()
  }
})

it('a page says how much of its limit is left, and has the headers of the web application for those of the API', async () => {
  const { status, headers } = await fetch(`${url}/s/x`)
  expect(status).toBe(200)
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-security-policy': "script-src 'self'",
    'x-request-id': expect.stringMatching(/./),
    'ratelimit-policy': '"standard";q=3;w=60',
    ratelimit: '"standard";r=2;t=60',
    'x-ratelimit-limit': '3',
    'x-ratelimit-remaining': '2',
    'x-ratelimit-reset': '60',
  })
  for (const name of ['cache-control', 'cross-origin-resource-policy', 'strict-transport-security'])
    expect(headers.get(name), name).toBeNull()
})
