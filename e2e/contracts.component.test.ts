import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient, ApiResponse } from './harness/api-client.js'
import { makeKey } from './harness/api-keys.js'
import { clientOfJob, type FakeCiIssuer, githubClaims, startFakeCiIssuer } from './harness/ci-issuer.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess
let github: FakeCiIssuer
let ada: ApiClient
let bob: ApiClient

beforeAll(async () => {
  github = await startFakeCiIssuer(githubClaims, 'github')
  system = await startSystem({ env: { CI_ISSUERS: `github=github+${github.url}` } })
  ada = await system.user('ada', 'pro')
  bob = await system.user('bob')
})
afterAll(async () => {
  await system?.stop()
  await github?.stop()
})

const put = (path: string, body: unknown, headers = {}, client = ada): Promise<ApiResponse> =>
  client.request('PUT', path, { body, headers })

/** A snippet of this name, and the path of its contract. */
async function save(name: string, data: object = { v: 1 }, client = ada): Promise<string> {
  const response = await put(`/api/snippets/@${name}`, { tool: 'json', title: name, data }, {}, client)
  expect(response.status, response.text).toBe(201)
  return `/api/snippets/@${name}/contract`
}

describe('a contract', () => {
  it('is created, read, replaced and deleted, with its rules exactly as sent', async () => {
    const path = await save('life')
    expect((await ada.get(path)).json()).toMatchObject({ status: 404, code: 'not_found' })
    const rules = '{ "tolerance": [{"path": "/v", "absolute": "0.10"}],\n  "schema": {"maximum": 1e400} }'
    const made = await put(path, rules)
    expect(made.status, made.text).toBe(201)
    expect(made.text).toContain(`"rules":${rules},`)
    expect(made.json()).toMatchObject({ version: 1, principal: { kind: 'owner', id: null, label: null } })
    const etag = made.headers.get('etag') ?? ''
    const read = await ada.get(path)
    expect([read.status, read.text, read.headers.get('etag')]).toEqual([200, made.text, etag])
    expect((await ada.get(path, { 'If-None-Match': etag })).status).toBe(304)
    const replaced = await put(path, '{"compare":"shape"}', { 'If-Match': etag })
    expect([replaced.status, replaced.json().version]).toEqual([200, 2])
    expect((await ada.delete(path, { 'If-Match': etag })).status).toBe(412)
    const deleted = await ada.delete(path)
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    expect((await ada.get(path)).status).toBe(404)
    expect((await ada.delete(path)).status).toBe(404)
  })

  it('is created or replaced only as the conditions say', async () => {
    const path = await save('conditions')
    expect((await put(path, '{}', { 'If-Match': '"none"' })).status).toBe(412)
    expect((await put(path, '{}', { 'If-None-Match': '*' })).status).toBe(201)
    expect((await put(path, '{}', { 'If-None-Match': '*' })).json()).toMatchObject({
      ...{ status: 412, code: 'precondition_failed' },
    })
  })

  it.each([
    ['{"surprise":1}', '/surprise'],
    ['{"tolerance":[{"path":"/v"}]}', '/tolerance/0'],
    ['{"pattern":[{"path":"/v","matches":"(a)\\\\1"}]}', '/pattern/0/matches'],
    ['{"schema":{"items":{"type":"thing"}}}', '/schema/items/type'],
    ['{"schema":{"snippet":"@none"}}', '/schema/snippet'],
    ['{"compare":"shape","order":"significant"}', '/order'],
  ])('with a mistake is refused with its place: %s', async (rules, pointer) => {
    await save(`wrong${pointer.replaceAll('/', '-').toLowerCase()}`)
    const path = `/api/snippets/@wrong${pointer.replaceAll('/', '-').toLowerCase()}/contract`
    const refused = await put(path, rules)
    expect(refused.json(), refused.text).toMatchObject({
      ...{ status: 400, code: 'validation_failed', pointer, errors: [{ pointer }] },
    })
    expect((await ada.get(path)).status).toBe(404)
  })

  it('is refused if it is no JSON object, too large, or for no snippet', async () => {
    const path = await save('refused')
    const code = async (body: string, headers = {}) => (await put(path, body, headers)).json().code
    expect(await code('[]')).toBe('malformed_json')
    expect(await code('{"a":1')).toBe('malformed_json')
    expect(await code('{}', { 'Content-Type': 'text/plain' })).toBe('unsupported_media_type')
    const large = await put(path, `{"ignore":["/${'x'.repeat(262_144)}"]}`)
    expect(large.json()).toMatchObject({ status: 413, code: 'contract_too_large', limit: 262_144 })
    expect((await put('/api/snippets/@nobody/contract', '{}')).status).toBe(404)
    expect((await put('/api/snippets/@nobody/contract', '{"surprise":1}')).status).toBe(404)
  })

  it('of another account is 403, and of a Free account the fourth is refused', async () => {
    const path = await save('mine')
    await put(path, '{}')
    const { snippet_id: id } = (await ada.get(path)).json()
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? { body: '{}' } : {}
      const refused = await bob.request(method, `/api/snippets/${id}/contract`, body)
      expect([refused.status, refused.json().code], method).toEqual([403, 'not_owner'])
    }
    const paths = await Promise.all(['a', 'b', 'c', 'd'].map((name) => save(name, { v: 1 }, bob)))
    for (const one of paths.slice(0, 3)) expect((await put(one, '{}', {}, bob)).status).toBe(201)
    expect((await put(paths[3] ?? '', '{}', {}, bob)).json()).toMatchObject({
      ...{ status: 403, code: 'contract_limit_reached' },
    })
    expect((await put(paths[0] ?? '', '{"compare":"shape"}', {}, bob)).status).toBe(200)
    const profile = (await bob.get('/api/auth/profile')).json<Record<string, Record<string, number>>>()
    expect([profile.limits?.contracts, profile.usage?.contracts]).toEqual([3, 3])
    const pro = (await ada.get('/api/auth/profile')).json<Record<string, Record<string, number>>>()
    expect(pro.limits?.contracts).toBeNull()
  })
})

describe('who may approve', () => {
  it('is the owner and a key with the scope; a job that has write cannot, nor go around the contract', async () => {
    const path = await save('guarded', { v: 0 })
    const snippet = path.replace('/contract', '')
    expect((await ada.patch(snippet, { data: { v: 1 } })).status).toBe(200)
    await put(path, '{}')
    const approver = (await makeKey(system, ada, { scopes: ['approve'] })).client
    const writer = (await makeKey(system, ada, { scopes: ['read', 'write'] })).client
    const job = await clientOfJob(system, ada, github, ['read', 'write'])
    expect((await put(path, '{}', {}, approver)).status).toBe(200)
    expect((await approver.get(path)).json().code).toBe('insufficient_scope')
    for (const client of [writer, job]) {
      expect((await client.get(path)).status).toBe(200)
      expect((await put(path, '{}', {}, client)).json().code).toBe('insufficient_scope')
      expect((await client.delete(path)).json().code).toBe('insufficient_scope')
      const around = [
        client.patch(snippet, { data: { v: 2 } }),
        put(snippet, { tool: 'json', title: 'guarded', data: { v: 2 } }, {}, client),
        client.patch(snippet, { name: 'other' }),
        client.patch(snippet, { name: null }),
        client.post(`${snippet}/restore`, { version: 1 }),
        client.delete(snippet),
        client.post('/api/tools/json-format?save=@guarded', '{"v":2}'),
      ]
      for (const response of await Promise.all(around))
        expect([response.status, response.json().code], response.text).toEqual([403, 'approval_required'])
      expect((await client.patch(snippet, { title: 'Renamed' })).status).toBe(200)
      expect((await put(snippet, { tool: 'json', title: 'T', data: { v: 1 } }, {}, client)).status).toBe(200)
    }
    expect((await ada.get(`${snippet}/raw`)).text).toBe('{"v":1}')
    expect((await ada.patch(snippet, { data: { v: 3 } })).status).toBe(200)
    const both = (await makeKey(system, ada, { scopes: ['write', 'approve'] })).client
    expect((await both.patch(snippet, { data: { v: 4 } })).status).toBe(200)
  })

  it('is never a trusted publisher', async () => {
    const rule = { name: 'job', issuer: 'github', repository: 'acme/website', scopes: ['write', 'approve'] }
    const refused = await ada.post('/api/trusted-publishers', rule)
    expect([refused.status, refused.json().code]).toEqual([400, 'validation_failed'])
  })
})

it('TOOLS=off takes no contract and no check, and leaves what can be read and decided', async () => {
  const other = await startSystem({ env: { TOOLS: 'off' } })
  try {
    const eve = await other.user('eve', 'pro')
    const path = await save('plain', { v: 1 }, eve)
    const checks = path.replace('/contract', '/checks')
    expect((await put(path, '{}', {}, eve)).status).toBe(405)
    expect((await eve.post(checks, { data: { v: 2 } })).status).toBe(405)
    const missing = [await eve.get(path), await eve.delete(path)].map((response) => response.json().detail)
    expect(missing).toEqual(Array(2).fill('This snippet has no contract.'))
    expect((await eve.get(checks)).json()).toEqual({ checks: [], next_cursor: null })
    const decision = await eve.post(`/api/checks/${'0'.repeat(22)}/approve`, {})
    expect([decision.status, decision.json().code]).toEqual([404, 'not_found'])
  } finally {
    await other.stop()
  }
})
