import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLogger } from '#libs/log/logger.js'
import { createWebProxy } from '../features/pages/web-proxy.js'
import { createRateLimits } from '../rate-limits/rate-limits.js'
import { createApp } from '../server/app.js'
import { createHttpServer } from '../server/server.js'
import type { Operation } from './operation.js'
import { createRequestLog } from './request-log.js'
import { createCors } from './responses.js'
import { createShareHost } from './share-host.js'

const id = 'AAAAAAAAAAAAAAAAAAAAAA'
const [main, shares] = ['https://snip.example', 'https://shares.example']
const planLimits = {
  dataBytes: 1,
  snippets: 1,
  contracts: null,
  shares: null,
  storedBytes: null,
  shareTtlDays: 1,
  history: 1,
  apiKeys: 0,
  trustedPublishers: 0,
  revisions: 0,
}

async function neverCalled(): Promise<never> {
  throw new Error('this is never called')
}

/** Shows a share on the same paths as the web application, and on any other path its URL. */
const web = createServer(({ url = '' }, response) => {
  const isShare = /^\/s\/[0-9A-Za-z]{22}$/.test(url.split('?')[0] ?? '')
  response.end(isShare ? 'what a stranger shared' : `page ${url}`)
})

function operation(method: Operation['method'], path: string): Operation {
  return {
    method,
    path,
    operationId: `${method}${path}`,
    group: 'Test',
    access: 'public',
    anyOrigin: path !== '/api/plans',
    anyParameter: true,
    summary: '',
    responses: {},
    refusals: [],
    handle: async ({ response }) => void response.end(`api ${path}`),
  }
}

const operations = [
  operation('get', '/api/plans'),
  operation('get', '/api/shares'),
  operation('get', '/api/shares/{id}'),
  operation('delete', '/api/shares/{id}'),
  operation('get', '/api/shares/{id}/raw'),
  operation('post', '/api/shares/{id}/reveal'),
  operation('get', '/api/snippets/{id}'),
  operation('get', '/healthz'),
]

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function startGateway(shareBaseUrl: string): Promise<{ server: Server; port: number }> {
  const policies = { strict: null, standard: null, fairUse: null }
  const app = createApp({
    operations,
    admit: {
      authenticate: neverCalled,
      limits: createRateLimits({ policies, scope: 'create', window: { take: neverCalled } }),
      plans: { free: planLimits, pro: planLimits },
    },
    clientAddress: () => '127.0.0.1',
    everyoneIsPro: false,
    cors: createCors([main]),
    shareHost: createShareHost(main, shareBaseUrl),
    webProxy: createWebProxy(webUrl),
    revealForm: async ({ response }, share) => {
      response.end(`form of ${share}`)
      return true
    },
    requestLog: createRequestLog(createLogger('test', 'silent'), { count: () => {} }),
    log: createLogger('test', 'silent'),
  })
  const server = createHttpServer(app)
  return { server, port: await listen(server) }
}

let webUrl: string
let apart: { server: Server; port: number }
let together: { server: Server; port: number }

beforeAll(async () => {
  webUrl = `http://127.0.0.1:${await listen(web)}`
  apart = await startGateway(shares)
  together = await startGateway(main)
})
afterAll(() => {
  for (const server of [web, apart.server, together.server]) {
    server.closeAllConnections()
    server.close()
  }
})

interface Reply {
  readonly status: number | undefined
  readonly location: string | undefined
  readonly origin: string | undefined
  readonly text: string
}

async function ask(port: number, host: string, path: string, method = 'GET', headers = {}): Promise<Reply> {
  const sent = request({ host: '127.0.0.1', port, path, method, headers: { Host: host, ...headers } })
  sent.end()
  const [response] = await once(sent, 'response')
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  const { location, 'access-control-allow-origin': origin } = response.headers
  return { status: response.statusCode, location, origin, text }
}

describe('the host of shares', () => {
  const hosts = [
    'shares.example',
    'SHARES.example',
    'shares.example.',
    'shares.example:443',
    'shares.example:8080',
  ]

  it.each(hosts)('as %s serves share pages, their assets, and public reads for any origin', async (host) => {
    expect((await ask(apart.port, host, `/s/${id}?view=tree`)).text).toBe('what a stranger shared')
    for (const file of ['/assets/share.js', '/robots.txt', '/favicon.ico'])
      expect((await ask(apart.port, host, file)).text).toBe(`page ${file}`)
    for (const path of [`/s/${id}/compare`, `/s/${id}/compare/${id}?key=id`])
      expect((await ask(apart.port, host, path)).text, path).toBe(`page ${path}`)
    for (const path of [`/api/shares/${id}`, `/api/shares/${id}/raw?pointer=%2Fa`]) {
      const read = await ask(apart.port, host, path)
      expect([read.status, read.origin, read.text.slice(0, 15)]).toEqual([200, '*', 'api /api/shares'])
    }
  })

  it('takes the form of a gated share and its reveal, and no other', async () => {
    const gated = 'A'.repeat(24)
    const byApi = await ask(apart.port, 'shares.example', `/api/shares/${gated}/reveal`, 'POST')
    expect(byApi.text).toBe('api /api/shares/{id}/reveal')
    for (const path of [`/api/shares/${id}/reveal`, `/api/shares/${gated}/reveal/x`])
      expect((await ask(apart.port, 'shares.example', path, 'POST')).status, path).toBe(404)
    expect((await ask(apart.port, 'shares.example', `/s/${gated}`, 'POST')).text).toBe(`form of ${gated}`)
    expect((await ask(apart.port, 'snip.example', `/s/${gated}`, 'POST')).status).toBe(405)
    expect((await ask(apart.port, 'snip.example', `/s/${gated}`)).location).toBe(`${shares}/s/${gated}`)
    expect((await ask(together.port, 'snip.example', `/s/${gated}`, 'POST')).text).toBe(`form of ${gated}`)
    for (const path of [`/s/${gated}/embed`, `/s/${gated}?x`, `/s/${id}`])
      expect((await ask(apart.port, 'shares.example', path, 'POST')).text, path).not.toContain('form of')
  })

  it('lets pages of any origin read shares', async () => {
    const asks = { Origin: 'https://any.example', 'Access-Control-Request-Method': 'GET' }
    const { status, origin } = await ask(apart.port, 'shares.example', `/api/shares/${id}`, 'OPTIONS', asks)
    expect([status, origin]).toEqual([204, '*'])
  })

  it('serves neither the dashboard nor the API', async () => {
    const refused = [
      ['GET', '/api/shares'],
      ['GET', `/api/shares/${id}/`],
      ['GET', `/api/shares/${id}/rawer`],
      ['DELETE', `/api/shares/${id}`],
      ['POST', `/api/shares/${id}`],
      ['GET', `/api/snippets/${id}`],
      ['GET', '/api/plans'],
      ['GET', '/api'],
      ['GET', '/healthz'],
      ['GET', '/readyz'],
      ['GET', `http://shares.example/api/plans`],
      ['GET', `http://snip.example/api/plans`],
    ] as const
    for (const [method, path] of refused) {
      const { status, text } = await ask(apart.port, 'shares.example', path, method)
      expect([path, status, JSON.parse(text).code]).toEqual([path, 404, 'not_found'])
    }
    for (const path of [
      '/',
      '/dashboard',
      '/dashboard/keys',
      '/auth/callback?code=x',
      '/cli/callback?code=x',
      '/config.json',
      '/compare?a=x',
      '/docs',
      '/docs/cli',
      `/s/${id}/compare/${id}/x`,
      '//dashboard',
    ])
      expect((await ask(apart.port, 'shares.example', path)).text, path).toBe('page /s/')
  })
})

describe('the main host', () => {
  it('redirects to share pages, and shows none', async () => {
    for (const host of [
      'snip.example',
      'snip.example:443',
      '10.1.2.3:8080',
      'evil.example',
      'x.shares.example',
    ]) {
      const { status, location, text } = await ask(apart.port, host, `/s/${id}?view=tree`)
      expect([host, status, location, text]).toEqual([host, 302, `${shares}/s/${id}?view=tree`, ''])
    }
    const compared = `/s/${id}/compare/${id}?key=id`
    expect((await ask(apart.port, 'snip.example', compared)).location).toBe(`${shares}${compared}`)
    expect(await ask(apart.port, 'snip.example', `/s/${id}`, 'HEAD')).toMatchObject({ status: 302 })
    expect(await ask(apart.port, 'snip.example', `/s/${id}`, 'POST')).toMatchObject({ status: 405 })
  })

  it('shows no share page under any other spelling', async () => {
    const spellings = [
      `http://snip.example/s/${id}`,
      `http://shares.example/s/${id}`,
      `x:/s/${id}`,
      `/s\\${id}`,
      `/\\s/${id}`,
      `//s/${id}`,
      `/s//${id}`,
      `http://snip.example//s/${id}`,
      `http://snip.example/\\s/${id}`,
      `x:\\s\\${id}`,
      `/./s/${id}`,
      `/x/../s/${id}`,
      `/%73/${id}`,
      `/s/${id}#x`,
      `/s/${id}/`,
      `/S/${id}`,
      `/s/${id};x`,
    ]
    for (const path of spellings) {
      const reply = await ask(apart.port, 'snip.example', path).catch(() => null)
      expect(reply?.text ?? '', path).not.toContain('stranger')
    }
  })

  it('serves everything else, including public reads of shares', async () => {
    for (const path of ['/', '/dashboard', '/docs/cli', '/config.json', '/assets/share.js', '/s/short'])
      expect((await ask(apart.port, 'snip.example', path)).text).toBe(`page ${path}`)
    for (const path of ['/api/plans', '/api/shares', `/api/shares/${id}`, `/api/snippets/${id}`, '/healthz'])
      expect((await ask(apart.port, 'snip.example', path)).status, path).toBe(200)
  })
})

it('without a host of their own, share pages are shown under any Host', async () => {
  for (const host of ['snip.example', 'shares.example', 'evil.example']) {
    expect((await ask(together.port, host, `/s/${id}`)).text).toBe('what a stranger shared')
    expect((await ask(together.port, host, '/dashboard')).text).toBe('page /dashboard')
    expect((await ask(together.port, host, '/api/plans')).status).toBe(200)
  }
})

it('hosts that differ only in their port are told apart by it', () => {
  const host = createShareHost('http://localhost:8080', 'http://localhost:8090')
  expect(
    ['localhost:8090', 'localhost:8080', 'localhost', undefined].map((name) => host?.isNamed(name)),
  ).toEqual([true, false, false, false])
})

it('home is on the main host, also for pages of the share host', () => {
  expect(createShareHost(main, shares)?.homeUrl).toBe(`${main}/`)
})
