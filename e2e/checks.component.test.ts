import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient, ApiResponse } from './harness/api-client.js'
import { makeKey } from './harness/api-keys.js'
import { clientOfJob, type FakeCiIssuer, githubClaims, startFakeCiIssuer } from './harness/ci-issuer.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'
import { until } from './harness/until.js'

let system: SystemInProcess
let github: FakeCiIssuer
let ada: ApiClient
let bob: ApiClient
let job: ApiClient

beforeAll(async () => {
  github = await startFakeCiIssuer(githubClaims, 'github')
  system = await startSystem({ env: { CI_ISSUERS: `github=github+${github.url}` } })
  ada = await system.user('ada', 'pro')
  bob = await system.user('bob')
  job = await clientOfJob(system, ada, github, ['read', 'write'])
})
afterAll(async () => {
  await system?.stop()
  await github?.stop()
})

interface Checked {
  readonly id: string
  readonly verdict: string
  readonly state: string
  readonly version: number | null
  readonly [field: string]: unknown
}

async function save(name: string, data: unknown, rules?: object): Promise<string> {
  const body = { tool: 'json', title: `The ${name}`, data }
  const saved = await ada.request('PUT', `/api/snippets/@${name}`, { body })
  expect(saved.status, saved.text).toBe(201)
  const path = `/api/snippets/@${name}`
  if (rules !== undefined)
    expect((await ada.request('PUT', `${path}/contract`, { body: rules })).status).toBe(201)
  return path
}

async function check(path: string, data: unknown, query = '', client = job): Promise<Checked> {
  const response = await client.post(`${path}/checks${query}`, { data })
  expect(response.status, response.text).toBe(201)
  return response.json<Checked>()
}

const outcome = ({ verdict, state, version }: Checked) => [verdict, state, version]
const decide = (id: string, how: 'approve' | 'reject', body?: object, client = ada): Promise<ApiResponse> =>
  client.request('POST', `/api/checks/${id}/${how}`, body === undefined ? {} : { body })
const dataOf = async (path: string): Promise<string> => (await ada.get(`${path}/raw`)).text

describe('a check', () => {
  it('accepts what is the same, without a new version', async () => {
    const path = await save('same', { v: 1 })
    expect(outcome(await check(path, { v: 1 }))).toEqual(['same', 'accepted', 1])
    expect(outcome(await check(path, { v: 1 }, '?accept=never'))).toEqual(['same', 'pending', null])
  })

  it('accepts what the contract allows only if it is asked to', async () => {
    const rules = { tolerance: [{ path: '/price', absolute: '0.05' }], ignore: ['/at'] }
    const path = await save('allowed', { price: 1, at: 'monday' }, rules)
    const first = await check(path, { price: 1.04, at: 'tuesday' })
    expect(outcome(first)).toEqual(['allowed', 'pending', null])
    expect(await dataOf(path)).toBe('{"price":1,"at":"monday"}')
    const second = await check(path, { price: 1.04, at: 'tuesday' }, '?accept=allowed')
    expect(outcome(second)).toEqual(['allowed', 'accepted', 2])
    expect(await dataOf(path)).toBe('{"price":1.04,"at":"tuesday"}')
    const { revisions } = (await ada.get(`${path}/revisions`)).json<{ revisions: object[] }>()
    expect(revisions).toMatchObject([{ version: 2, principal: { kind: 'ci_job' } }, { version: 1 }])
  })

  it('says what breaks, with the spelling of each value, and waits for the owner', async () => {
    const path = await save('breaks', { rows: [{ price: 1 }] })
    const response = await job.post(
      `${path}/checks?accept=allowed&source=https%3A%2F%2Fci.example%2F7`,
      '{"data":{"rows":[{"price":1.00}]},"title":"Run 7"}',
    )
    const found = response.json<Checked>()
    expect(found, response.text).toMatchObject({
      ...{ verdict: 'breaks', state: 'pending', as: 'json', counts: { breaks: 1, allowed: 0 } },
      breaks: [{ pointer: '/rows/0/price', rule: 'value', baseline: '1', candidate: '1.00' }],
      ...{ truncated: false, baseline_version: 1, contract_version: null, version: null },
      ...{ name: 'breaks', tool: 'json', title: 'Run 7', source: 'https://ci.example/7', note: null },
      ...{ size_bytes: 25, principal: { kind: 'ci_job' }, decided_at: null, decided_by: null },
      url: `${system.baseUrl()}/checks/${found.id}`,
      raw_url: `${system.baseUrl()}/api/checks/${found.id}/raw`,
    })
    expect(response.headers.get('location')).toBe(`${system.baseUrl()}/api/checks/${found.id}`)
    const read = await ada.get(`/api/checks/${found.id}`)
    expect(read.json()).toEqual(found)
    const etag = read.headers.get('etag') ?? ''
    expect(response.headers.get('etag')).toBe(etag)
    expect((await ada.get(`/api/checks/${found.id}`, { 'If-None-Match': etag })).status).toBe(304)
    const baseline = new URL(String(found.baseline_url))
    expect((await ada.get(baseline.pathname)).text).toBe('{"rows":[{"price":1}]}')
    const plain = await job.post(`${path}/checks`, { data: { rows: [] } }, { Accept: 'text/plain' })
    expect(plain.text).toMatch(/\/checks\/[0-9A-Za-z]{22}\n$/)
  })

  it('that is approved becomes the version that every read shows at once', async () => {
    const path = await save('approved', { v: 1 }, {})
    expect(await dataOf(path)).toBe('{"v":1}')
    const before = await ada.get(path)
    const { id } = await check(path, { v: 2 })
    const approved = await decide(id, 'approve', { note: 'As agreed.\nSee the ticket.' })
    expect(approved.json(), approved.text).toMatchObject({
      ...{ state: 'approved', version: 2, note: 'As agreed.\nSee the ticket.' },
      decided_by: { kind: 'owner', id: null },
    })
    const after = await ada.get(path, { 'If-None-Match': before.headers.get('etag') ?? '' })
    expect([after.status, after.json().data]).toEqual([200, { v: 2 }])
    expect(await dataOf(path)).toBe('{"v":2}')
    expect((await ada.get(`/api/checks/${id}/raw`)).text).toBe('{"v":2}')
    const { revisions } = (await ada.get(`${path}/revisions`)).json<{ revisions: object[] }>()
    expect(revisions[0]).toMatchObject({ version: 2, principal: { kind: 'owner', check_id: id } })
    expect(outcome(await check(path, { v: 2 }))).toEqual(['same', 'accepted', 2])
    expect((await decide(id, 'reject')).json()).toMatchObject({ status: 409, code: 'check_decided' })
  })

  it('that is rejected is kept without its data', async () => {
    const path = await save('rejected', { v: 1 })
    const { id } = await check(path, { v: 2 })
    expect((await decide(id, 'reject', {})).json()).toMatchObject({ state: 'rejected', version: null })
    expect((await ada.get(`/api/checks/${id}/raw`)).json()).toMatchObject({ status: 404, code: 'not_found' })
    expect(await dataOf(path)).toBe('{"v":1}')
    expect((await decide(id, 'approve')).json().code).toBe('check_decided')
  })

  it('whose baseline is not the current version any more cannot be approved', async () => {
    const path = await save('moved', { v: 1 })
    const { id } = await check(path, { v: 2 })
    await ada.patch(path, { data: { v: 3 } })
    expect((await decide(id, 'approve')).json()).toMatchObject({ status: 409, code: 'baseline_changed' })
    expect((await decide(id, 'reject')).status).toBe(200)
  })

  it('of a name that no snippet has makes it when it is approved', async () => {
    const path = '/api/snippets/@newcomer'
    const untold = await job.post(`${path}/checks`, { data: { v: 1 } })
    expect([untold.status, untold.json().code]).toEqual([400, 'validation_failed'])
    const made = await job.post(`${path}/checks`, { data: { v: 1 }, tool: 'json', title: 'First' })
    const found = made.json<Checked>()
    expect(outcome(found)).toEqual(['new', 'pending', null])
    expect(found).toMatchObject({
      snippet_id: null,
      name: 'newcomer',
      baseline_version: null,
      baseline_url: null,
    })
    expect((await ada.get(path)).status).toBe(404)
    const { checks } = (await ada.get(`${path}/checks`)).json<{ checks: Checked[] }>()
    expect(checks.map(({ id }) => id)).toEqual([found.id])
    expect((await decide(found.id, 'approve')).json()).toMatchObject({ state: 'approved', version: 1 })
    expect((await ada.get(path)).json()).toMatchObject({ name: 'newcomer', title: 'First', data: { v: 1 } })
    expect((await ada.get('/api/snippets/@nothing/checks')).status).toBe(404)
  })

  it('is approved by nobody who may only write, and seen by no other account', async () => {
    const path = await save('theirs', { v: 1 }, {})
    const { id } = await check(path, { v: 2 })
    const writer = (await makeKey(system, ada, { scopes: ['read', 'write'] })).client
    for (const client of [job, writer])
      for (const how of ['approve', 'reject'] as const)
        expect((await decide(id, how, {}, client)).json()).toMatchObject({
          status: 403,
          code: 'insufficient_scope',
        })
    for (const at of [`/api/checks/${id}`, `/api/checks/${id}/raw`])
      expect((await bob.get(at)).json().code).toBe('not_owner')
    for (const how of ['approve', 'reject'] as const)
      expect((await decide(id, how, {}, bob)).json()).toMatchObject({ status: 403, code: 'not_owner' })
    const { id: snippet } = (await ada.get(path)).json()
    const stranger = await bob.post(`/api/snippets/${snippet}/checks`, { data: { v: 2 } })
    expect(stranger.json()).toMatchObject({ status: 403, code: 'not_owner' })
    expect((await bob.get(`/api/snippets/${snippet}/checks`)).json().code).toBe('not_owner')
    const approver = (await makeKey(system, ada, { scopes: ['approve'] })).client
    const approved = await decide(id, 'approve', {}, approver)
    expect(approved.json(), approved.text).toMatchObject({
      state: 'approved',
      decided_by: { kind: 'api_key' },
    })
    for (const unknown of ['0'.repeat(22), 'none'])
      expect((await ada.get(`/api/checks/${unknown}`)).json()).toMatchObject({
        status: 404,
        code: 'not_found',
      })
  })

  it('and its decision are in the history of the account', async () => {
    const path = await save('told', { v: 1 })
    const { id: one } = await check(path, { v: 2 })
    const { id: two } = await check(path, { v: 3 })
    await decide(one, 'reject')
    await decide(two, 'approve')
    const types = async (): Promise<string[]> => {
      const { events } = (await ada.get('/api/events?type=check&limit=100')).json<{
        events: { type: string; detail: { check?: string } }[]
      }>()
      return events.filter(({ detail }) => [one, two].includes(detail.check ?? '')).map(({ type }) => type)
    }
    await until(async () => (await types()).length === 4)
    expect((await types()).sort()).toEqual(['check.approved', 'check.broke', 'check.broke', 'check.rejected'])
  })
})
