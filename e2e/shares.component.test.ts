import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient } from './harness/api-client.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess
let free: ApiClient
let pro: ApiClient
let anyone: ApiClient

beforeAll(async () => {
  system = await startSystem({ contentEnv: { INTERNAL_CONTENT_PURGE_INTERVAL_MS: '300' } })
  free = await system.user('free')
  pro = await system.user('pro', 'pro')
  anyone = system.anyone()
})
afterAll(() => system?.stop())

interface Share {
  id: string
  share_url: string
  expires_at: string | null
  created_at: string
}

async function share(client: ApiClient, fields: object = {}): Promise<Share> {
  const response = await client.post('/api/shares', {
    tool: 'json',
    title: 'Shared',
    data: { input: 'x<y' },
    ...fields,
  })
  expect(response.status, response.text).toBe(201)
  return response.json<Share>()
}

const expire = (id: string): Promise<void> => system.expireShares([id], -1)

describe('a share', () => {
  it('can be opened by anyone, from any origin, and is cached for at most a minute', async () => {
    const { id, share_url } = await share(free)
    expect(id).toMatch(/^[0-9A-Za-z]{22}$/)
    expect(share_url).toBe(`${system.baseUrl()}/s/${id}`)
    const response = await anyone.get(`/api/shares/${id}`, {
      Origin: 'https://else.example',
      Authorization: 'Bearer nonsense',
    })
    expect(response.status).toBe(200)
    expect(response.json()).toMatchObject({
      id,
      share_url,
      tool: 'json',
      title: 'Shared',
      data: { input: 'x<y' },
    })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
    expect(response.headers.get('cache-control')).toBe('public, max-age=60')
    const raw = await anyone.get(`/api/shares/${id}/raw?pointer=/input`)
    expect([raw.text, raw.headers.get('content-type')]).toEqual(['x<y', 'text/plain; charset=utf-8'])
    const tag = response.headers.get('etag') ?? ''
    expect((await anyone.get(`/api/shares/${id}`, { 'If-None-Match': tag })).status).toBe(304)
  })

  it('expires after 30 days for Free and never for Pro, unless requested sooner', async () => {
    const ofFree = await share(free)
    const days = (Date.parse(ofFree.expires_at ?? '') - Date.parse(ofFree.created_at)) / 86_400_000
    expect(days).toBe(30)
    expect((await share(pro)).expires_at).toBeNull()
    const soon = await share(free, { expires_in: 60 })
    expect(Date.parse(soon.expires_at ?? '') - Date.parse(soon.created_at)).toBe(60_000)
    const left = await anyone.get(`/api/shares/${soon.id}`)
    expect(Number(/max-age=(\d+)/.exec(left.headers.get('cache-control') ?? '')?.[1])).toBeLessThanOrEqual(60)
  })

  it('is rejected with an expiry beyond the plan’s, not shortened', async () => {
    for (const fields of [{ expires_in: 30 * 86_400 + 1 }, { expires_at: '2199-01-01T00:00:00Z' }]) {
      const response = await free.post('/api/shares', { tool: 'json', title: 'x', data: {}, ...fields })
      expect([response.status, response.json().code]).toEqual([400, 'validation_failed'])
    }
    expect((await share(pro, { expires_at: '2199-01-01T00:00:00Z' })).expires_at).toBe(
      '2199-01-01T00:00:00.000Z',
    )
  })

  it('is 410 from the moment it expires, without any of its data, also after the purge', async () => {
    const { id } = await share(free, { data: { secret: 'do-not-leak' } })
    await expire(id)
    const check = async () => {
      for (const path of [`/api/shares/${id}`, `/api/shares/${id}/raw`, `/s/${id}`]) {
        const response = await anyone.get(path)
        expect(response.status, path).toBe(410)
        expect(response.text).not.toContain('do-not-leak')
        expect(response.headers.get('cache-control')).toBe('no-store')
      }
      expect((await anyone.get(`/api/shares/${id}`)).json()).toMatchObject({
        code: 'share_expired',
        title: 'Shared',
      })
    }
    await check()
    await expect.poll(() => system.content.state.shares.get(id)?.purged).toBe(true)
    await check()
    expect(system.content.state.shares.get(id)?.bytes).toBeNull()
  })

  it('is 404 after its owner deletes it, even if it had expired', async () => {
    for (const expired of [false, true]) {
      const { id } = await share(free)
      if (expired) await expire(id)
      expect((await pro.delete(`/api/shares/${id}`)).status).toBe(403)
      expect((await free.delete(`/api/shares/${id}`)).json()).toEqual({ id, deleted: true })
      for (const path of [`/api/shares/${id}`, `/s/${id}`]) expect((await anyone.get(path)).status).toBe(404)
    }
  })

  it('is listed by state, to its owner only', async () => {
    const lea = await system.user('lea')
    const live = await share(lea)
    const expired = await share(lea)
    await expire(expired.id)
    const ids = async (state: string) =>
      (await lea.get(`/api/shares${state}`)).json<{ shares: Share[] }>().shares.map(({ id }) => id)
    expect(await ids('')).toEqual([live.id])
    expect(await ids('?state=expired')).toEqual([expired.id])
    expect(await ids('?state=all')).toEqual([expired.id, live.id])
    expect((await lea.get('/api/auth/profile')).json()).toMatchObject({ usage: { shares: 1 } })
    const body = (await lea.get('/api/shares')).text
    expect(body).not.toContain('x<y')
  })
})
