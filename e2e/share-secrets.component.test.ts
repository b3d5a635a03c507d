import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient, ApiResponse } from './harness/api-client.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

const token = `ghp_${'zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17'}`
const url = 'https://bob:s3cretpassw0rd@git.acme.io/x.git'
const found = { rule: 'github-token', certain: true, masked: 'ghp_…Lq17' }

/** The gateways differ in what they do about secrets. */
const policies = ['warn', 'refuse', 'off'] as const

let system: SystemInProcess
let warned: ApiClient
let refused: ApiClient
let unasked: ApiClient

beforeAll(async () => {
  system = await startSystem({
    gateways: policies.length,
    gatewayEnv: (gateway) => ({ SHARE_SECRETS: policies[gateway] ?? 'warn' }),
  })
  warned = await system.user('sam', 'pro', 0)
  refused = await system.user('sam', 'pro', 1)
  unasked = await system.user('sam', 'pro', 2)
})
afterAll(async () => {
  const log = policies.map((_policy, gateway) => system.gatewayOutput(gateway)).join('')
  expect(log).not.toContain(token)
  await system?.stop()
})

interface Made {
  readonly id: string
  readonly warnings?: readonly Record<string, unknown>[]
}

const share = (
  client: ApiClient,
  data: unknown,
  fields: object = {},
  headers: Record<string, string> = {},
): Promise<ApiResponse> => client.post('/api/shares', { tool: 'x', title: 'X', data, ...fields }, headers)

const upload = (client: ApiClient, text: string | Uint8Array, query = '', headers = {}) =>
  client.request('PUT', `/api/shares?tool=csv${query}`, {
    body: text,
    headers: { 'Content-Type': 'text/csv', ...headers },
  })

const warningsOf = (response: ApiResponse): Made['warnings'] => {
  expect(response.status, response.text).toBe(201)
  expect(response.text).not.toContain(token)
  return response.json<Made>().warnings
}

describe('a share with secrets', () => {
  it('is published with a warning for each, with its place and mask', async () => {
    const data = { list: [1, { 'a/b': `x ${token}` }], config: JSON.stringify({ remote: url }) }
    expect(warningsOf(await share(warned, data))).toEqual([
      { ...found, pointer: '/list/1/a~1b' },
      { rule: 'url-password', certain: false, pointer: '/config', masked: '://…@' },
    ])
    expect(warningsOf(await share(warned, { a: 'nothing' }))).toBeUndefined()
  })

  it('gets the same warnings as text, compressed, and whatever its size', async () => {
    const rows = `name,token\nada,${token}\n`
    expect(warningsOf(await upload(warned, rows))).toEqual([{ ...found, pointer: '/csv' }])
    expect(warningsOf(await upload(warned, gzipSync(rows), '', { 'Content-Encoding': 'gzip' }))).toEqual([
      { ...found, pointer: '/csv' },
    ])
    expect(warningsOf(await upload(warned, `${'x,y\n'.repeat(50_000)}${rows}`, '&key=a/b'))).toEqual([
      { ...found, pointer: '/a~1b' },
    ])
    const large = { items: [...Array.from({ length: 9_000 }, (_none, id) => ({ id, text: 'x' })), { token }] }
    expect(JSON.stringify(large).length).toBeGreaterThan(100_000)
    expect(warningsOf(await share(warned, large))).toEqual([{ ...found, pointer: '/items/9000/token' }])
  })

  it('shows no key that is a secret', async () => {
    expect(warningsOf(await share(warned, { a: { [token]: { b: `_ ${token}` } } }))).toEqual([
      { ...found, pointer: '/a' },
      { ...found, pointer: '/a' },
    ])
  })

  it('lists at most twenty, the certain ones first', async () => {
    const data = { urls: Array.from({ length: 30 }, () => url), tokens: [token] }
    const warnings = warningsOf(await share(warned, data)) ?? []
    expect(warnings.length).toBe(20)
    expect(warnings.at(-1)).toEqual({ ...found, pointer: '/tokens/0' })
  })

  it('gets the same warnings when its creation is repeated', async () => {
    const headers = { 'Idempotency-Key': 'again' }
    const first = await share(warned, { token }, {}, headers)
    const again = await share(warned, { token }, {}, headers)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.text).toBe(first.text)
    expect(warningsOf(again)).toEqual([{ ...found, pointer: '/token' }])
  })

  it('is refused where the operator wants that, or the caller', async () => {
    const attempts = [
      await share(refused, { a: [token] }),
      await share(warned, { a: [token] }, { allow_secrets: false }),
    ]
    for (const response of attempts) {
      expect(response.status).toBe(400)
      expect(response.text).not.toContain(token)
      expect(response.json()).toMatchObject({
        code: 'secret_found',
        detail: expect.stringContaining('a GitHub token (ghp_…Lq17)'),
        errors: [{ ...found, pointer: '/data/a/0', code: 'secret_found' }],
      })
    }
    const large = `${'x,y\n'.repeat(50_000)}${token}\n`
    expect((await upload(refused, large)).status).toBe(400)
    expect((await upload(warned, large, '&allow_secrets=false')).status).toBe(400)
    expect((await upload(refused, large, '&allow_secrets=maybe')).json()).toMatchObject({
      code: 'validation_failed',
    })
  })

  it('is published where it is only likely one, with a warning', async () => {
    expect(warningsOf(await share(refused, { url }))).toMatchObject([{ certain: false, pointer: '/url' }])
  })

  it('is published by who insists, which is recorded without the secret', async () => {
    const made = await share(refused, { token, url }, { allow_secrets: true })
    expect(warningsOf(made)).toHaveLength(2)
    const raw = await upload(refused, token, '&allow_secrets=true')
    expect(warningsOf(raw)).toHaveLength(1)
    for (const [response, rules] of [
      [made, 'github-token, url-password'],
      [raw, 'github-token'],
    ] as const) {
      const { id } = response.json<Made>()
      const events = async () =>
        (await warned.get(`/api/events?subject=${id}&type=share.secret_overridden`)).json<{
          events: readonly unknown[]
        }>().events
      await expect.poll(events).toMatchObject([{ detail: { rules }, principal: { kind: 'owner' } }])
    }
    const plain = (await share(refused, { a: 1 }, { allow_secrets: true })).json<Made>()
    await expect
      .poll(
        async () =>
          (await warned.get(`/api/events?subject=${plain.id}`)).json<{ events: unknown[] }>().events,
      )
      .toMatchObject([{ type: 'share.created' }])
  })

  it('is not looked at where the operator turns that off', async () => {
    expect(warningsOf(await share(unasked, { token }))).toBeUndefined()
    const snippet = await unasked.post('/api/snippets', { tool: 'x', title: 'X', data: { token } })
    expect(snippet.json()).not.toHaveProperty('would_warn_if_shared')
  })

  it('is treated alike when it is the output of a tool', async () => {
    const run = (client: ApiClient, query: string) =>
      client.request('POST', `/api/tools/json-format?${query}`, {
        body: JSON.stringify({ token }),
        headers: { 'Content-Type': 'application/json' },
      })
    expect(warningsOf(await run(warned, 'share=true'))).toEqual([{ ...found, pointer: '/json' }])
    expect((await run(refused, 'share=true')).json()).toMatchObject({ code: 'secret_found' })
    expect(warningsOf(await run(refused, 'share=true&allow_secrets=true'))).toHaveLength(1)
    expect((await run(refused, 'allow_secrets=true')).json()).toMatchObject({ code: 'validation_failed' })
  })
})

it('a snippet says how many secrets a share of it would warn about', async () => {
  const body = { tool: 'x', title: 'X', data: { token, url } }
  const made = (await refused.post('/api/snippets', body)).json<{ id: string }>()
  expect(made).toMatchObject({ would_warn_if_shared: 2 })
  const put = await refused.request('PUT', '/api/snippets/@secret', { body })
  expect(put.json()).toMatchObject({ would_warn_if_shared: 2, changed: true })
  const patched = await refused.patch(`/api/snippets/${made.id}`, { data: { token } })
  expect(patched.json()).toMatchObject({ would_warn_if_shared: 1 })
  const clean = await refused.patch(`/api/snippets/${made.id}`, { data: { a: 1 } })
  expect(clean.json()).not.toHaveProperty('would_warn_if_shared')
})
