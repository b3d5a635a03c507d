import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ApiClient, type ApiResponse, apiClient } from './harness/api-client.js'
import { makeKey } from './harness/api-keys.js'
import { clientOfJob, type FakeCiIssuer, githubClaims, startFakeCiIssuer } from './harness/ci-issuer.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess
let github: FakeCiIssuer

beforeAll(async () => {
  github = await startFakeCiIssuer(githubClaims, 'github')
  const env = {
    PLAN_PRO_API_KEYS: '20',
    CI_ISSUERS: `github=github+${github.url}`,
    OPERATOR_CLAIM: 'groups:operators',
  }
  system = await startSystem({ env, payments: {} })
})
afterAll(async () => {
  await system?.stop()
  await github?.stop()
})

const everybody = [
  'nobody',
  'owner',
  'another',
  'key',
  'read-only key',
  'write-only key',
  'expired key',
  'revoked key',
  'key of a lapsed owner',
  'CI job',
  'read-only CI job',
  'CI job of a lapsed owner',
  'operator',
  'suspended',
] as const
type Who = (typeof everybody)[number]

/** The expected response: the status, and the code if it is an error. */
type Outcome = number | readonly [number, string]

type Made = 'snippets' | 'shares' | 'history' | 'keys' | 'trusted-publishers'

/** The expected responses for each caller; `{id}` is a resource of the owner's, created for every request. */
interface Row {
  readonly of?: Made | 'accounts' | 'reports'
  /** `{base}` is the address of the system. */
  readonly query?: string
  readonly body?: object | string
  readonly headers?: Readonly<Record<string, string>>
  readonly expected: Readonly<Record<Who, Outcome>>
}

const valid = { tool: 'csv', title: 'Matrix', data: { v: 1 } }
const made: Readonly<Record<Made, object>> = {
  snippets: valid,
  shares: valid,
  history: { tool: 'csv' },
  keys: { name: 'Matrix' },
  'trusted-publishers': { name: 'Matrix', issuer: 'github', repository: 'a/b' },
}

const badKey: Outcome = [401, 'invalid_api_key']
const missing: Outcome = [401, 'missing_credentials']
const badKeys = {
  nobody: missing,
  suspended: [403, 'account_suspended'],
  'expired key': badKey,
  'revoked key': badKey,
  'key of a lapsed owner': [403, 'pro_required'],
  'CI job of a lapsed owner': [403, 'pro_required'],
} as const satisfies Partial<Record<Who, Outcome>>

/** A route that reads: what a valid caller gets, and what another one gets of the owner's. */
function reads(another: Outcome = 200): Row['expected'] {
  const tooLittle: Outcome = [403, 'insufficient_scope']
  const keys = { key: 200, 'read-only key': 200, 'write-only key': tooLittle }
  const jobs = { 'CI job': 200, 'read-only CI job': 200 }
  return { ...badKeys, ...keys, ...jobs, owner: 200, another, operator: another }
}

/** The same for a route that writes. */
function writes(good = 200, another: Outcome = good): Row['expected'] {
  const tooLittle: Outcome = [403, 'insufficient_scope']
  const keys = { key: good, 'read-only key': tooLittle, 'write-only key': good }
  const jobs = { 'CI job': good, 'read-only CI job': tooLittle }
  return { ...badKeys, ...keys, ...jobs, owner: good, another, operator: another }
}

/** The same for a route that no API key may use. */
function byTokenAlone(good = 200, another: Outcome = good): Row['expected'] {
  const refused: Outcome = [403, 'identity_token_required']
  const keys = { key: refused, 'read-only key': refused, 'write-only key': refused }
  const jobs = { 'CI job': refused, 'read-only CI job': refused }
  return { ...badKeys, ...keys, ...jobs, owner: good, another, operator: another }
}

/** The same for a route of operators, which does not exist for others who have signed in. */
function byOperator(good = 200): Row['expected'] {
  const hidden: Outcome = [404, 'not_found']
  return { ...byTokenAlone(), owner: hidden, another: hidden, operator: good }
}

const notOwner: Outcome = [403, 'not_owner']
const unsigned: Outcome = [400, 'invalid_signature']
const unsignedByAll = Object.fromEntries(everybody.map((who) => [who, unsigned])) as Record<Who, Outcome>
const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
const unproven: Outcome = [400, 'invalid_grant']
const unprovenByAll = Object.fromEntries(everybody.map((who) => [who, unproven])) as Record<Who, Outcome>
const open = Object.fromEntries(everybody.map((who) => [who, 200])) as Record<Who, Outcome>

const why = { reason: 'a test' }

const matrix: Readonly<Record<string, Row>> = {
  'get /api/snippets': { expected: reads() },
  'post /api/snippets': { body: valid, expected: writes(201) },
  'put /api/snippets': { body: valid, expected: writes(201) },
  'get /api/snippets/{id}': { of: 'snippets', expected: reads(notOwner) },
  'get /api/snippets/{id}/raw': { of: 'snippets', expected: reads(notOwner) },
  'patch /api/snippets/{id}': { of: 'snippets', body: { title: 'Changed' }, expected: writes(200, notOwner) },
  'put /api/snippets/{id}': { of: 'snippets', body: valid, expected: writes(200, notOwner) },
  'delete /api/snippets/{id}': { of: 'snippets', expected: writes(200, notOwner) },
  'get /api/snippets/{id}/revisions': { of: 'snippets', expected: reads(notOwner) },
  'get /api/snippets/{id}/revisions/{version}': { of: 'snippets', expected: reads(notOwner) },
  'get /api/snippets/{id}/revisions/{version}/raw': { of: 'snippets', expected: reads(notOwner) },
  'post /api/snippets/{id}/restore': {
    of: 'snippets',
    body: { version: 1 },
    expected: writes(200, notOwner),
  },
  'post /api/shares': { body: valid, expected: writes(201) },
  'put /api/shares': { body: valid, expected: writes(201) },
  'get /api/shares': { expected: reads() },
  'get /api/shares/{id}': { of: 'shares', expected: open },
  'get /api/shares/{id}/raw': { of: 'shares', expected: open },
  'get /oembed': { of: 'shares', query: '?url={base}/s/{id}', expected: open },
  'delete /api/shares/{id}': { of: 'shares', expected: writes(200, notOwner) },
  'post /api/reports': {
    of: 'shares',
    body: { share: '{id}', reason: 'other' },
    expected: Object.fromEntries(everybody.map((who) => [who, 201])) as Record<Who, Outcome>,
  },
  'post /api/compare': { body: { a: { data: {} }, b: { data: { v: 1 } } }, expected: reads() },
  'get /api/tools': { expected: open },
  'post /api/tools/{name}': { body: {}, expected: reads() },
  'post /api/history': { body: made.history, expected: writes(201) },
  'get /api/history': { expected: reads() },
  'delete /api/history': { expected: writes() },
  'get /api/history/{id}': { of: 'history', expected: reads(notOwner) },
  'delete /api/history/{id}': { of: 'history', expected: writes(200, notOwner) },
  'post /api/keys': { body: made.keys, expected: byTokenAlone(201) },
  'get /api/keys': { expected: byTokenAlone() },
  'get /api/keys/{id}': { of: 'keys', expected: byTokenAlone(200, notOwner) },
  'get /api/keys/{id}/usage': { of: 'keys', expected: byTokenAlone(200, notOwner) },
  'delete /api/keys/{id}': { of: 'keys', expected: byTokenAlone(200, notOwner) },
  'post /api/keys/{id}/rotate': { of: 'keys', body: {}, expected: byTokenAlone(201, notOwner) },
  'delete /api/keys/{id}/previous': { of: 'keys', expected: byTokenAlone(404, notOwner) },
  'post /api/keys/revoke': { body: { key: 'snk_unknown' }, expected: open },
  'post /api/trusted-publishers': { body: made['trusted-publishers'], expected: byTokenAlone(201) },
  'get /api/trusted-publishers': { expected: byTokenAlone() },
  'get /api/trusted-publishers/{id}': { of: 'trusted-publishers', expected: byTokenAlone(200, notOwner) },
  'get /api/trusted-publishers/{id}/events': {
    of: 'trusted-publishers',
    expected: byTokenAlone(200, notOwner),
  },
  'patch /api/trusted-publishers/{id}': {
    of: 'trusted-publishers',
    body: {},
    expected: byTokenAlone(200, notOwner),
  },
  'delete /api/trusted-publishers/{id}': { of: 'trusted-publishers', expected: byTokenAlone(200, notOwner) },
  'post /api/oauth/token': {
    headers: form,
    body: `grant_type=urn:ietf:params:oauth:grant-type:token-exchange&subject_token=a.b.c&subject_token_type=urn:ietf:params:oauth:token-type:jwt&trusted_publisher=tp_${'A'.repeat(22)}`,
    expected: unprovenByAll,
  },
  'post /api/oauth/revoke': { headers: form, body: 'token=nobodys', expected: open },
  'get /api/subscription': { expected: byTokenAlone() },
  'post /api/subscription/checkout': { body: { interval: 'month' }, expected: byTokenAlone(201) },
  // These find customers that checkouts created, whether they have paid or not.
  'post /api/subscription/portal': { expected: byTokenAlone(201) },
  'post /api/subscription/cancel': { expected: byTokenAlone(404) },
  'post /api/subscription/resume': { expected: byTokenAlone(404) },
  'post /api/webhooks/stripe': { expected: unsignedByAll },
  'get /api/auth/profile': { expected: reads() },
  'get /api/events': { expected: reads() },
  'get /api/plans': { expected: open },
  'get /api/operator/reports': { expected: byOperator() },
  'post /api/operator/reports/{id}/resolve': { of: 'reports', body: why, expected: byOperator() },
  'get /api/operator/accounts': { query: '?q=victim@example.com', expected: byOperator() },
  'get /api/operator/accounts/{id}': { of: 'accounts', expected: byOperator() },
  'get /api/operator/accounts/{id}/events': { of: 'accounts', expected: byOperator() },
  'get /api/operator/accounts/{id}/shares': { of: 'accounts', expected: byOperator() },
  'post /api/operator/accounts/{id}/suspend': { of: 'accounts', body: why, expected: byOperator() },
  'post /api/operator/accounts/{id}/resume': { of: 'accounts', body: why, expected: byOperator() },
  'post /api/operator/accounts/{id}/grant-plan': {
    of: 'accounts',
    body: { ...why, plan: 'pro', expires_in: 3_600 },
    expected: byOperator(),
  },
  'post /api/operator/accounts/{id}/end-grant': { of: 'accounts', body: why, expected: byOperator() },
  'get /api/operator/shares/{id}': { of: 'shares', expected: byOperator() },
  'post /api/operator/shares/{id}/disable': { of: 'shares', body: why, expected: byOperator() },
  'post /api/operator/shares/{id}/enable': { of: 'shares', body: why, expected: byOperator() },
  'get /api/operator/acts': { expected: byOperator() },
  'get /api/operator/queues': { expected: byOperator() },
  'get /api/openapi.json': { expected: open },
  'get /api/docs': { expected: open },
  // Any scope: the request behind each tool is checked for its own.
  'post /mcp': {
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    headers: { Accept: 'application/json, text/event-stream' },
    expected: { ...writes(), 'read-only key': 200, 'read-only CI job': 200 },
  },
  'get /healthz': { expected: open },
  'get /readyz': { expected: open },
}

async function operations(): Promise<string[]> {
  const document = (await system.anyone().get('/api/openapi.json')).json<{ paths: Record<string, object> }>()
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method} ${path}`),
  )
}

/** No cache keeps private responses; every response has the browser's security headers. */
function expectSafeHeaders(operation: string, { headers, status }: ApiResponse): void {
  const context = `${operation}: ${status}`
  const caching = headers.get('cache-control') ?? ''
  const isPrivate = matrix[operation]?.expected.nobody !== 200
  // A page with a nonce is for one browser, so shared caches may not store it.
  const hasNonce = headers.get('content-security-policy')?.includes("'nonce-") === true
  const open = hasNonce ? /^(private, max-age=\d+|no-store)$/ : /^(public, max-age=\d+|no-store)$/
  expect(caching, context).toMatch(isPrivate ? /^(private, no-cache|no-store)$/ : open)
  expect(headers.get('x-content-type-options'), context).toBe('nosniff')
  expect(headers.get('content-security-policy'), context).toContain("default-src 'none'")
  expect(headers.get('referrer-policy'), context).toBe('no-referrer')
  expect(headers.get('strict-transport-security'), context).toContain('max-age=31536000')
  expect(headers.get('cross-origin-resource-policy'), context).toMatch(/^(same|cross)-origin$/)
  expect(headers.get('x-request-id'), context).toMatch(/^[A-Za-z0-9._-]{1,128}$/)
  expect(headers.get('x-powered-by'), context).toBeNull()
}

it('every route of the OpenAPI document has a row', async () => {
  expect((await operations()).sort()).toEqual(Object.keys(matrix).sort())
})

async function callersOf(owner: ApiClient): Promise<Record<Who, ApiClient>> {
  const lapser = await system.user('lapsed', 'pro')
  const lapsed = await makeKey(system, lapser)
  const lapsedJob = await clientOfJob(system, lapser, github, ['read', 'write'])
  const expired = await makeKey(system, owner)
  const revoked = await makeKey(system, owner)
  const readOnly = await makeKey(system, owner, { scopes: ['read'] })
  const writeOnly = await makeKey(system, owner, { scopes: ['write'] })
  await system.setPlan('lapsed', 'free')
  await system.expireKey(expired.id)
  expect((await owner.delete(`/api/keys/${revoked.id}`)).status).toBe(200)
  return {
    nobody: system.anyone(),
    owner,
    another: await system.user('another', 'pro'),
    key: (await makeKey(system, owner)).client,
    'read-only key': readOnly.client,
    'write-only key': writeOnly.client,
    'expired key': expired.client,
    'revoked key': revoked.client,
    'key of a lapsed owner': lapsed.client,
    'CI job': await clientOfJob(system, owner, github, ['read', 'write']),
    'read-only CI job': await clientOfJob(system, owner, github, ['read']),
    'CI job of a lapsed owner': lapsedJob,
    operator: await operatorOf(),
    suspended: await suspendedUser(),
  }
}

async function operatorOf(): Promise<ApiClient> {
  await system.setPlan('operator', 'pro')
  const token = await system.issuer.token('operator', { groups: ['users', 'operators'] })
  return apiClient(system.baseUrl(), { Authorization: `Bearer ${token}` })
}

async function accountOf(user: ApiClient): Promise<string> {
  return (await user.get('/api/auth/profile')).json<{ id: string }>().id
}

async function suspendedUser(): Promise<ApiClient> {
  const user = await system.user('suspended', 'pro')
  const path = `/api/operator/accounts/${await accountOf(user)}/suspend`
  expect((await (await operatorOf()).post(path, why)).status).toBe(200)
  return user
}

/** A resource of the owner's, or one that operators see. */
async function makeResource(of: Row['of'], owner: ApiClient): Promise<string> {
  if (of === undefined) return ''
  if (of === 'accounts') return accountOf(await system.user('victim'))
  const resource = of === 'reports' ? 'shares' : of
  const { id } = (await owner.post(`/api/${resource}`, made[resource])).json<{ id: string }>()
  if (of !== 'reports') return id
  await system.anyone().post('/api/reports', { share: id, reason: 'other' })
  const found = await (await operatorOf()).get(`/api/operator/reports?share=${id}`)
  return found.json<{ reports: { id: string }[] }>().reports[0]?.id ?? ''
}

function withId(body: object | string, id: string): object | string {
  return typeof body === 'string' ? body : (JSON.parse(JSON.stringify(body).replace('{id}', id)) as object)
}

it('every route gives each caller exactly what they may see', async () => {
  const owner = await system.user('owner', 'pro')
  const callers = await callersOf(owner)
  for (const [operation, row] of Object.entries(matrix)) {
    for (const who of everybody) {
      const id = await makeResource(row.of, owner)
      const [method = '', template = ''] = operation.replace('{name}', 'json-format').split(' ')
      const query = (row.query ?? '').replace('{base}', system.baseUrl())
      const path = `${template}${query}`.replace('{id}', id).replace('{version}', '1')
      const response = await callers[who].request(
        method.toUpperCase(),
        path,
        row.body === undefined ? {} : { body: withId(row.body, id), headers: row.headers ?? {} },
      )
      const outcome = row.expected[who]
      const [status, code] = typeof outcome === 'number' ? [outcome, undefined] : outcome
      const context = `${operation} as ${who}: ${response.text}`
      expect(response.status, context).toBe(status)
      if (code !== undefined) expect(response.json().code, context).toBe(code)
      expectSafeHeaders(operation, response)
      if (status === 401) expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/)
      if (row.of === 'keys' && !path.endsWith('/keys')) await owner.delete(`/api/keys/${id}`)
      if (row.of === 'trusted-publishers') await owner.delete(`/api/trusted-publishers/${id}`)
      if (/^post \/api\/(keys|trusted-publishers)$/.test(operation) && status === 201) {
        await callers[who].delete(`${template}/${response.json<{ id: string }>().id}`)
      }
    }
  }
})

it('an unknown id of any form is 404 to every authenticated caller', async () => {
  const user = await system.user('finder', 'pro')
  const ids = [
    'A'.repeat(22),
    'x',
    '0',
    'null',
    '%00',
    '%2e%2e',
    'a%2fb',
    '٣'.repeat(22),
    'A'.repeat(5_000),
    '1 OR 1=1',
    "'--",
  ]
  for (const id of ids.map((raw) => (raw.includes('%') ? raw : encodeURIComponent(raw)))) {
    for (const path of [
      `/api/snippets/${id}`,
      `/api/snippets/${id}/raw`,
      `/api/snippets/${id}/revisions`,
      `/api/snippets/${id}/revisions/1`,
      `/api/shares/${id}`,
      `/api/shares/${id}/raw`,
      `/api/history/${id}`,
      `/api/keys/${id}`,
      `/api/keys/${id}/usage`,
    ]) {
      expect((await user.get(path)).status, path).toBe(404)
    }
    for (const of of ['snippets', 'shares', 'history', 'keys', 'trusted-publishers'])
      expect((await user.delete(`/api/${of}/${id}`)).status).toBe(404)
    expect((await user.patch(`/api/snippets/${id}`, { title: 'x' })).status).toBe(404)
  }
  expect((await user.get('/api/snippets/%ff')).status).toBe(400)
  expect((await user.get('/api/snippets/%')).status).toBe(400)
})
