import { afterAll, beforeAll, expect, it } from 'vitest'
import { everybody, made, matrix, type Row, type Who, why } from './harness/access-rows.js'
import { type ApiClient, type ApiResponse, apiClient } from './harness/api-client.js'
import { makeKey } from './harness/api-keys.js'
import { clientOfJob, type FakeCiIssuer, githubClaims, startFakeCiIssuer } from './harness/ci-issuer.js'
import { describedResponses } from './harness/described-responses.js'
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
    closing: await closingUser(),
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

async function closingUser(): Promise<ApiClient> {
  const user = await system.user('closing', 'pro')
  const claims = { auth_time: Math.floor(Date.now() / 1_000) }
  const token = await system.issuer.token('closing', claims)
  const fresh = apiClient(system.baseUrl(), { Authorization: `Bearer ${token}` })
  const closed = await fresh.request('DELETE', '/api/account', { body: { confirm: 'closing@example.com' } })
  expect(closed.status, closed.text).toBe(202)
  return user
}

/** An account that only operators change; its own credentials may be refused by then. */
async function victim(): Promise<string> {
  await (await system.user('victim')).get('/api/auth/profile')
  const found = await (await operatorOf()).get('/api/operator/accounts?q=victim@example.com')
  return found.json<{ accounts: { id: string }[] }>().accounts[0]?.id ?? ''
}

/** A resource of the owner's, or one that operators see. */
async function makeResource({ of, made: other }: Row, owner: ApiClient): Promise<string> {
  if (of === undefined) return ''
  if (of === 'accounts') return victim()
  if (of === 'contracts' || of === 'checks') {
    const { id } = (await owner.post('/api/snippets', made.snippets)).json<{ id: string }>()
    if (of === 'checks')
      return (await owner.post(`/api/snippets/${id}/checks`, { data: { v: 2 } })).json<{ id: string }>().id
    await owner.request('PUT', `/api/snippets/${id}/contract`, { body: {} })
    return id
  }
  const resource = of === 'reports' ? 'shares' : of
  const { id } = (await owner.post(`/api/${resource}`, other ?? made[resource])).json<{ id: string }>()
  if (of !== 'reports') return id
  await system.anyone().post('/api/reports', { share: id, reason: 'other' })
  const found = await (await operatorOf()).get(`/api/operator/reports?share=${id}`)
  return found.json<{ reports: { id: string }[] }>().reports[0]?.id ?? ''
}

function withId(body: object | string, id: string): object | string {
  return typeof body === 'string' ? body : (JSON.parse(JSON.stringify(body).replace('{id}', id)) as object)
}

it('every route gives each caller exactly what they may see', { timeout: 600_000 }, async () => {
  const owner = await system.user('owner', 'pro')
  const callers = await callersOf(owner)
  const described = await describedResponses(owner)
  for (const [operation, row] of Object.entries(matrix)) {
    for (const who of everybody) {
      const id = await makeResource(row, owner)
      const [, place = ''] = operation.split(' ')
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
      described.check(described.document.paths[place]?.[method], response, context)
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
