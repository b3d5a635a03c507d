import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient } from './harness/api-client.js'
import { type RawResponse, rawHttp } from './harness/raw-http.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess
let ada: ApiClient
let bob: ApiClient

beforeAll(async () => {
  system = await startSystem()
  ada = await system.user('ada', 'pro')
  bob = await system.user('bob')
})
afterAll(() => system?.stop())

interface Snippet {
  id: string
  tool: string
  title: string
  tags: string[]
  size_bytes: number
  created_at: string
  updated_at: string
  data?: unknown
}

const body = (data: string, fields: Record<string, unknown> = {}): string =>
  `{"tool":"csv","title":"Customers","data":${data}${Object.entries(fields)
    .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join('')}}`

async function create(client: ApiClient, data = '{"csv":"a,b\\n1,2"}', fields = {}): Promise<Snippet> {
  const response = await client.post('/api/snippets', body(data, fields))
  expect(response.status, response.text).toBe(201)
  return response.json<Snippet>()
}

describe('a snippet', () => {
  it('is returned without data when saved, with its location and ETag', async () => {
    const response = await ada.post('/api/snippets', body('{"csv":"x"}', { tags: [' ci ', 'a', 'ci'] }))
    expect(response.status).toBe(201)
    const snippet = response.json<Snippet>()
    expect(Object.keys(snippet).sort()).toEqual(
      ['created_at', 'id', 'size_bytes', 'tags', 'title', 'tool', 'updated_at'].sort(),
    )
    expect(snippet).toMatchObject({ tool: 'csv', title: 'Customers', tags: ['ci', 'a'], size_bytes: 11 })
    expect(snippet.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(response.headers.get('location')).toBe(`${system.baseUrl()}/api/snippets/${snippet.id}`)
    expect(response.headers.get('etag')).toMatch(/^"[^"]+"$/)
    expect(response.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,128}$/)
  })

  it('can be read without its data, with the same ETag', async () => {
    const { id } = await create(ada)
    const light = await ada.get(`/api/snippets/${id}?include_data=false`)
    expect(light.json<Snippet>()).toMatchObject({ id, title: 'Customers', tool: 'csv' })
    expect(light.json<Snippet>()).not.toHaveProperty('data')
    const etag = (await ada.get(`/api/snippets/${id}`)).headers.get('etag')
    expect(light.headers.get('etag')).toBe(etag)
    const again = await ada.get(`/api/snippets/${id}?include_data=false`, { 'If-None-Match': etag ?? '' })
    expect(again.status).toBe(304)
    expect((await ada.get(`/api/snippets/${id}?include_data=perhaps`)).status).toBe(400)
  })

  it('is returned byte for byte: order, duplicates, number spelling, escapes and white space', async () => {
    const data =
      '{ "b" : 1.0,"a":1e400 ,"a":12345678901234567890, "s":"\\u0000\\ud800\\/é" , "__proto__":{"x":-0}\n}'
    const { id, size_bytes } = await create(ada, data)
    expect(size_bytes).toBe(Buffer.byteLength(data))
    const whole = await ada.get(`/api/snippets/${id}`)
    expect(whole.text).toContain(`"data":${data},"tags":[]`)
    expect(Number(whole.headers.get('content-length'))).toBe(Buffer.byteLength(whole.text))
    const raw = await ada.get(`/api/snippets/${id}/raw`)
    expect(raw.text).toBe(data)
    expect(raw.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(raw.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
    expect(raw.headers.get('x-content-type-options')).toBe('nosniff')
    expect(raw.headers.get('cache-control')).toBe('private, no-cache')
  })

  it('returns one value of its data by JSON Pointer, strings decoded as text', async () => {
    const { id } = await create(
      ada,
      '{"csv":"a;\\"b\\"\\n\\u00e9","rows":[{"n":1.50},null],"a/b":{"~":true}}',
    )
    const at = (pointer: string) => ada.get(`/api/snippets/${id}/raw?pointer=${encodeURIComponent(pointer)}`)
    const text = await at('/csv')
    expect(text.text).toBe('a;"b"\né')
    expect(text.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect((await at('/rows/0')).text).toBe('{"n":1.50}')
    expect((await at('/rows/0/n')).text).toBe('1.50')
    expect((await at('/a~1b/~0')).text).toBe('true')
    expect((await at('/rows/2')).status).toBe(404)
    expect((await at('/rows/00')).status).toBe(404)
    expect((await at('csv')).status).toBe(400)
    const saved = await ada.get(`/api/snippets/${id}/raw?pointer=/csv&download`)
    expect(saved.headers.get('content-disposition')).toContain('attachment; filename="Customers.csv"')
  })

  it('returns 304 without data while its ETag is current', async () => {
    const { id } = await create(ada)
    const first = await ada.get(`/api/snippets/${id}`)
    const tag = first.headers.get('etag') ?? ''
    const again = await ada.get(`/api/snippets/${id}`, { 'If-None-Match': tag })
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag])
    expect((await ada.get(`/api/snippets/${id}`, { 'If-None-Match': '"other"' })).status).toBe(200)
    const head = await ada.request('HEAD', `/api/snippets/${id}`)
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([
      200,
      '',
      String(first.text.length),
    ])
  })

  it('changes only in the given fields, and only while If-Match holds', async () => {
    const created = await create(ada, '{"v":1}', { tags: ['old'] })
    const tag = (await ada.get(`/api/snippets/${created.id}`)).headers.get('etag') ?? ''
    const renamed = await ada.patch(`/api/snippets/${created.id}`, { title: 'New' }, { 'If-Match': tag })
    expect(renamed.status, renamed.text).toBe(200)
    expect(renamed.json()).toMatchObject({ title: 'New', tool: 'csv', tags: ['old'], size_bytes: 7 })
    expect(renamed.headers.get('etag')).not.toBe(tag)
    const stale = await ada.patch(`/api/snippets/${created.id}`, { title: 'Lost' }, { 'If-Match': tag })
    expect([stale.status, stale.json().code]).toEqual([412, 'precondition_failed'])
    const replaced = await ada.patch(`/api/snippets/${created.id}`, '{"data":{"v":2.0},"tags":[]}')
    expect(replaced.status).toBe(200)
    expect((await ada.get(`/api/snippets/${created.id}/raw`)).text).toBe('{"v":2.0}')
    expect((await ada.delete(`/api/snippets/${created.id}`, { 'If-Match': tag })).status).toBe(412)
  })

  it('is gone immediately after it is deleted', async () => {
    const { id } = await create(ada)
    const deleted = await ada.delete(`/api/snippets/${id}`)
    expect([deleted.status, deleted.json()]).toEqual([200, { id, deleted: true }])
    for (const path of [`/api/snippets/${id}`, `/api/snippets/${id}/raw`])
      expect((await ada.get(path)).status).toBe(404)
    expect((await ada.delete(`/api/snippets/${id}`)).status).toBe(404)
    expect((await ada.patch(`/api/snippets/${id}`, { title: 'x' })).status).toBe(404)
  })
})

describe('the list of snippets', () => {
  it('is newest first, continues by cursor and link, and filters by tool, tags and words', async () => {
    const eve = await system.user('eve', 'pro')
    const ids: string[] = []
    for (let index = 0; index < 7; index += 1) {
      const fields = { tags: index % 2 === 0 ? ['even', 'n'] : ['n'] }
      const response = await eve.post('/api/snippets', {
        tool: index < 3 ? 'sql' : 'json',
        title: `Report number${index} Übersicht`,
        data: { index },
        ...fields,
      })
      ids.unshift(response.json<Snippet>().id)
    }
    const seen: string[] = []
    let path: string | null = '/api/snippets?limit=3'
    while (path !== null) {
      const page = await eve.get(path)
      const { snippets, next_cursor } = page.json<{ snippets: Snippet[]; next_cursor: string | null }>()
      seen.push(...snippets.map(({ id }) => id))
      const link: RegExpExecArray | null = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')
      expect(link === null).toBe(next_cursor === null)
      path = link === null ? null : (link[1] ?? '').slice(system.baseUrl().length)
    }
    expect(seen).toEqual(ids)
    const found = async (query: string) =>
      (await eve.get(`/api/snippets?${query}`)).json<{ snippets: Snippet[] }>().snippets
    expect(await found('tool=sql')).toHaveLength(3)
    expect(await found('tool=SQL')).toHaveLength(0)
    expect(await found('tag=even&tag=n')).toHaveLength(4)
    expect(await found('q=übersicht%20NUMBER3')).toHaveLength(1)
    expect((await found('limit=1'))[0]?.data).toEqual({ index: 6 })
    expect((await found('include_data=false&limit=1'))[0]).not.toHaveProperty('data')
    expect((await eve.get('/api/snippets?cursor=AAAA')).json().code).toBe('invalid_cursor')
  })

  it('shows every change, whether the page changes all the time or rests', async () => {
    const cleo = await system.user('cleo')
    const { id } = await create(cleo, '{"csv":"0"}')
    const titles: string[] = []
    const expected: string[] = []
    for (const title of ['a', 'b', 'b', 'b', 'c', 'c', 'd', 'e', 'f', 'f', 'f', 'g']) {
      if (title !== expected.at(-1)) await cleo.patch(`/api/snippets/${id}`, JSON.stringify({ title }))
      expected.push(title)
      const page = await cleo.get('/api/snippets?include_data=true')
      titles.push(...page.json<{ snippets: Snippet[] }>().snippets.map((snippet) => snippet.title))
    }
    expect(titles).toEqual(expected)
  })

  it('ends a page once its data passes 8 MiB, and every item is still reachable', async () => {
    const max = await system.user('max', 'pro')
    const big = `{"v":"${'x'.repeat(3 * 1024 * 1024)}"}`
    for (let index = 0; index < 5; index += 1) await create(max, big)
    const first = (await max.get('/api/snippets')).json<{ snippets: Snippet[]; next_cursor: string }>()
    expect(first.snippets).toHaveLength(3)
    const second = (await max.get(`/api/snippets?cursor=${first.next_cursor}`)).json<{
      snippets: Snippet[]
      next_cursor: null
    }>()
    expect(second.snippets).toHaveLength(2)
    expect(second.next_cursor).toBeNull()
    expect(JSON.stringify(second.snippets[1]?.data)).toBe(big)
    const light = (await max.get('/api/snippets?include_data=false')).json<{ snippets: Snippet[] }>()
    expect(light.snippets).toHaveLength(5)
  })
})

const waits = 'Content-Length: 10\r\nExpect: 100-continue'

/** Sends the headers, and none of the body that they announce. */
async function sendHead(method: string, path: string, user: string, header: string): Promise<RawResponse> {
  const token = await system.issuer.token(user)
  const head = `Host: x\r\nContent-Type: application/json\r\nAuthorization: Bearer ${token}\r\n${header}`
  return rawHttp(system.baseUrl(), `${method} ${path} HTTP/1.1\r\n${head}\r\n\r\n`)
}

it('another user’s snippet is rejected before a change is read or validated', async () => {
  const { id } = await create(ada)
  for (const sent of ['{"title":"mine"}', 'this is not even JSON'])
    expect((await bob.patch(`/api/snippets/${id}`, sent)).status).toBe(403)
  for (const unsent of ['Content-Length: 100000', waits])
    expect((await sendHead('PATCH', `/api/snippets/${id}`, 'bob', unsent)).statuses).toEqual([403])
  const stale = 'Content-Length: 100000\r\nIf-Match: "stale"'
  expect((await sendHead('PATCH', `/api/snippets/${id}`, 'ada', stale)).statuses).toEqual([412])
})

describe('the limits of Free', () => {
  it('reject the sixteenth snippet before its body is read, and make room after a delete', async () => {
    const ids: string[] = []
    for (let index = 0; index < 15; index += 1) ids.push((await create(bob)).id)
    for (const sent of [body('{}'), 'this is not even JSON']) {
      const refused = await bob.post('/api/snippets', sent)
      expect([refused.status, refused.json().code]).toEqual([403, 'snippet_limit_reached'])
      expect(refused.json()).toMatchObject({ limit: 15, plan: 'free' })
    }
    for (const unsent of ['Content-Length: 100000', 'Transfer-Encoding: chunked', waits])
      expect((await sendHead('POST', '/api/snippets', 'bob', unsent)).text).toMatch(
        /^HTTP\/1\.1 403 .*"code":"snippet_limit_reached"/s,
      )
    await bob.delete(`/api/snippets/${ids[0]}`)
    await create(bob)
    expect((await bob.get('/api/auth/profile')).json()).toMatchObject({
      plan: 'free',
      usage: { snippets: 15 },
    })
  })
})

it('the profile shows the plan, its limits and its usage', async () => {
  const pat = await system.user('pat', 'pro')
  await create(pat)
  const { status, json } = await pat.get('/api/auth/profile')
  expect(status).toBe(200)
  expect(json()).toMatchObject({
    email: 'pat@example.com',
    email_verified: true,
    name: 'pat',
    plan: 'pro',
    limits: {
      data_bytes: 52_428_800,
      snippets: null,
      shares: null,
      stored_bytes: 107_374_182_400,
      share_ttl_days: null,
    },
    usage: { snippets: 1, shares: 0, history: 0, api_keys: 0 },
  })
  const plans = (await system.anyone().get('/api/plans')).json<{ plans: { id: string; limits: object }[] }>()
    .plans
  expect(plans.map(({ id }) => id)).toEqual(['free', 'pro'])
  expect(plans[0]?.limits).toMatchObject({
    data_bytes: 5_242_880,
    snippets: 15,
    shares: 200,
    share_ttl_days: 30,
  })
})
