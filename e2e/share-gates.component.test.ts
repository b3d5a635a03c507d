import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient, ApiResponse } from './harness/api-client.js'
import { makeKey } from './harness/api-keys.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

const password = 'open sesame é'
const secret = 'the secret value'
let system: SystemInProcess
let owner: ApiClient
let stranger: ApiClient

beforeAll(async () => {
  system = await startSystem({ gateways: 3 })
  owner = await system.user('gina', 'pro')
  stranger = system.anyone()
})
afterAll(() => system?.stop())

interface Gated {
  readonly id: string
  readonly share_url: string
}

async function gated(fields: object): Promise<Gated> {
  const made = await owner.post('/api/shares', {
    ...{ tool: 'csv', title: 'Secret title', data: { csv: secret } },
    ...fields,
  })
  expect(made.status, made.text).toBe(201)
  return made.json<Gated>()
}

const reveal = ({ id }: Gated, body: object = {}, gateway = 0): Promise<ApiResponse> =>
  system.anyone(gateway).post(`/api/shares/${id}/reveal`, body)

async function grantOf(share: Gated, body: object = {}): Promise<Record<string, string>> {
  const revealed = await reveal(share, body)
  expect(revealed.status, revealed.text).toBe(200)
  return { 'Snipkeep-Grant': revealed.json<{ grant: string }>().grant }
}

interface Use {
  readonly gated: { readonly password: boolean; readonly views_left: number | null }
  readonly views: number
  readonly first_viewed_at: string | null
  readonly last_viewed_at: string | null
  readonly failed_passwords: number
}

async function usageOf({ id }: Gated): Promise<Use> {
  return (await owner.get(`/api/shares/${id}`)).json<Use>()
}

function expectUncached({ headers }: ApiResponse): void {
  expect(headers.get('cache-control')).toBe('no-store')
}

describe('a gated share', () => {
  it('shows strangers its gate alone, without any tag of its content', async () => {
    const share = await gated({ password, max_views: 3 })
    expect(share).toMatchObject({ gated: { password: true, views_left: 3 }, title: 'Secret title' })
    const path = `/api/shares/${share.id}`
    const shown = await stranger.get(path)
    expect(Object.keys(shown.json()).sort()).toEqual([
      'created_at',
      'expires_at',
      'gated',
      'id',
      'size_bytes',
    ])
    expect([shown.status, shown.headers.get('etag')]).toEqual([200, null])
    expectUncached(shown)
    const owned = await owner.get(path)
    const known = { 'If-None-Match': `${owned.headers.get('etag')}, *` }
    for (const headers of [known, { 'If-None-Match': '*' }, { 'Snipkeep-Grant': 'A'.repeat(27) }]) {
      const response = await stranger.get(path, headers)
      expect([response.status, response.text]).toEqual([200, shown.text])
    }
    for (const query of ['', '?pointer=/csv', '?rows=1-2&pointer=/csv', '?download=true']) {
      const raw = await stranger.get(`${path}/raw${query}`, known)
      expect([raw.status, raw.json().code, raw.headers.get('etag')]).toEqual([403, 'reveal_required', null])
      expectUncached(raw)
    }
    const page = await stranger.get(`/oembed?url=${encodeURIComponent(share.share_url)}`)
    expect([page.status, page.json().code]).toEqual([403, 'reveal_required'])
  })

  it('opens for ten minutes with one grant, for any number of reads, and on every gateway', async () => {
    const share = await gated({ password, max_views: 2 })
    const revealed = await reveal(share, { password })
    expect(revealed.json()).toMatchObject({
      ...{ id: share.id, title: 'Secret title', share_url: share.share_url, views_left: 1 },
      gated: { password: true, views_left: 1 },
    })
    expectUncached(revealed)
    const { grant, grant_expires_at: end } = revealed.json<{ grant: string; grant_expires_at: string }>()
    expect(grant).toMatch(/^[0-9A-Za-z]{27}$/)
    expect(Math.abs(Date.parse(end) - Date.now() - 600_000)).toBeLessThan(30_000)
    for (let gateway = 0; gateway < 3; gateway += 1) {
      const reader = system.anyone(gateway)
      const headers = { 'Snipkeep-Grant': grant }
      const whole = await reader.get(`/api/shares/${share.id}`, headers)
      expect(whole.json()).toMatchObject({ title: 'Secret title', data: { csv: secret } })
      expectUncached(whole)
      expect(whole.json()).not.toHaveProperty('failed_passwords')
      const value = await reader.get(`/api/shares/${share.id}/raw?pointer=/csv`, headers)
      expect([value.status, value.text]).toEqual([200, secret])
      expectUncached(value)
      const part = await reader.get(`/api/shares/${share.id}/raw`, { ...headers, Range: 'bytes=0-4' })
      expect([part.status, part.text]).toEqual([206, '{"csv'])
    }
    expect(await usageOf(share)).toMatchObject({ views: 1, gated: { views_left: 1 } })
  })

  it('is opened by no grant of another share', async () => {
    const [one, other] = [await gated({ max_views: 9 }), await gated({ max_views: 9 })]
    const grant = await grantOf(one)
    expect((await stranger.get(`/api/shares/${one.id}/raw`, grant)).status).toBe(200)
    expect((await stranger.get(`/api/shares/${other.id}/raw`, grant)).status).toBe(403)
  })

  it('gives 200 concurrent reveals over three gateways exactly as many grants as it has views', async () => {
    const share = await gated({ max_views: 5 })
    const all = await Promise.all(Array.from({ length: 200 }, (_none, n) => reveal(share, {}, n % 3)))
    const statuses = all.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(5)
    expect(new Set(statuses)).toEqual(new Set([200, 410]))
    expect(all.find(({ status }) => status === 410)?.json().code).toBe('share_used_up')
    expect(await usageOf(share)).toMatchObject({ views: 5, gated: { views_left: 0 } })
    expect((await stranger.get(`/api/shares/${share.id}`)).json().code).toBe('share_used_up')
    expect((await stranger.get(`/api/shares/${share.id}/raw`)).status).toBe(410)
  })

  it('burns after one view', async () => {
    const share = await gated({ burn: true })
    const grant = await grantOf(share)
    expect((await reveal(share)).status).toBe(410)
    expect((await stranger.get(`/api/shares/${share.id}/raw?pointer=/csv`, grant)).text).toBe(secret)
  })

  it('counts wrong passwords, tells the owner alone, and needs no password of its owner', async () => {
    const share = await gated({ password })
    for (const wrong of [{ password: 'wrong' }, { password: '' }, {}]) {
      const response = await reveal(share, wrong)
      expect([response.status, response.json().code]).toEqual([403, 'share_password_invalid'])
    }
    await grantOf(share, { password })
    const use = await usageOf(share)
    expect(use).toMatchObject({ views: 1, failed_passwords: 1, gated: { password: true, views_left: null } })
    expect(use.first_viewed_at).toBe(use.last_viewed_at)
    const listed = (await owner.get('/api/shares')).json<{ shares: (Gated & Use)[] }>().shares
    expect(listed.find(({ id }) => id === share.id)).toMatchObject({ views: 1, failed_passwords: 1 })
    const another = await system.user('gus', 'pro')
    expect((await another.get(`/api/shares/${share.id}`)).json()).not.toHaveProperty('data')
    const key = await makeKey(system, owner, { scopes: ['write'] })
    expect((await key.client.get(`/api/shares/${share.id}`)).json()).not.toHaveProperty('data')
    expect((await (await makeKey(system, owner)).client.get(`/api/shares/${share.id}/raw`)).status).toBe(200)
    const forged = await system.anyone().get(`/api/shares/${share.id}`, { Authorization: 'Bearer forged' })
    expect(forged.json()).not.toHaveProperty('data')
  })

  it('is compared by its owner and with a grant, and by no one else', async () => {
    const share = await gated({ max_views: 3 })
    const comparison = { a: { share: share.id }, b: { data: { csv: secret } } }
    expect((await owner.post('/api/compare', comparison)).json()).toMatchObject({ equal: true })
    const another = await system.user('gus', 'pro')
    const refused = await another.post('/api/compare', comparison)
    expect([refused.status, refused.json().code]).toEqual([403, 'reveal_required'])
    expect((await another.post('/api/compare', comparison, await grantOf(share))).status).toBe(200)
  })

  it('is made by a raw upload with its password in a header, never in the URL', async () => {
    const upload = (query: string, headers: Record<string, string> = {}) =>
      owner.request('PUT', `/api/shares?tool=csv${query}`, {
        body: secret,
        headers: { 'Content-Type': 'text/csv', ...headers },
      })
    const encoded = { 'Snipkeep-Share-Password': Buffer.from(password).toString('latin1') }
    const share = (await upload('&max_views=2', encoded)).json<Gated>()
    expect(share).toMatchObject({ gated: { password: true, views_left: 2 } })
    expect(
      (await stranger.get(`/api/shares/${share.id}/raw?pointer=/csv`, await grantOf(share, { password })))
        .text,
    ).toBe(secret)
    expect((await upload('&burn')).json()).toMatchObject({ gated: { password: false, views_left: 1 } })
    const inUrl = await upload('&password=open-sesame')
    expect([inUrl.status, inUrl.json().code]).toEqual([400, 'unknown_parameter'])
    for (const [query, headers] of [
      ['', { 'Snipkeep-Share-Password': 'short' }],
      ['', { 'Snipkeep-Share-Password': '\u00ff\u00fe\u00ff\u00fe\u00ff\u00fe\u00ff\u00fe' }],
      ['&max_views=0', {}],
      ['&max_views=2&burn=true', {}],
    ] as const) {
      const refused = await upload(query, headers)
      expect([refused.status, refused.json().code], query).toEqual([400, 'validation_failed'])
    }
    const json = { tool: 'csv', title: 'T', data: {}, password }
    const twice = await owner.post('/api/shares', json, { 'Snipkeep-Share-Password': 'another password' })
    expect(twice.status).toBe(400)
    expect((await owner.post('/api/shares?password=x', json)).status).toBe(400)
    const other = { tool: 'csv', title: 'T', data: {} }
    const byHeader = await owner.post('/api/shares', other, { 'Snipkeep-Share-Password': 'another password' })
    expect(byHeader.json()).toMatchObject({ gated: { password: true } })
  })

  it('tells its owner of its views, wrong passwords and last view, and no log has a password or grant', async () => {
    const share = await gated({ password, max_views: 1 })
    await reveal(share, { password: 'a wrong password' })
    const { 'Snipkeep-Grant': grant } = await grantOf(share, { password })
    const types = async (): Promise<string[]> => {
      const found = await owner.get(`/api/events?subject=${share.id}`)
      return found.json<{ events: { type: string }[] }>().events.map(({ type }) => type)
    }
    await expect
      .poll(types, { timeout: 20_000 })
      .toEqual(
        expect.arrayContaining(['share.viewed', 'share.password_failed', 'share.used_up', 'share.created']),
      )
    for (let gateway = 0; gateway < 3; gateway += 1) {
      const log = system.gatewayOutput(gateway)
      for (const word of [grant, 'sesame', 'a wrong password']) expect(log).not.toContain(word)
    }
  })

  it('is deleted by its owner, and cannot be revealed if it has no gate', async () => {
    const share = await gated({ max_views: 1 })
    expect((await owner.delete(`/api/shares/${share.id}`)).status).toBe(200)
    expect((await reveal(share)).status).toBe(404)
    const open = (await owner.post('/api/shares', { tool: 'csv', title: 'T', data: {} })).json<Gated>()
    const refused = await reveal(open)
    expect([refused.status, refused.json().code]).toEqual([409, 'share_not_gated'])
  })
})

it('wrong passwords count like refused credentials of their client', async () => {
  const limited = await startSystem({ env: { RATE_LIMIT_STRICT: '5/600' } })
  try {
    const user = await limited.user('lil', 'pro')
    const body = { tool: 'csv', title: 'T', data: {}, password }
    const { id } = (await user.post('/api/shares', body)).json<Gated>()
    const guess = (given: string) => limited.anyone().post(`/api/shares/${id}/reveal`, { password: given })
    const statuses: number[] = []
    for (let n = 0; n < 7; n += 1) statuses.push((await guess(`wrong guess ${n}`)).status)
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429, 429])
    expect((await guess(password)).status).toBe(200)
    const page = await fetch(`${limited.baseUrl()}/s/${id}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ password: 'wrong guess' }),
    })
    expect([page.status, (await page.text()).includes('Too many wrong passwords')]).toEqual([429, true])
  } finally {
    await limited.stop()
  }
})
