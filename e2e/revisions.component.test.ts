import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient, ApiResponse } from './harness/api-client.js'
import { makeKey } from './harness/api-keys.js'
import { clientOfJob, type FakeCiIssuer, githubClaims, startFakeCiIssuer } from './harness/ci-issuer.js'
import { inParallel } from './harness/in-parallel.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess
let github: FakeCiIssuer
let mia: ApiClient

beforeAll(async () => {
  github = await startFakeCiIssuer(githubClaims, 'github')
  const env = {
    CI_ISSUERS: `github=github+${github.url}`,
    PLAN_FREE_REVISIONS: '2',
    PLAN_PRO_REVISIONS: '200',
    RATE_LIMIT_STRICT: '1000/60',
  }
  system = await startSystem({ env })
  mia = await system.user('mia', 'pro')
})
afterAll(async () => {
  await system?.stop()
  await github?.stop()
})

interface Version {
  readonly version: number
  readonly current: boolean
  readonly title: string
  readonly size_bytes: number
  readonly created_at: string
  readonly principal: object | null
}

const put = (
  path: string,
  data: string,
  headers: Record<string, string> = {},
  user = mia,
): Promise<ApiResponse> =>
  user.request('PUT', `/api/snippets/${path}`, {
    body: `{"tool":"csv","title":"T","data":${data}}`,
    headers: { 'Content-Type': 'application/json', ...headers },
  })
const versionsOf = async (id: string, query = '', user = mia): Promise<readonly Version[]> => {
  const response = await user.get(`/api/snippets/${id}/revisions${query}`)
  expect(response.status, response.text).toBe(200)
  return response.json<{ revisions: readonly Version[] }>().revisions
}
const rawOf = async (id: string, version: number) =>
  (await mia.get(`/api/snippets/${id}/revisions/${version}/raw`)).text
const restore = (id: string, version: unknown, headers: Record<string, string> = {}, user = mia) =>
  user.post(`/api/snippets/${id}/restore`, { version }, headers)
const refused = (response: ApiResponse) => [response.status, response.json().code]

describe('a version of a snippet', () => {
  it('is stored when its data is replaced, by PUT, PATCH or a raw upload, and read byte for byte', async () => {
    const large = `{"csv":"${'x'.repeat(300_000)}"}`
    expect((await put('@kept', '{"n": 1.10}')).json()).toMatchObject({ changed: true })
    const { id } = (await put('@kept', large)).json<{ id: string }>()
    await mia.patch(`/api/snippets/${id}`, `{"data":{"n":12345678901234567890}}`)
    await mia.request('PUT', '/api/snippets/@kept?tool=csv&title=Raw', {
      body: 'a,b',
      headers: { 'Content-Type': 'text/csv' },
    })
    const versions = await versionsOf('@kept')
    expect(versions.map(({ version, current }) => [version, current])).toEqual([
      [4, true],
      [3, false],
      [2, false],
      [1, false],
    ])
    expect(await Promise.all([1, 2, 3, 4].map((version) => rawOf('@kept', version)))).toEqual([
      '{"n": 1.10}',
      large,
      '{"n":12345678901234567890}',
      '{"csv":"a,b"}',
    ])
    const second = await mia.get(`/api/snippets/${id}/revisions/2`)
    expect(second.json()).toEqual({ ...versions[2], data: JSON.parse(large) })
    const short = await mia.get(`/api/snippets/${id}/revisions/2?include_data=false`)
    expect(short.json()).toEqual(versions[2])
    const value = await mia.get('/api/snippets/@kept/revisions/2/raw?pointer=/csv&download=true')
    expect([value.text.length, value.headers.get('content-disposition')]).toEqual([
      300_000,
      'attachment; filename="T.csv"',
    ])
  })

  it('is not created by a change that leaves the bytes as they were, and a PUT says which it was', async () => {
    const first = await put('@same', '{"v":1}')
    const again = await put('@same', '{"v":1}')
    expect([first.json().changed, again.json().changed]).toEqual([true, false])
    expect((await put('@same', '{"v": 1}')).json().changed).toBe(true)
    expect((await versionsOf('@same')).map(({ version }) => version)).toEqual([3, 2])
    expect(refused(await mia.get('/api/snippets/@same/revisions/1'))).toEqual([404, 'not_found'])
  })

  it('has an ETag, which changes once another version is current', async () => {
    await put('@tagged', '{"v":1}')
    const path = '/api/snippets/@tagged/revisions/1'
    const etag = (await mia.get(path)).headers.get('etag') ?? ''
    expect((await mia.get(path, { 'If-None-Match': etag })).status).toBe(304)
    await put('@tagged', '{"v":2}')
    const replaced = await mia.get(path, { 'If-None-Match': etag })
    expect([replaced.status, replaced.json().current]).toEqual([200, false])
    const raw = await mia.get(`${path}/raw`)
    expect((await mia.get(`${path}/raw`, { 'If-None-Match': raw.headers.get('etag') ?? '' })).status).toBe(
      304,
    )
  })

  it('names its author: the owner, an API key or a CI rule, by the name at that time', async () => {
    const key = await makeKey(system, mia, { name: 'nightly' })
    const job = await clientOfJob(system, mia, github, ['read', 'write'])
    await put('@who', '{"v":1}')
    await put('@who', '{"v":2}', {}, key.client)
    await put('@who', '{"v":3}', {}, job)
    await mia.delete(`/api/keys/${key.id}`)
    const { id } = (await mia.get('/api/snippets/@who')).json<{ id: string }>()
    expect((await versionsOf(id)).map(({ principal }) => principal)).toEqual([
      { kind: 'ci_job', id: expect.stringMatching(/^tp_/), label: expect.any(String) },
      { kind: 'api_key', id: key.id, label: 'nightly' },
      { kind: 'owner', id: null, label: null },
    ])
  })

  it('is listed in pages, whose cursor continues where the last one ended', async () => {
    for (let n = 0; n < 5; n += 1) await put('@paged', `{"v":${n}}`)
    const first = await mia.get('/api/snippets/@paged/revisions?limit=3')
    const { next_cursor: cursor } = first.json<{ next_cursor: string }>()
    expect(first.headers.get('link')).toBe(
      `<${system.baseUrl()}/api/snippets/@paged/revisions?limit=3&cursor=${cursor}>; rel="next"`,
    )
    const rest = await mia.get(`/api/snippets/@paged/revisions?limit=3&cursor=${cursor}`)
    expect(rest.json()).toMatchObject({ revisions: [{ version: 2 }, { version: 1 }], next_cursor: null })
    expect(refused(await mia.get('/api/snippets/@paged/revisions?cursor=x'))).toEqual([400, 'invalid_cursor'])
  })

  it('is kept as long as the plan allows, and does not count as a snippet; its bytes count as stored', async () => {
    const fred = await system.user('fred', 'free')
    for (let n = 0; n < 6; n += 1) await put('@few', `{"v":${n}}`, {}, fred)
    expect((await versionsOf('@few', '', fred)).map(({ version }) => version)).toEqual([6, 5, 4])
    const profile = (await fred.get('/api/auth/profile')).json<{ limits: object; usage: object }>()
    expect(profile).toMatchObject({ limits: { revisions: 2 }, usage: { snippets: 1, stored_bytes: 21 } })
    await fred.delete('/api/snippets/@few')
    expect((await fred.get('/api/auth/profile')).json()).toMatchObject({ usage: { stored_bytes: 0 } })
    expect((await fred.get('/api/snippets/@few/revisions')).status).toBe(404)
  })
})

describe('a restore', () => {
  it('creates a new version with the content of the earlier one', async () => {
    await put('@back', '{"v":1}')
    await mia.patch('/api/snippets/@back', { tool: 'xml', title: 'New', tags: ['new'], data: { v: 2 } })
    const restored = await restore('@back', 1)
    const current = await mia.get('/api/snippets/@back')
    expect(restored.json()).toMatchObject({ name: 'back', tool: 'csv', title: 'T', tags: [] })
    expect([current.json().data, current.headers.get('etag')]).toEqual([
      { v: 1 },
      restored.headers.get('etag'),
    ])
    expect((await versionsOf('@back')).map(({ version, title }) => [version, title])).toEqual([
      [3, 'T'],
      [2, 'New'],
      [1, 'T'],
    ])
    await restore('@back', 2)
    expect((await mia.get('/api/snippets/@back')).json()).toMatchObject({ title: 'New', data: { v: 2 } })
  })

  it('requires the current version, and happens once for each Idempotency-Key', async () => {
    const first = await put('@careful', '{"v":1}')
    const known = (await put('@careful', '{"v":2}')).headers.get('etag') ?? ''
    const old = { 'If-Match': first.headers.get('etag') ?? '' }
    expect(refused(await restore('@careful', 1, old))).toEqual([412, 'precondition_failed'])
    const once = { 'If-Match': known, 'Idempotency-Key': 'once' }
    const responses = [await restore('@careful', 1, once), await restore('@careful', 1, once)]
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    expect(responses[1]?.text).toBe(responses[0]?.text)
    expect(responses.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
    expect(refused(await restore('@careful', 2, once))).toEqual([409, 'idempotency_key_reused'])
    expect((await versionsOf('@careful')).map(({ version }) => version)).toEqual([3, 2, 1])
  })

  it('of a missing or another user’s version is rejected', async () => {
    const { id } = (await put('@own', '{"v":1}')).json<{ id: string }>()
    expect(refused(await restore(id, 7))).toEqual([404, 'not_found'])
    expect(refused(await restore('@none', 1))).toEqual([404, 'not_found'])
    for (const version of [0, -1, 1.5, '1', null, 2 ** 31, undefined])
      expect(refused(await restore(id, version)), String(version)).toEqual([400, 'validation_failed'])
    const other = await system.user('other', 'pro')
    expect(refused(await restore(id, 1, {}, other))).toEqual([403, 'not_owner'])
    for (const path of ['', '/1', '/1/raw', '/9'])
      expect(refused(await other.get(`/api/snippets/${id}/revisions${path}`))).toEqual([403, 'not_owner'])
    for (const version of ['0', '01', 'x', '-1', '1e3', '9999999999'])
      expect((await mia.get(`/api/snippets/${id}/revisions/${version}`)).status).toBe(404)
  })
})

it('of 100 parallel conditional PUTs of one name, none is lost and the order is unbroken', async () => {
  const create = (n: number) => put('@busy', `{"n":${n}}`, { 'If-None-Match': '*' })
  const first = await Promise.all(Array.from({ length: 100 }, (_, n) => create(n)))
  const statuses = first.map(({ status }) => status).sort()
  expect(statuses).toEqual([201, ...Array<number>(99).fill(412)])
  const write = async (n: number): Promise<void> => {
    for (;;) {
      const read = await mia.get('/api/snippets/@busy?include_data=false')
      const { status } = await put('@busy', `{"n":${n}}`, { 'If-Match': read.headers.get('etag') ?? '' })
      if (status === 200) return
      expect(status).toBe(412)
    }
  }
  const refusedFirst = first.flatMap(({ status }, n) => (status === 412 ? [n] : []))
  await inParallel(99, 10, (index) => write(refusedFirst[index] ?? -1))
  const versions = (await versionsOf('@busy', '?limit=100')).map(({ version }) => version)
  expect(versions).toEqual(Array.from({ length: 100 }, (_, n) => 100 - n))
  const texts = await Promise.all(versions.map((version) => rawOf('@busy', version)))
  expect(new Set(texts)).toEqual(new Set(Array.from({ length: 100 }, (_, n) => `{"n":${n}}`)))
})
