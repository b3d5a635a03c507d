import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient } from './harness/api-client.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess

beforeAll(async () => {
  system = await startSystem({ env: { RATE_LIMIT_STANDARD: '10000/60' } })
})
afterAll(() => system?.stop())

const subjects = [
  'user',
  'user-id',
  'userid',
  'account',
  'account-id',
  'owner',
  'owner-id',
  'caller',
  'role',
  'admin',
  'plan',
  'plan-version',
  'tenant',
  'email',
  'auth',
  'auth-user',
  'authenticated-user',
  'identity',
  'principal',
  'scopes',
  'api-key-id',
  'client-ip',
  'ip',
  'host',
  'proto',
  'port',
  'for',
  'uri',
  'url',
  'path',
  'method',
  'deadline',
  'timeout',
  'request-timeout',
]
const prefixes = [
  '',
  'x-',
  'x-internal-',
  'x-snipkeep-',
  'snipkeep-',
  'x-forwarded-',
  'x-original-',
  'x-rewrite-',
  'x-real-',
  'x-http-',
  'x-remote-',
  'remote-',
  'x-auth-request-',
  'x-envoy-',
  'x-amzn-oidc-',
  'x-ms-client-principal-',
  'x-goog-authenticated-',
  'grpc-',
  'x-grpc-',
  'cf-',
  'true-',
]
const suffixes = ['', '-bin']
const single = [
  'Forwarded',
  'Via',
  'X-Real-IP',
  'X-Client-IP',
  'True-Client-IP',
  'CF-Connecting-IP',
  'Fastly-Client-IP',
  'X-Cluster-Client-IP',
  'X-HTTP-Method-Override',
  'X-HTTP-Method',
  'X-Method-Override',
  'X-Original-URL',
  'X-Rewrite-URL',
  'Base-URL',
  'Proxy-Host',
  'Destination',
  'grpc-timeout',
  'grpc-encoding',
  'grpc-status',
  'te',
  'snipkeep-error-bin',
]

/** Every name in three spellings that careless code treats as equal. */
const spellings = [
  ...new Set(
    [
      ...single,
      ...prefixes.flatMap((prefix) =>
        subjects.flatMap((one) => suffixes.map((end) => `${prefix}${one}${end}`)),
      ),
    ]
      .filter((name) => !/^(host|method|te)$/i.test(name))
      .flatMap((name) => [name.toLowerCase(), name.toUpperCase(), name.toLowerCase().replaceAll('-', '_')]),
  ),
]

async function profileOf(client: ApiClient, headers: Record<string, string> = {}): Promise<unknown> {
  const response = await client.get('/api/auth/profile', headers)
  expect(response.status, JSON.stringify(headers)).toBe(200)
  return response.json()
}

describe('a header that an internal process might trust', () => {
  it('changes neither the caller, nor the plan, nor any output', async () => {
    const victim = await system.user('victim', 'pro')
    const user = await system.user('forger')
    const { id, plan } = (await victim.get('/api/auth/profile')).json<{ id: string; plan: string }>()
    const own = await profileOf(user)
    expect(own).toMatchObject({ plan: 'free' })
    expect(spellings.length).toBeGreaterThan(3_000)
    const values = [id, plan, 'pro', '2', 'true', '127.0.0.1', '1n', 'DELETE', '/api/keys']
    let next = 0
    const worker = async (): Promise<void> => {
      while (next < spellings.length) {
        // Thirty in parallel, each with a different value.
        const some = spellings.slice(next, next + 30)
        next += 30
        const headers = Object.fromEntries(
          some.map((name, n) => [name, values[(next + n) % values.length] ?? '']),
        )
        expect(await profileOf(user, headers)).toEqual(own)
        expect((await system.anyone().get('/api/auth/profile', headers)).status).toBe(401)
      }
    }
    await Promise.all(Array.from({ length: 8 }, worker))
    expect(plan).toBe('pro')
  })

  it('changes no rate-limited address, and no deadline', async () => {
    const user = await system.user('counted')
    const remaining = async (headers: Record<string, string>): Promise<number> =>
      Number((await system.anyone().get('/api/plans', headers)).headers.get('x-ratelimit-remaining'))
    const before = await remaining({})
    for (const [n, name] of single.entries()) {
      if (/^te$/i.test(name)) continue
      expect(await remaining({ [name]: `203.0.113.${n}` }), name).toBeLessThan(before)
    }
    for (const timeout of ['1n', '0S', '1u', '99999999H']) {
      const response = await user.get('/api/snippets', { 'grpc-timeout': timeout, Grpc_Timeout: timeout })
      expect(response.status).toBe(200)
    }
  })
})
