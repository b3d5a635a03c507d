import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient, ApiResponse } from './harness/api-client.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess
let ada: ApiClient

beforeAll(async () => {
  system = await startSystem()
  ada = await system.user('ada', 'pro')
})
afterAll(() => system?.stop())

const fields = { tool: 'csv', title: 'Known', data: { v: 1 } }

async function made(kind: 'snippets' | 'shares'): Promise<string> {
  const response = await ada.post(`/api/${kind}`, fields)
  expect(response.status, response.text).toBe(201)
  return `/api/${kind}/${response.json<{ id: string }>().id}`
}

/** A range is asked for without a coding, and tags of codings differ. */
const uncoded = { 'Accept-Encoding': 'identity' }

async function tagOf(path: string): Promise<string> {
  return (await ada.get(path, uncoded)).headers.get('etag') ?? ''
}

type Change = (path: string, headers: Record<string, string>) => Promise<ApiResponse>

const changes: readonly (readonly [name: string, kind: 'snippets' | 'shares', change: Change])[] = [
  ['a PATCH', 'snippets', (path, headers) => ada.patch(path, { title: 'New' }, headers)],
  ['a PUT', 'snippets', (path, headers) => ada.request('PUT', path, { body: fields, headers })],
  ['a restore', 'snippets', (path, headers) => ada.post(`${path}/restore`, { version: 1 }, headers)],
  ['a DELETE', 'snippets', (path, headers) => ada.delete(path, headers)],
  ['a DELETE of a share', 'shares', (path, headers) => ada.delete(path, headers)],
]

describe('If-Match with a tag that a compressing proxy has made weak', () => {
  it.each(changes)('lets %s through while it is current, and no longer', async (_name, kind, change) => {
    const path = await made(kind)
    const tag = await tagOf(path)
    const stale = await change(path, { 'If-Match': `W/"older", W/"weak:${tag.slice(1)}` })
    expect([stale.status, stale.json().code]).toEqual([412, 'precondition_failed'])
    const done = await change(path, { 'If-Match': `W/"older", W/${tag}` })
    expect(done.status, done.text).toBe(200)
  })

  it('refuses it once the snippet has changed', async () => {
    const path = await made('snippets')
    const tag = await tagOf(path)
    await ada.patch(path, { title: 'Meanwhile' })
    expect((await ada.patch(path, { title: 'Lost' }, { 'If-Match': `W/${tag}` })).status).toBe(412)
  })
})

describe('a read on conditions', () => {
  const paths: readonly (readonly [name: string, path: () => Promise<string>])[] = [
    ['a snippet', () => made('snippets')],
    ['a snippet’s bytes', async () => `${await made('snippets')}/raw`],
    ['a version', async () => `${await made('snippets')}/revisions/1`],
    ['a version’s bytes', async () => `${await made('snippets')}/revisions/1/raw`],
    ['a share', () => made('shares')],
    ['a share’s bytes', async () => `${await made('shares')}/raw`],
    ['the documentation', async () => '/api/docs'],
    ['the events', async () => '/api/events?limit=1'],
  ]

  it.each(paths)('is 412 if it names only other versions: %s', async (_name, pathOf) => {
    const path = await pathOf()
    const tag = await tagOf(path)
    for (const method of ['GET', 'HEAD']) {
      const status = async (value: string) =>
        (
          await ada.request(method, path, {
            headers: { ...uncoded, 'If-Match': value, Range: 'bytes=0-1' },
          })
        ).status
      for (const other of ['"other"', `W/${tag}`, 'malformed', ''])
        expect(await status(other), `${method} ${other}`).toBe(412)
      for (const current of [tag, '*', `"other", ${tag}`])
        expect(await status(current), `${method} ${current}`).toBeLessThan(300)
    }
  })

  it('is 412 before it is 304', async () => {
    const path = await made('shares')
    const both = { 'If-Match': '"other"', 'If-None-Match': await tagOf(path) }
    expect((await ada.get(path, both)).status).toBe(412)
  })
})

describe('the date of a share', () => {
  const second = 1_000

  it.each(['', '/raw'])('lets clients that know only dates keep their copy: %s', async (end) => {
    const path = `${await made('shares')}${end}`
    const anyone = system.anyone()
    const first = await anyone.get(path)
    const date = first.headers.get('last-modified') ?? ''
    const created = Date.parse(
      (await ada.get(path.replace('/raw', ''))).json<{ created_at: string }>().created_at,
    )
    expect(date).toBe(new Date(created).toUTCString())
    const later = new Date(created + second)
    const known = [
      date,
      later.toUTCString(),
      later.toUTCString().replace(/^..., (..) (...) ..(..)/, 'Sunday, $1-$2-$3'),
      later.toUTCString().replace(/^(...), (..) (...) (....) (.*) GMT/, '$1 $3 $2 $5 $4'),
    ]
    for (const value of known) {
      const again = await anyone.get(path, { 'If-Modified-Since': value })
      expect([again.status, again.text, again.headers.get('last-modified')], value).toEqual([304, '', date])
    }
    const older = new Date(created - second).toUTCString()
    for (const value of [older, new Date(created + second).toISOString(), 'tomorrow', ''])
      expect((await anyone.get(path, { 'If-Modified-Since': value })).status, value).toBe(200)
  })

  it('counts for nothing beside an ETag', async () => {
    const path = await made('shares')
    const date = (await ada.get(path)).headers.get('last-modified') ?? ''
    const modified = { 'If-None-Match': '"other"', 'If-Modified-Since': date }
    expect((await ada.get(path, modified)).status).toBe(200)
    const unmodified = { 'If-Match': await tagOf(path), 'If-Unmodified-Since': new Date(0).toUTCString() }
    expect((await ada.get(path, unmodified)).status).toBe(200)
  })

  it('refuses who wants an older version', async () => {
    const path = await made('shares')
    const date = (await ada.get(path)).headers.get('last-modified') ?? ''
    const since = (value: string) => ada.get(path, { 'If-Unmodified-Since': value })
    expect((await since(new Date(0).toUTCString())).status).toBe(412)
    for (const value of [date, 'yesterday']) expect((await since(value)).status, value).toBe(200)
  })

  it('is that of no snippet, which may change twice within a second, and of no gated share', async () => {
    const path = await made('snippets')
    const now = { 'If-Modified-Since': new Date(Date.now() + second).toUTCString() }
    const gated = (await ada.post('/api/shares', { ...fields, burn: true })).json<{ id: string }>().id
    for (const one of [path, `${path}/raw`, `${path}/revisions/1`, `/api/shares/${gated}`]) {
      const response = await ada.get(one, now)
      expect([response.status, response.headers.get('last-modified')], one).toEqual([200, null])
    }
  })
})
