import { once } from 'node:events'
import { Agent, type IncomingHttpHeaders, type RequestOptions, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '#libs/log/logger.js'
import { createApp } from '../http/app.js'
import { createCors } from '../http/cors.js'
import type { AccountHandler } from '../http/exchange.js'
import type { Operation } from '../http/operation.js'
import { createBookkeeping } from '../http/request-log.js'
import { createHttpServer } from '../http/server.js'
import { createMemorySlidingWindow } from '../rate-limits/memory-sliding-window.js'
import { createEarlyRefusal, type EarlyRefusal } from './early-refusal.js'
import { createRateLimits } from './rate-limit.js'

const planLimits = {
  dataBytes: 10,
  snippets: 1,
  shares: null,
  storedBytes: null,
  shareTtlDays: 1,
  history: 1,
  apiKeys: 5,
}
const policy = { name: 'fair-use', requests: 1, seconds: 60 }
const path = '/api/things/1'

interface Got {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly names: readonly string[]
  readonly body: string
  readonly continued: boolean
}

let server: Server
let early: EarlyRefusal
let agent: Agent
let time: number
/** How often the app was asked who calls. */
let asked: number
let counted: unknown[]
let lines: Record<string, unknown>[]

async function send(options: RequestOptions = {}, body = ''): Promise<Got> {
  const { port } = server.address() as AddressInfo
  const { headers, ...rest } = options
  const sent = request({ port, path, agent, headers: { 'X-API-Key': 'good', ...headers }, ...rest })
  let continued = false
  sent.on('continue', () => {
    continued = true
  })
  sent.on('error', () => {})
  sent.end(body)
  const [answer] = await once(sent, 'response')
  let text = ''
  for await (const chunk of answer) text += String(chunk)
  const names = answer.rawHeaders.filter((_: string, index: number) => index % 2 === 0)
  return { status: answer.statusCode, headers: answer.headers, names, body: text, continued }
}

const operation = (method: 'get' | 'post', handle: AccountHandler): Operation => ({
  method,
  path: '/api/things/{id}',
  operationId: `${method}Thing`,
  group: 'Things',
  summary: 'A thing.',
  answers: {},
  refusals: [],
  access: 'account',
  handle,
})

beforeEach(async () => {
  agent = new Agent({ keepAlive: true })
  time = 0
  asked = 0
  counted = []
  lines = []
  const now = (): number => time
  const log = createLogger('test', 'info', {
    write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>),
  })
  const usage = { count: (...what: unknown[]) => void counted.push(what) }
  early = createEarlyRefusal({ books: createBookkeeping(usage), log, now })
  const caller = {
    accountId: 'ann',
    provenBy: { kind: 'api-key', id: 'key-1', scopes: ['read', 'write'] },
    plan: 'pro',
    planVersion: 1,
    email: null,
    emailVerified: false,
    name: null,
    picture: null,
    createdAt: new Date(0),
  } as const
  const served: AccountHandler = async ({ response }) => void response.end('served')
  const app = createApp({
    operations: [operation('get', served), operation('post', served)],
    admit: {
      authenticate: async () => {
        asked += 1
        return caller
      },
      limits: createRateLimits({
        policies: { strict: null, standard: null, fairUse: policy },
        scope: 'create',
        window: createMemorySlidingWindow(now),
      }),
      usage,
      plans: { free: planLimits, pro: planLimits },
    },
    clientAddress: () => '203.0.113.1',
    everyoneIsPro: false,
    cors: createCors(['https://app.example']),
    webProxy: (_request, _response, next) => next(),
    earlyRefusal: early,
    log,
  })
  server = createHttpServer(app, early, { answer: () => false }).listen(0)
  await once(server, 'listening')
  await send()
})
afterEach(() => {
  agent.destroy()
  server.closeAllConnections()
  server.close()
})

/** An answer as it would be with another id. */
const withoutId = ({ body, headers, ...rest }: Got, id: string): unknown => {
  const { date: _date, ...kept } = {
    ...headers,
    'content-length': Number(headers['content-length']) - id.length,
  }
  return JSON.parse(JSON.stringify({ ...rest, body, headers: kept }).replaceAll(id, 'id'))
}
const idOf = ({ headers }: Got): string => String(headers['x-request-id'])

describe('a refusal from memory', () => {
  it('is as the first in all but the id, and nobody is asked who calls', async () => {
    for (const options of [{}, { method: 'HEAD' }, { headers: { Origin: 'https://app.example' } }]) {
      const first = await send(options)
      const before = asked
      const second = await send(options)
      expect([first.status, asked]).toEqual([429, before])
      expect(withoutId(second, idOf(second))).toEqual(withoutId(first, idOf(first)))
      expect(idOf(second)).not.toBe(idOf(first))
      const named = await send({ ...options, headers: { ...options.headers, 'X-Request-Id': 'mine.1' } })
      expect(withoutId(named, 'mine.1')).toEqual(withoutId(first, idOf(first)))
      const strange = await send({ ...options, headers: { ...options.headers, 'X-Request-Id': 'not mine' } })
      expect(idOf(strange)).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  it('tells the seconds that are left', async () => {
    time = 3_900
    await send()
    time = 4_600
    const answer = await send()
    expect(asked).toBe(2)
    expect(answer.headers).toMatchObject({
      'retry-after': '56',
      'x-ratelimit-reset': '56',
      ratelimit: '"fair-use";r=0;t=56',
    })
    expect(answer.body).toContain('Retry in 56 s.')
    expect(answer.headers['content-length']).toBe(String(answer.body.length))
  })

  it('is given for a second, then the limit is asked again', async () => {
    await send()
    time = 999
    await send()
    expect(asked).toBe(2)
    time = 1_000
    expect((await send()).status).toBe(429)
    expect(asked).toBe(3)
  })

  it('is never given beyond the reset', async () => {
    time = 59_500
    expect((await send()).status).toBe(429)
    time = 59_999
    expect((await send()).status).toBe(429)
    time = 60_000
    expect([(await send()).status, (await send()).status]).toEqual([200, 429])
  })

  it('is for the same request only', async () => {
    await send()
    const others: readonly RequestOptions[] = [
      { method: 'HEAD' },
      { method: 'POST' },
      { path: `${path}?a` },
      { headers: { 'X-API-Key': 'other' } },
      { headers: { 'X-API-Key': ['good', 'good'] } },
      { headers: { Authorization: 'Bearer x' } },
      { headers: { 'X-Forwarded-For': '198.51.100.1' } },
      { headers: { Origin: 'https://app.example' } },
    ]
    for (const [index, other] of others.entries()) {
      await send(other)
      expect(asked, JSON.stringify(other)).toBe(3 + index)
    }
    expect((await send({ method: 'PUT' })).status).toBe(405)
    expect((await send({ path: '/api/nowhere' })).status).toBe(404)
    expect((await send({ setHost: false })).status).toBe(400)
  })

  it('is counted for its key, and has a line of its own', async () => {
    await send()
    await send({ headers: { 'X-Request-Id': 'mine' } })
    expect(asked).toBe(2)
    // An answer may arrive before its end is noticed.
    await expect.poll(() => lines).toHaveLength(3)
    expect(counted).toEqual([
      ['key-1', false],
      ['key-1', true],
      ['key-1', true],
    ])
    const [, slow, early] = lines
    const { request_id: _id, time: _time, duration_ms: _duration, ...fields } = slow ?? {}
    expect(early).toMatchObject({
      ...fields,
      request_id: 'mine',
      route: '/api/things/{id}',
      account_id: 'ann',
    })
    expect(Object.keys(early ?? {}).sort()).toEqual(Object.keys(slow ?? {}).sort())
    expect(JSON.stringify(lines)).not.toContain('good')
  })
})

describe('a refused request with a body', () => {
  const post = (body: string, headers = {}): Promise<Got> => send({ method: 'POST', headers }, body)

  it('leaves the connection as the first refusal did', async () => {
    for (const [size, headers] of [
      [10, {}],
      [10_000, {}],
      [5_000_000, {}],
      [10, { 'Transfer-Encoding': 'chunked' }],
    ] as const) {
      const first = await post('x'.repeat(size), headers)
      const before = asked
      const second = await post('x'.repeat(size), headers)
      expect([first.status, second.status, asked]).toEqual([429, 429, before])
      if (size > 1_000_000) expect(second.headers.connection).toBe('close')
    }
  })

  it('is not told to continue', async () => {
    for (let n = 0; n < 3; n += 1) {
      const { status, continued, headers } = await post('x', { Expect: '100-continue', 'Content-Length': 1 })
      expect([status, continued, headers.connection]).toEqual([429, false, 'close'])
    }
  })
})
