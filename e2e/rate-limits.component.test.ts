import { afterEach, describe, expect, it } from 'vitest'
import { newApiKey } from '#shared/api-key/api-key-format.js'
import type { ApiClient, ApiResponse } from './harness/api-client.js'
import { makeKey } from './harness/api-keys.js'
import { exchangeToken, githubClaims, startFakeCiIssuer } from './harness/ci-issuer.js'
import { inParallel } from './harness/in-parallel.js'
import { type InProcessOptions, type SystemInProcess, startSystem } from './harness/system-in-process.js'

/**
 * More than the 50 credentials that are looked up, and so few that none waits for seconds on a busy machine.
 */
const atOnce = 100
const snippet = { tool: 'csv', title: 'Limits', data: { v: 1 } }
const strictRate = { RATE_LIMIT_STRICT: '5/60' }
const anyProxy = { ...strictRate, TRUSTED_PROXIES: '127.0.0.0/8,10.0.0.0/8' }

let system: SystemInProcess
const open = async (options: InProcessOptions): Promise<SystemInProcess> => {
  system = await startSystem(options)
  return system
}

function count(responses: readonly ApiResponse[], status: number): number {
  return responses.filter((response) => response.status === status).length
}

const badToken = { Authorization: 'Bearer not.a.token' }

describe('without Redis', () => {
  afterEach(() => system?.stop())

  it('counts rejected exchanges like rejected credentials, and accepts valid ones from the same address', async () => {
    const github = await startFakeCiIssuer(githubClaims, 'github')
    await open({ env: { ...strictRate, CI_ISSUERS: `github=github+${github.url}` } })
    const owner = await system.user('pro', 'pro')
    const claims = { repository_id: '74', repository_owner_id: '65' }
    const rule = { name: 'CI', issuer: 'github', repository: 'acme/website', claims }
    const { id } = (await owner.post('/api/trusted-publishers', rule)).json<{ id: string }>()
    const exchange = async (changes: Record<string, unknown> = {}) =>
      (await exchangeToken(system.anyone(), id, await github.token(system.baseUrl(), changes))).status
    for (const status of [400, 400, 400, 400, 400, 429, 429])
      expect(await exchange({ repository_id: '1' })).toBe(status)
    expect(await exchange()).toBe(200)
    await github.stop()
  })

  it.each([
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '127.0.0.0/8' }],
    ['TRUSTED_HOPS', { TRUSTED_HOPS: '1' }],
  ])('creates through MCP count for the client IP, not for the proxy of %s', async (_name, proxy) => {
    await open({ env: { ...strictRate, ...proxy } })
    const [one, other] = [await system.user('one'), await system.user('other')]
    const save = async (user: ApiClient, address: string, title: string): Promise<boolean> => {
      const args = { tool: 'csv', title, content: title }
      const params = { name: 'save_output', arguments: args }
      const response = await user.request('POST', '/mcp', {
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
        headers: { Accept: 'application/json, text/event-stream', 'X-Forwarded-For': address },
      })
      return !/rate_limited|Rate limit/.test(response.text)
    }
    const saved: boolean[] = []
    for (let count = 0; count < 6; count += 1) saved.push(await save(one, '203.0.113.7', `a${count}`))
    expect(saved).toEqual([true, true, true, true, true, false])
    expect(await save(other, '198.51.100.9', 'b')).toBe(true)
    expect(await save(other, '2001:db8::7', 'c')).toBe(true)
    expect(await save(other, '203.0.113.7', 'd')).toBe(false)
  })

  it('assets count for nothing, and a page that is refused is a page that reloads itself', async () => {
    await open({ env: { RATE_LIMIT_STANDARD: '3/60' } })
    const browser = { Accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' }
    const read = (path: string, headers: Record<string, string> = browser) =>
      system.anyone().request('GET', path, { headers })
    for (let count = 0; count < 20; count += 1) {
      const asset = await read('/assets/share.js', { 'Accept-Encoding': 'identity' })
      expect([asset.status === 429, asset.headers.has('ratelimit')]).toEqual([false, false])
    }
    for (let count = 0; count < 3; count += 1) expect((await read('/')).status).not.toBe(429)
    const refused = await read('/s/unknown')
    expect([refused.status, refused.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8'])
    const seconds = refused.headers.get('retry-after')
    expect(refused.headers.get('refresh')).toBe(seconds)
    expect(refused.headers.get('content-security-policy')).not.toContain('sandbox')
    expect(refused.text).toContain(`${seconds} seconds`)
    expect(refused.text).toContain('<a class="brand" href="/">')
    const ofApi = await read('/api/shares/unknown')
    expect([ofApi.status, ofApi.headers.get('content-type')]).toEqual([429, 'application/problem+json'])
    expect((await read('/s/unknown', {})).headers.get('content-type')).toBe('application/problem+json')
  })

  it('reports are limited by themselves, per client IP', async () => {
    await open({ env: { ...anyProxy } })
    const owner = await system.user('pro', 'pro')
    const share = (await owner.post('/api/shares', snippet)).json<{ id: string }>()
    const from = (address: string) =>
      system
        .anyone()
        .post('/api/reports', { share: share.id, reason: 'other' }, { 'X-Forwarded-For': address })
    for (const status of [201, 201, 201, 201, 201, 429]) expect((await from('192.0.2.1')).status).toBe(status)
    expect((await from('192.0.2.2')).status).toBe(201)
    const { headers } = await from('192.0.2.1')
    expect([headers.get('ratelimit-policy'), headers.has('retry-after')]).toEqual(['"strict";q=5;w=60', true])
    const form = await system.anyone().request('POST', '/api/reports', {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Forwarded-For': '192.0.2.1' },
      body: `share=${share.id}&reason=other`,
    })
    expect(form.headers.get('location')).toContain('/report?problem=limited')
    const read = await system.anyone().get(`/api/shares/${share.id}`, { 'X-Forwarded-For': '192.0.2.1' })
    expect(read.status).toBe(200)
  })

  it('lets an address make so many accounts an hour, and everyone use those that exist', async () => {
    await open({ env: { ...anyProxy, NEW_ACCOUNTS_PER_ADDRESS: '3/3600' } })
    const from = { 'X-Forwarded-For': '203.0.113.7' }
    const signIn = async (name: string, headers = from) =>
      (await system.user(name)).get('/api/snippets', headers)
    const names = ['ann', 'ben', 'cid', 'dot']
    const first = await inParallel(4, 4, (index) => signIn(names[index] ?? ''))
    expect([count(first, 200), count(first, 429)]).toEqual([3, 1])
    const refusal = first.find(({ status }) => status === 429)
    expect(refusal?.json()).toMatchObject({ code: 'rate_limited', policy: 'new-accounts', limit: 3 })
    expect(Number(refusal?.headers.get('retry-after'))).toBeGreaterThan(3_500)
    const late = names.find((_name, index) => first[index]?.status === 429) ?? ''
    for (const name of names.filter((one) => one !== late)) expect((await signIn(name)).status).toBe(200)
    expect((await signIn(late)).status).toBe(429)
    expect((await signIn(late, { 'X-Forwarded-For': '203.0.113.8' })).status).toBe(200)
    expect((await signIn(late)).status).toBe(200)
  })

  it('each policy counts its requests, and reports how far it is used up', async () => {
    await open({
      env: { RATE_LIMIT_STRICT: '3/60', RATE_LIMIT_STANDARD: '6/60', RATE_LIMIT_FAIR_USE: '4/60' },
    })
    const free = await system.user('free')
    const pro = await system.user('pro', 'pro')
    const { client: program } = await makeKey(system, pro)

    const created = await free.post('/api/snippets', snippet)
    expect(created.status).toBe(201)
    const header = (response: ApiResponse, name: string) => response.headers.get(name)
    expect(header(created, 'ratelimit-policy')).toBe('"strict";q=3;w=60')
    expect(header(created, 'ratelimit')).toBe('"strict";r=2;t=60')
    expect(header(created, 'x-ratelimit-limit')).toBe('3')
    expect(header(created, 'x-ratelimit-remaining')).toBe('2')
    expect(Number(header(created, 'x-ratelimit-reset'))).toBeLessThanOrEqual(60)
    // The request counts whatever its outcome: plan and body are checked later.
    expect((await free.post('/api/shares', 'no json')).status).toBe(400)
    expect((await free.post('/api/shares', 'no json')).status).toBe(400)
    const refused = await free.post('/api/shares', snippet)
    expect(refused.status).toBe(429)
    const problem = refused.json<Record<string, unknown>>()
    expect(problem).toMatchObject({ code: 'rate_limited', policy: 'strict', limit: 3, window_seconds: 60 })
    expect(Number(header(refused, 'retry-after'))).toBeGreaterThan(50)
    expect(header(refused, 'ratelimit')).toMatch(/^"strict";r=0;t=\d+$/)
    // Rejected credentials have their own window.
    for (const status of [401, 401, 401, 429]) {
      expect((await system.anyone().get('/api/snippets', badToken)).status).toBe(status)
    }

    // Six of each user, four of the key, six anonymous: each has its own budget.
    const six = async (send: () => Promise<ApiResponse>): Promise<number[]> => {
      const statuses: number[] = []
      for (let n = 0; n < 7; n += 1) statuses.push((await send()).status)
      return statuses
    }
    expect(await six(() => free.get('/api/snippets'))).toEqual([200, 200, 200, 200, 200, 200, 429])
    // Creating the key was the first request of Pro's budget.
    expect(await six(() => pro.post('/api/snippets', snippet))).toEqual([201, 201, 201, 201, 201, 429, 429])
    expect(await six(() => program.get('/api/snippets'))).toEqual([200, 200, 200, 200, 429, 429, 429])
    expect(await six(() => system.anyone().get('/api/plans'))).toEqual([200, 200, 200, 200, 200, 200, 429])
    expect((await system.anyone().get('/s/unknown')).status).toBe(429)
    expect((await system.anyone().get('/api/snippets')).status).toBe(429)
  })

  it('exempt requests are never limited, and a 304 counts a tenth, except with If-None-Match: *', async () => {
    await open({ env: { RATE_LIMIT_STANDARD: '5/60', RATE_LIMIT_STRICT: '1/60' } })
    for (let n = 0; n < 30; n += 1) {
      expect((await system.anyone().get('/healthz')).status).toBe(200)
      expect((await system.anyone().get('/readyz')).status).toBe(200)
      expect((await system.anyone().get('/api/nowhere')).status).toBe(404)
      expect((await system.anyone().request('PUT', '/api/plans')).status).toBe(405)
    }
    expect((await system.anyone().get('/healthz')).headers.get('ratelimit')).toBeNull()
    const pro = await system.user('pro', 'pro')
    const id = (await pro.post('/api/snippets', snippet)).json<{ id: string }>().id
    const tag = (await pro.get(`/api/snippets/${id}`)).headers.get('etag') ?? ''
    for (let n = 0; n < 20; n += 1) {
      const again = await pro.get(`/api/snippets/${id}`, { 'If-None-Match': tag })
      const left = n === 0 || n > 10 ? (n === 0 ? '2' : '0') : '1'
      expect([n, again.status, again.headers.get('x-ratelimit-remaining')]).toEqual([n, 304, left])
    }
    for (const status of [304, 429]) {
      expect((await pro.get(`/api/snippets/${id}`, { 'If-None-Match': '*' })).status).toBe(status)
    }
  })

  it('a PATCH with data counts as a create, small or large, before any of it is stored; others do not', async () => {
    await open({ env: { RATE_LIMIT_STRICT: '3/60' } })
    const free = await system.user('free')
    const { id } = (await free.post('/api/snippets', snippet)).json<{ id: string }>()
    const patch = async (body: object, headers = {}) =>
      (await free.patch(`/api/snippets/${id}`, body, headers)).status
    for (let n = 0; n < 4; n += 1) expect(await patch({ title: `Title ${n}` })).toBe(200)
    expect(await patch({ data: { v: 2 } })).toBe(200)
    // A failed If-Match is rejected before the body is read, and does not count.
    expect(await patch({ data: { v: 'x'.repeat(200_000) } }, { 'If-Match': '"other"' })).toBe(412)
    expect(await patch({ data: { v: 'x'.repeat(200_000) } })).toBe(200)
    const large = { data: { v: 'y'.repeat(200_000) } }
    for (const body of [{ data: { v: 3 } }, large]) expect(await patch(body)).toBe(429)
    expect(await patch({ title: 'Still' })).toBe(200)
    const read = (await free.get(`/api/snippets/${id}`)).json<{ data: { v: string } }>()
    expect(read.data.v).toBe('x'.repeat(200_000))
    const usage = (await free.get('/api/auth/profile')).json<{ usage: { stored_bytes: number } }>().usage
    const versions = ['{"v":1}', '{"v":2}', `{"v":"${'x'.repeat(200_000)}"}`]
    expect(usage.stored_bytes).toBe(versions.join('').length)
  })

  it('RATE_LIMIT_SCOPE=all makes every request strict except Pro’s', async () => {
    await open({ env: { ...strictRate, RATE_LIMIT_STANDARD: '20/60', RATE_LIMIT_SCOPE: 'all' } })
    const free = await system.user('free')
    const pro = await system.user('pro', 'pro')
    const responses: ApiResponse[] = []
    for (let n = 0; n < 4; n += 1) {
      responses.push(await free.get('/api/snippets'), await system.anyone().get('/api/plans'))
    }
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
    for (let n = 0; n < 20; n += 1) expect((await pro.get('/api/snippets')).status).toBe(200)
    expect((await pro.get('/api/snippets')).status).toBe(429)
  })

  it('guessing keys is limited to five, with 50 lookups in identity, while valid keys from the same address are served', async () => {
    await open({ env: strictRate })
    const owner = await system.user('pro', 'pro')
    const { client } = await makeKey(system, owner)
    const { client: unseen } = await makeKey(system, owner)
    expect((await client.get('/api/snippets')).status).toBe(200)
    const before = system.keyLookups()
    const guesses = await inParallel(1_000, atOnce, () => system.withKey(newApiKey()).get('/api/snippets'))
    expect([count(guesses, 401), count(guesses, 429)]).toEqual([5, 995])
    expect(system.keyLookups() - before).toBe(50)
    expect((await client.get('/api/snippets')).status).toBe(200)
    // A credential that this gateway has never seen is served when it is sent again.
    const first = await unseen.get('/api/snippets')
    expect([first.status, first.headers.get('retry-after')]).toEqual([429, '1'])
    const retry = async (): Promise<number> => (await unseen.get('/api/snippets')).status
    await expect.poll(retry, { interval: 500 }).toBe(200)
    expect(await retry()).toBe(200)
  })

  it('a thousand forged addresses from one socket count as one, in whichever header', async () => {
    await open({ env: strictRate })
    const free = await system.user('free')
    const names = [
      'X-Forwarded-For',
      'Forwarded',
      'X-Real-IP',
      'CF-Connecting-IP',
      'True-Client-IP',
      'X-Client-IP',
    ]
    const responses = await inParallel(1_000, atOnce, (n) => {
      const address = `${(n * 7) % 223}.${n % 256}.${(n * 13) % 256}.${(n * 31) % 256}`
      const value = n % 6 === 1 ? `for=${address}` : address
      return free.post('/api/shares', snippet, { [names[n % names.length] ?? 'Via']: value })
    })
    expect([count(responses, 201), count(responses, 429)]).toEqual([5, 995])
  })

  it('behind a trusted proxy the right-most address counts, IPv6 by its /64 and IPv4 in any notation', async () => {
    await open({ env: anyProxy })
    const free = await system.user('free')
    const send = (forwarded: string) => free.post('/api/shares', snippet, { 'X-Forwarded-For': forwarded })
    const ofOneNetwork = await inParallel(1_000, atOnce, (n) =>
      send(`203.0.113.${n % 256}, 2001:db8:1:2:${n.toString(16)}::${n}`),
    )
    expect([count(ofOneNetwork, 201), count(ofOneNetwork, 429)]).toEqual([5, 995])
    const mapped = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        send(
          ['198.51.100.7', '::ffff:198.51.100.7', '::ffff:c633:6407', '1.1.1.1, 198.51.100.7, 10.0.0.9'][
            n % 4
          ] ?? '',
        ),
      ),
    )
    expect([count(mapped, 201), count(mapped, 429)]).toEqual([5, 25])
    expect((await send('198.51.100.8')).status).toBe(201)
    // Garbage counts as the proxy's own address, which has one budget as well.
    const junk = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        send(['junk', ',', '1.2.3', `${'9'.repeat(2_000)}`, '::g'][n % 5] ?? ''),
      ),
    )
    expect([count(junk, 201), count(junk, 429)]).toEqual([5, 25])
  })
})
