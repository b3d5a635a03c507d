import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Answer, ApiClient } from './harness/api-client.js'
import { startSystem, type TestSystem } from './harness/system.js'

let system: TestSystem

beforeAll(async () => {
  system = await startSystem()
})
afterAll(() => system?.stop())

type Who = 'nobody' | 'owner' | 'another'

/** What each caller gets of a route; `{id}` is a resource of the owner's, made anew for every request. */
interface Row {
  readonly of?: 'snippet' | 'share'
  readonly body?: object
  readonly expected: Readonly<Record<Who, number>>
}

const valid = { tool: 'csv', title: 'Matrix', data: { v: 1 } }
const account = { nobody: 401, owner: 200, another: 200 }
const ofOwner = { nobody: 401, owner: 200, another: 403 }
const open = { nobody: 200, owner: 200, another: 200 }

const matrix: Readonly<Record<string, Row>> = {
  'get /api/snippets': { expected: account },
  'post /api/snippets': { body: valid, expected: { nobody: 401, owner: 201, another: 201 } },
  'get /api/snippets/{id}': { of: 'snippet', expected: ofOwner },
  'get /api/snippets/{id}/raw': { of: 'snippet', expected: ofOwner },
  'patch /api/snippets/{id}': { of: 'snippet', body: { title: 'Changed' }, expected: ofOwner },
  'delete /api/snippets/{id}': { of: 'snippet', expected: ofOwner },
  'post /api/shares': { body: valid, expected: { nobody: 401, owner: 201, another: 201 } },
  'get /api/shares': { expected: account },
  'get /api/shares/{id}': { of: 'share', expected: open },
  'get /api/shares/{id}/raw': { of: 'share', expected: open },
  'delete /api/shares/{id}': { of: 'share', expected: ofOwner },
  'get /api/auth/profile': { expected: account },
  'get /api/plans': { expected: open },
  'get /api/openapi.json': { expected: open },
  'get /api/docs': { expected: open },
  'get /healthz': { expected: open },
  'get /readyz': { expected: open },
}

async function operations(): Promise<string[]> {
  const document = (await system.anyone().get('/api/openapi.json')).json<{ paths: Record<string, object> }>()
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method} ${path}`),
  )
}

/** Private answers are never kept by a cache in between; every answer says how a browser must treat it. */
function expectSafeHeaders(operation: string, { headers, status }: Answer): void {
  const told = `${operation}: ${status}`
  const caching = headers.get('cache-control') ?? ''
  const isPrivate = matrix[operation]?.expected.nobody === 401
  expect(caching, told).toMatch(
    isPrivate ? /^(private, no-cache|no-store)$/ : /^(public, max-age=\d+|no-store)$/,
  )
  expect(headers.get('x-content-type-options'), told).toBe('nosniff')
  expect(headers.get('content-security-policy'), told).toContain("default-src 'none'")
  expect(headers.get('referrer-policy'), told).toBe('no-referrer')
  expect(headers.get('strict-transport-security'), told).toContain('max-age=31536000')
  expect(headers.get('cross-origin-resource-policy'), told).toMatch(/^(same|cross)-origin$/)
  expect(headers.get('x-request-id'), told).toMatch(/^[A-Za-z0-9._-]{1,128}$/)
  expect(headers.get('x-powered-by'), told).toBeNull()
}

it('every route of the OpenAPI document has a row', async () => {
  expect((await operations()).sort()).toEqual(Object.keys(matrix).sort())
})

it('every route gives each caller what is theirs and nothing else', async () => {
  const owner = await system.user('owner', 'pro')
  const callers: Record<Who, ApiClient> = {
    nobody: system.anyone(),
    owner,
    another: await system.user('another', 'pro'),
  }
  for (const [operation, row] of Object.entries(matrix)) {
    for (const who of Object.keys(callers) as Who[]) {
      const made = row.of === undefined ? undefined : await owner.post(`/api/${row.of}s`, valid)
      const id = made?.json<{ id: string }>().id ?? ''
      const [method = '', template = ''] = operation.split(' ')
      const path = template.replace('{id}', id)
      const answer = await callers[who].request(
        method.toUpperCase(),
        path,
        row.body === undefined ? {} : { body: row.body },
      )
      expect(answer.status, `${operation} as ${who}: ${answer.text}`).toBe(row.expected[who])
      expectSafeHeaders(operation, answer)
      if (answer.status === 401) expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
      if (answer.status === 403) expect(answer.json().code).toBe('not_owner')
    }
  }
})

it('an unknown id is 404 to everyone who is known, of whatever shape it is', async () => {
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
      `/api/shares/${id}`,
      `/api/shares/${id}/raw`,
    ]) {
      expect((await user.get(path)).status, path).toBe(404)
    }
    expect((await user.delete(`/api/snippets/${id}`)).status).toBe(404)
    expect((await user.delete(`/api/shares/${id}`)).status).toBe(404)
    expect((await user.patch(`/api/snippets/${id}`, { title: 'x' })).status).toBe(404)
  }
  expect((await user.get('/api/snippets/%ff')).status).toBe(400)
  expect((await user.get('/api/snippets/%')).status).toBe(400)
})

it('accounts that look alike never meet: issuer and subject alone tell who somebody is', async () => {
  const pairs: [string, string][] = [
    ['kelvin', 'Kelvin'],
    ['kim', '\u006bim'.toUpperCase()],
    ['user', 'user '],
    ['a.b', 'a.B'],
    ['1', '01'],
  ]
  for (const [one, other] of pairs) {
    const claims = { email: 'same@example.com', email_verified: true }
    const clients = await Promise.all(
      [one, other].map(async (subject) => {
        const token = await system.issuer.token(subject, claims)
        return { get: (path: string) => system.anyone().get(path, { Authorization: `Bearer ${token}` }) }
      }),
    )
    const ids = await Promise.all(
      clients.map(async (client) => (await client.get('/api/auth/profile')).json().id),
    )
    expect(new Set(ids).size, `${one} and ${other}`).toBe(2)
  }
})
