import { beforeEach, describe, expect, it, vi } from 'vitest'
import { apiKey, idToken } from './auth.js'
import { ConnectionError, isCode, NotFoundError, ProblemError, SilenceTimeoutError } from './problem-error.js'
import { Snipkeep } from './snipkeep.js'

interface Call {
  readonly url: string
  readonly init: RequestInit
  readonly body: string
}

type Outcome = Response | Error | (() => Promise<Response>)

let calls: Call[]
let outcomes: Outcome[]

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers })
const problem = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  json(status, { type: 'about:blank', title: 'x', status, code, detail: 'No.', request_id: 'r1' }, headers)

const fakeFetch: typeof fetch = async (input, init = {}) => {
  const body = init.body == null ? '' : await new Response(init.body).text()
  calls.push({ url: String(input), init, body })
  const outcome = outcomes.shift() ?? json(200, {})
  if (outcome instanceof Error) throw outcome
  return typeof outcome === 'function' ? outcome() : outcome
}
const client = (options = {}) =>
  new Snipkeep({ server: 'https://s.example/', auth: apiKey('snk_1'), fetch: fakeFetch, ...options })
const headerOf = (call: Call | undefined, name: string) => new Headers(call?.init.headers).get(name)

beforeEach(() => {
  calls = []
  outcomes = []
  vi.spyOn(Math, 'random').mockReturnValue(0)
  return () => vi.restoreAllMocks()
})

describe('a request', () => {
  it('carries credentials, its query and the exact JSON text', async () => {
    outcomes = [json(201, { id: 'a' })]
    await client().shares.create({ tool: 'json', title: 'T', json: '{"n":12345678901234567890,"m":1.10}' })
    expect(calls[0]?.url).toBe('https://s.example/api/shares?tool=json&title=T')
    expect(calls[0]?.body).toBe('{"n":12345678901234567890,"m":1.10}')
    expect(headerOf(calls[0], 'X-API-Key')).toBe('snk_1')
    expect(headerOf(calls[0], 'Content-Type')).toBe('application/vnd.snipkeep.data+json')
    expect(calls[0]?.init.redirect).toBe('error')
  })

  it('uploads text under its key, and names a snippet by @', async () => {
    outcomes = [json(201, { id: 'a' })]
    const put = await client().snippets.put('@nightly', {
      tool: 'csv',
      content: 'a,b\n',
      key: 'csv',
      tags: ['x', 'y'],
    })
    expect(put.created).toBe(true)
    expect(calls[0]?.url).toBe('https://s.example/api/snippets/@nightly?tool=csv&tag=x&tag=y&key=csv')
    expect(calls[0]?.body).toBe('a,b\n')
  })

  it('declares the length of a stream if known, so that the server can reject it early', async () => {
    const open = () => new Blob(['a,b\n']).stream()
    outcomes = [json(201, { id: 'a' }), json(201, { id: 'b' })]
    await client().shares.create({ tool: 'csv', content: { size: 4, open } })
    await client().shares.create({ tool: 'csv', content: { size: null, open } })
    expect(calls.map((call) => headerOf(call, 'Content-Length'))).toEqual(['4', null])
  })

  it('works in Cloudflare Workers, which lack a redirect mode', async () => {
    const refuse = (init: RequestInit | undefined): void => {
      if (init?.redirect !== undefined && !['follow', 'manual'].includes(init.redirect))
        throw new TypeError('Invalid redirect value, must be one of "follow" or "manual"')
    }
    const StrictRequest = class extends Request {
      constructor(input: string | URL | Request, init?: RequestInit) {
        refuse(init)
        super(input, init)
      }
    }
    vi.stubGlobal('Request', StrictRequest)
    const worker = client({
      fetch: async (input: string, init: RequestInit) => {
        refuse(init)
        return fakeFetch(input, init)
      },
    })
    vi.unstubAllGlobals()
    outcomes = [json(201, { id: 'a' }), json(200, { id: 'a' })]
    await worker.shares.create({ tool: 'csv', content: new Blob(['a,b\n']).stream() })
    expect(await worker.shares.get('a')).toMatchObject({ id: 'a' })
    expect(calls.map(({ init }) => init.redirect)).toEqual(['manual', 'manual'])
  })

  it.each([301, 302, 303, 307, 308])('is not redirected, nor tried again: %i', async (status) => {
    outcomes = [new Response('Moved', { status, headers: { Location: 'https://evil.example/' } })]
    const error: unknown = await client()
      .snippets.get('x')
      .catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ name: 'ConnectionError', message: expect.stringContaining('redirects') })
    expect(calls).toHaveLength(1)
  })

  it('is not redirected in a browser either, which tells no status', async () => {
    const opaque = Object.defineProperty(Response.error(), 'type', { value: 'opaqueredirect' })
    outcomes = [opaque]
    await expect(client().snippets.get('x')).rejects.toBeInstanceOf(ConnectionError)
    expect(calls).toHaveLength(1)
  })

  it('that fails throws the server’s problem with all its fields', async () => {
    outcomes = [problem(404, 'not_found')]
    const error: unknown = await client()
      .snippets.get('x')
      .catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(NotFoundError)
    expect(isCode(error, 'not_found')).toBe(true)
    expect(error).toMatchObject({ status: 404, detail: 'No.', requestId: 'r1' })
    expect(JSON.parse((error as ProblemError).body)).toMatchObject({ code: 'not_found' })
    expect(calls).toHaveLength(1)
  })

  it('throws even if a proxy responds', async () => {
    outcomes = [new Response('<html>', { status: 403 })]
    await expect(client().account.profile()).rejects.toMatchObject({ status: 403, code: 'unknown' })
  })
})

describe('a retry', () => {
  it.each([408, 429, 500, 502, 503, 504])('follows a %i, with the same idempotency key', async (status) => {
    outcomes = [problem(status, 'x', { 'Retry-After': '0' }), json(201, { id: 'a' })]
    await client().snippets.create({ tool: 'csv', data: { v: 1 } })
    const keys = calls.map((call) => headerOf(call, 'Idempotency-Key'))
    expect(keys).toHaveLength(2)
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(keys[1]).toBe(keys[0])
    expect(calls[1]?.body).toBe(calls[0]?.body)
  })

  it('follows a broken connection, up to the configured number of times', async () => {
    outcomes = Array.from({ length: 9 }, () => new TypeError('fetch failed'))
    const waits: unknown[] = []
    const onRetry = (error: unknown, delayMs: number) =>
      waits.push([error instanceof ConnectionError, delayMs])
    await expect(client({ retries: 2, onRetry }).account.plans()).rejects.toBeInstanceOf(ConnectionError)
    expect(calls).toHaveLength(3)
    expect(waits).toEqual([
      [true, 0],
      [true, 0],
    ])
  })

  it('happens while an earlier request with the key is running', async () => {
    outcomes = [problem(409, 'idempotency_in_progress'), json(201, { id: 'a' })]
    await client().shares.create({ tool: 'csv', data: {} })
    expect(calls).toHaveLength(2)
  })

  it.each([400, 401, 403, 404, 409, 410, 412, 413, 415])('never follows a %i', async (status) => {
    outcomes = [problem(status, 'x')]
    await expect(client().account.profile()).rejects.toBeInstanceOf(ProblemError)
    expect(calls).toHaveLength(1)
  })

  it('never happens for a stream that cannot be read again, nor with If-Match', async () => {
    outcomes = [new TypeError('fetch failed')]
    const content = new Blob(['a']).stream()
    await expect(client().snippets.create({ tool: 'csv', content })).rejects.toBeInstanceOf(ConnectionError)
    outcomes = [problem(503, 'unavailable')]
    const change = { title: 'T', ifMatch: '"1"' }
    await expect(client().snippets.update('a', change)).rejects.toMatchObject({ status: 503 })
    expect(calls).toHaveLength(2)
  })

  it('of a delete that returns 404 counts as success', async () => {
    outcomes = [problem(503, 'unavailable', { 'Retry-After': '0' }), problem(404, 'not_found')]
    expect(await client().snippets.delete('a')).toEqual({ id: 'a', deleted: true })
  })

  it('happens for two minutes at most', async () => {
    outcomes = [problem(429, 'rate_limited', { 'Retry-After': '121' })]
    await expect(client().account.profile()).rejects.toMatchObject({ retryAfter: 121 })
    expect(calls).toHaveLength(1)
  })

  it('stops when its caller aborts', async () => {
    outcomes = [problem(429, 'rate_limited', { 'Retry-After': '60' })]
    const { signal, abort } = ((controller: AbortController) => ({
      signal: controller.signal,
      abort: () => controller.abort(new Error('enough')),
    }))(new AbortController())
    const reading = client().account.profile({ signal })
    await vi.waitFor(() => expect(calls).toHaveLength(1))
    abort()
    await expect(reading).rejects.toThrow('enough')
  })
})

describe('an ID token', () => {
  const tokenUntil = (seconds: number) => `h.${btoa(JSON.stringify({ exp: seconds }))}.s`
  const later = Date.now() / 1000 + 3_600

  it('is requested once for concurrent requests, and again before it expires', async () => {
    const ask = vi.fn(async () => tokenUntil(later))
    const auth = idToken(ask)
    await Promise.all([auth.headers(), auth.headers()])
    expect(ask).toHaveBeenCalledTimes(1)
    const short = idToken(ask.mockResolvedValue(tokenUntil(Date.now() / 1000 + 60)))
    await short.headers()
    await short.headers()
    expect(ask).toHaveBeenCalledTimes(3)
  })

  it('that is rejected is requested once more', async () => {
    const ask = vi.fn(async () => tokenUntil(later))
    outcomes = [problem(401, 'invalid_token'), json(200, { id: 'me' })]
    expect(await client({ auth: idToken(ask) }).account.profile()).toEqual({ id: 'me' })
    outcomes = [problem(401, 'invalid_token'), problem(401, 'invalid_token')]
    await expect(client({ auth: idToken(ask) }).account.profile()).rejects.toMatchObject({ status: 401 })
    expect(ask).toHaveBeenCalledTimes(4)
  })
})

it('a silent server is given up on', async () => {
  const never = (): Promise<Response> => {
    const { signal } = calls.at(-1)?.init ?? {}
    return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  }
  outcomes = [never]
  const options = { timeoutMs: 20 }
  await expect(client({ retries: 0 }).account.profile(options)).rejects.toBeInstanceOf(SilenceTimeoutError)
})

it('credentials may take their time to be renewed, and are once for each request', async () => {
  let token = 'old'
  const auth = {
    headers: async () => ({ Authorization: `Bearer ${token}` }),
    renew: async () => {
      token = 'new'
      return true
    },
  }
  outcomes = [problem(401, 'invalid_token'), json(201, { id: 'k' }), problem(401, 'x'), problem(401, 'x')]
  const sk = client({ auth, retries: 0 })
  await sk.keys.create({ name: 'CI' })
  expect(calls.map((call) => headerOf(call, 'Authorization'))).toEqual(['Bearer old', 'Bearer new'])
  expect(calls[1]?.body).toBe('{"name":"CI"}')
  await expect(sk.keys.list()).rejects.toMatchObject({ status: 401 })
  expect(calls).toHaveLength(4)
})

it('the signal of a client stops what has none of its own', async () => {
  const controller = new AbortController()
  controller.abort(new Error('interrupted'))
  const sk = client({
    signal: controller.signal,
    fetch: (_: string, { signal }: RequestInit) => Promise.reject(signal?.reason),
  })
  await expect(sk.snippets.get('a')).rejects.toThrow('interrupted')
})

it('a request may outlive the page', async () => {
  await client().history.delete('a', { keepalive: true })
  await client().history.delete('b')
  expect(calls.map(({ init }) => init.keepalive)).toEqual([true, undefined])
})

it('an invalid server URL is rejected immediately', () => {
  expect(() => new Snipkeep({ server: 'ftp://s.example' })).toThrow(TypeError)
})

it('a response without a body is one, though a browser gives it an empty one', async () => {
  const bodiless = new Response(null, { status: 204 })
  Object.defineProperty(bodiless, 'body', { value: new Blob([]).stream() })
  outcomes = [bodiless]
  await expect(client().contracts.remove('a')).resolves.toBeUndefined()
})
