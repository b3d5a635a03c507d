import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient, ApiResponse } from './harness/api-client.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess
let mia: ApiClient
let fred: ApiClient

beforeAll(async () => {
  system = await startSystem({ env: { PLAN_FREE_SNIPPETS: '3' } })
  mia = await system.user('mia', 'pro')
  fred = await system.user('fred', 'free')
})
afterAll(() => system?.stop())

const record = (title: string, data: object = { v: 1 }) => ({ tool: 'csv', title, data })
const put = (
  name: string,
  title: string,
  headers: Record<string, string> = {},
  user = mia,
): Promise<ApiResponse> =>
  user.request('PUT', `/api/snippets/@${name}`, {
    body: JSON.stringify(record(title)),
    headers: { 'Content-Type': 'application/json', ...headers },
  })
const refused = (response: ApiResponse) => [response.status, response.json().code]

describe('a snippet with a name', () => {
  it('is created by the first PUT and replaced by the next, under the same id', async () => {
    const first = await put('nightly', 'One')
    expect([first.status, first.json().name]).toEqual([201, 'nightly'])
    expect(first.headers.get('location')).toBe(`${system.baseUrl()}/api/snippets/${first.json().id}`)
    const second = await put('nightly', 'Two')
    expect([second.status, second.json().id, second.headers.get('location')]).toEqual([
      200,
      first.json().id,
      null,
    ])
    expect(second.headers.get('etag')).not.toBe(first.headers.get('etag'))
  })

  it('is found, changed and deleted by its name wherever an id is accepted', async () => {
    const { id } = (await mia.post('/api/snippets', { ...record('Report'), name: 'q3.report' })).json()
    const read = await mia.get('/api/snippets/@q3.report')
    expect(read.json()).toMatchObject({ id, name: 'q3.report', data: { v: 1 } })
    expect((await mia.get('/api/snippets/%40q3.report')).json().id).toBe(id)
    const etag = read.headers.get('etag') ?? ''
    const conditional = { headers: { 'If-None-Match': etag } }
    expect((await mia.request('GET', '/api/snippets/@q3.report', conditional)).status).toBe(304)
    expect((await mia.request('HEAD', '/api/snippets/@q3.report')).headers.get('etag')).toBe(etag)
    expect((await mia.get('/api/snippets/@q3.report/raw?pointer=/v')).text).toBe('1')
    const changed = await mia.patch('/api/snippets/@q3.report', { title: 'Changed' })
    expect(changed.json()).toMatchObject({ id, name: 'q3.report', title: 'Changed' })
    expect((await mia.get('/api/snippets/@q3.report')).json().title).toBe('Changed')
    const list = (await mia.get('/api/snippets?include_data=false')).json<{ snippets: object[] }>()
    expect(list.snippets).toContainEqual(expect.objectContaining({ id, name: 'q3.report' }))
    expect((await mia.delete('/api/snippets/@q3.report')).json()).toEqual({ id, deleted: true })
    expect(refused(await mia.get('/api/snippets/@q3.report'))).toEqual([404, 'not_found'])
  })

  it('gets, changes and loses its name by PATCH; the old name is then unknown', async () => {
    const { id } = (await mia.post('/api/snippets', record('Plain'))).json()
    expect(await (await mia.get(`/api/snippets/${id}`)).json()).not.toHaveProperty('name')
    expect((await mia.patch(`/api/snippets/${id}`, { name: 'old' })).json().name).toBe('old')
    expect((await mia.get('/api/snippets/@old')).json().id).toBe(id)
    expect((await mia.patch('/api/snippets/@old', { name: 'new' })).json().name).toBe('new')
    expect((await mia.get('/api/snippets/@old')).status).toBe(404)
    expect((await mia.get('/api/snippets/@new')).json().id).toBe(id)
    expect((await mia.patch('/api/snippets/@new', { name: null })).json()).not.toHaveProperty('name')
    expect((await mia.get('/api/snippets/@new')).status).toBe(404)
  })

  it('is the only one with it among its owner’s', async () => {
    await put('mine', 'Mine')
    expect(refused(await mia.post('/api/snippets', { ...record('Other'), name: 'mine' }))).toEqual([
      409,
      'name_taken',
    ])
    const { id } = (await mia.post('/api/snippets', record('Other'))).json()
    expect(refused(await mia.patch(`/api/snippets/${id}`, { name: 'mine' }))).toEqual([409, 'name_taken'])
    expect((await put('mine', 'Theirs', {}, fred)).status).toBe(201)
    expect((await mia.get('/api/snippets/@mine')).json().title).toBe('Mine')
  })

  it('moves with its name: a cached copy is never that of the previous snippet', async () => {
    const first = (await put('moving', 'First')).json().id
    expect((await mia.get('/api/snippets/@moving')).json().id).toBe(first)
    await mia.patch(`/api/snippets/${first}`, { name: null })
    const second = (await put('moving', 'Second')).json().id
    expect((await mia.get('/api/snippets/@moving')).json()).toMatchObject({ id: second, title: 'Second' })
  })

  it('is only created, or only replaced, on request', async () => {
    const first = await put('guarded', 'One', { 'If-None-Match': '*' })
    expect(first.status).toBe(201)
    expect(refused(await put('guarded', 'Two', { 'If-None-Match': '*' }))).toEqual([
      412,
      'precondition_failed',
    ])
    expect(refused(await put('guarded', 'Two', { 'If-Match': '"old"' }))).toEqual([
      412,
      'precondition_failed',
    ])
    expect((await put('guarded', 'Two', { 'If-Match': first.headers.get('etag') ?? '' })).status).toBe(200)
    expect(refused(await put('missing', 'Two', { 'If-Match': '*' }))).toEqual([412, 'precondition_failed'])
    expect(refused(await put('guarded', 'Two', { 'If-None-Match': '"a"' }))).toEqual([
      400,
      'validation_failed',
    ])
  })

  it('is uploaded as is, large or small, and returns only its URL', async () => {
    const path = '/api/snippets/@table?tool=to-csv'
    const headers = { 'Content-Type': 'text/csv', Accept: 'text/plain' }
    const upload = (body: string) => mia.request('PUT', path, { body, headers })
    const first = await upload('a,b\n1,2\n')
    const { id } = (await mia.get('/api/snippets/@table')).json()
    expect([first.status, first.text]).toEqual([201, `${system.baseUrl()}/api/snippets/${id}/raw\n`])
    const large = 'x'.repeat(300_000)
    expect((await upload(large)).status).toBe(200)
    expect((await mia.get('/api/snippets/@table/raw?pointer=/csv')).text).toBe(large)
    const form = await mia.request('POST', '/api/snippets?tool=csv&name=form', {
      body: 'a',
      headers: { 'Content-Type': 'text/plain' },
    })
    expect(form.json().name).toBe('form')
  })

  it('counts once towards the limit, and can be replaced at the limit', async () => {
    const users = await system.user('full', 'free')
    for (const name of ['a', 'b', 'c']) expect((await put(name, 'T', {}, users)).status).toBe(201)
    expect(refused(await put('d', 'T', {}, users))).toEqual([403, 'snippet_limit_reached'])
    expect((await put('a', 'Again', {}, users)).status).toBe(200)
  })

  it('in 50 parallel PUTs is created by one of them and replaced by all others', async () => {
    const responses = await Promise.all(Array.from({ length: 50 }, (_, n) => put('race', `T${n}`)))
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(49).fill(200), 201])
    expect(new Set(responses.map((response) => response.json().id)).size).toBe(1)
  })
})

it.each(['Upper', '.dot', '-dash', 'x'.repeat(101), 'a%20b', ''])('the name %j is no one’s', async (name) => {
  expect((await mia.get(`/api/snippets/@${name}`)).status).toBe(404)
  expect((await put(name, 'T')).status).toBe(404)
  const body = { ...record('T'), name: decodeURIComponent(name) }
  expect(refused(await mia.post('/api/snippets', body))).toEqual([400, 'validation_failed'])
})

it('a PUT to an id replaces a snippet, and creates none', async () => {
  const { id } = (await mia.post('/api/snippets', { ...record('One'), tags: ['a'] })).json()
  const body = { body: JSON.stringify(record('Two')), headers: { 'Content-Type': 'application/json' } }
  expect((await mia.request('PUT', `/api/snippets/${id}`, body)).json()).toMatchObject({ id, tags: [] })
  expect(refused(await fred.request('PUT', `/api/snippets/${id}`, body))).toEqual([403, 'not_owner'])
  await mia.delete(`/api/snippets/${id}`)
  expect(refused(await mia.request('PUT', `/api/snippets/${id}`, body))).toEqual([404, 'not_found'])
})
