import { exportJWK, generateKeyPair } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import { checkIssuer } from './check-issuer.js'
import type { Fetch } from './fetch-key-set.js'

const issuer = 'https://issuer.example'
let keys: readonly unknown[] = []

beforeAll(async () => {
  const { publicKey } = await generateKeyPair('ES256')
  keys = [{ ...(await exportJWK(publicKey)), kid: 'a', alg: 'ES256', use: 'sig' }]
})

interface IssuerOptions {
  readonly name?: string
  readonly keys?: readonly unknown[]
  readonly status?: number
  readonly aheadMs?: number
}

/** An issuer whose responses follow the options. */
function respondingWith(options: IssuerOptions = {}): Fetch {
  return async (url) => {
    const discovery = { issuer: options.name ?? issuer, jwks_uri: `${issuer}/jwks` }
    const body = url.endsWith('/jwks') ? { keys: options.keys ?? keys } : discovery
    const date = new Date(Date.now() + (options.aheadMs ?? 0)).toUTCString()
    return new Response(JSON.stringify(body), { status: options.status ?? 200, headers: { Date: date } })
  }
}

const target = { issuer, audience: 'us', production: true }
const look = (options: IssuerOptions = {}) => checkIssuer(target, respondingWith(options))

test('an issuer with the right name, keys and time is ok', async () => {
  expect((await look()).map(({ check, verdict }) => [check, verdict])).toEqual([
    ['issuer', 'ok'],
    ['issuer clock', 'ok'],
  ])
})

test('an issuer with another name is a problem, fixed by using that name', async () => {
  const [finding] = await look({ name: `${issuer}/` })
  expect(finding).toMatchObject({ verdict: 'problem', remedy: `OIDC_ISSUERS=${issuer}/=us` })
})

test.each([
  ['no key that can be used', { keys: [] }, 'no usable key'],
  ['another status', { status: 503 }, 'returns 503'],
] as const)('an issuer with %s is a problem', async (_name, options, message) => {
  const [finding] = await look(options)
  expect(finding?.verdict).toBe('problem')
  expect(finding?.message).toContain(message)
  expect(finding?.remedy).toContain(`curl ${issuer}/.well-known/openid-configuration`)
})

test('an unreachable issuer is a problem that names the reason', async () => {
  const refused: Fetch = async () => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }) })
  }
  const [finding] = await checkIssuer(target, refused)
  expect(finding).toMatchObject({ verdict: 'problem' })
  expect(finding?.message).toContain('ECONNREFUSED')
})

test.each([
  [4_000, 'ok'],
  [20_000, 'warning'],
  [-20_000, 'warning'],
  [120_000, 'problem'],
  [-120_000, 'problem'],
])('a clock that is %i ms ahead of ours is %s', async (aheadMs, verdict) => {
  const clock = (await look({ aheadMs })).find(({ check }) => check === 'issuer clock')
  expect(clock?.verdict).toBe(verdict)
})

test('plain HTTP is a problem in production, a warning elsewhere, and ok on loopback', async () => {
  const plain = async (name: string, production: boolean) => {
    const found = await checkIssuer({ issuer: name, audience: 'us', production }, async (url) => {
      const body = url.endsWith('/jwks') ? { keys } : { issuer: name, jwks_uri: `${name}/jwks` }
      return Response.json(body)
    })
    return found[0]?.verdict
  }
  expect(await plain('http://issuer.example', true)).toBe('problem')
  expect(await plain('http://issuer.example', false)).toBe('warning')
  expect(await plain('http://localhost:8081', false)).toBe('ok')
})
