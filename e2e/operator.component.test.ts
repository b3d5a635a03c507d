import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type ApiClient, apiClient } from './harness/api-client.js'
import { makeKey } from './harness/api-keys.js'
import { clientOfJob, type FakeCiIssuer, githubClaims, startFakeCiIssuer } from './harness/ci-issuer.js'
import { holdsPlan } from './harness/holds-plan.js'
import { makeShare } from './harness/make-share.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'
import { until } from './harness/until.js'
import { within } from './harness/within.js'

let system: SystemInProcess
let github: FakeCiIssuer
let operator: ApiClient
const gateways = [0, 1, 2]
const why = { reason: 'it imitates a bank', message: 'Please appeal by mail.' }

async function operatorAt(gateway = 0): Promise<ApiClient> {
  const token = await system.issuer.token('op', { groups: ['operators'] })
  return apiClient(system.baseUrl(gateway), { Authorization: `Bearer ${token}` })
}

beforeAll(async () => {
  github = await startFakeCiIssuer(githubClaims, 'github')
  // With Redis, gateways learn at once what another one has changed.
  const redisUrl = inject('redisUrl')
  const env = {
    OPERATOR_CLAIM: 'groups:operators,roles=snipkeep-operator',
    CI_ISSUERS: `github=github+${github.url}`,
    ...(redisUrl === null ? {} : { REDIS_URL: redisUrl }),
  }
  system = await startSystem({ gateways: 3, payments: {}, env })
  operator = await operatorAt()
})
afterAll(async () => {
  await system?.stop()
  await github?.stop()
})

async function idOf(user: ApiClient): Promise<string> {
  return (await user.get('/api/auth/profile')).json<{ id: string }>().id
}

/** What the audit log has about something, as soon as it has anything. */
async function firstEntries(subject = ''): Promise<object[]> {
  const found = async () =>
    (await operator.get(`/api/operator/acts?subject=${subject}`)).json<{ acts: object[] }>().acts
  await until(async () => (await found()).length > 0)
  return found()
}

/** Without Redis, gateways notice when their caches expire. */
const withinMs = (withRedisMs: number): number => (inject('redisUrl') === null ? 6_000 : withRedisMs)

describe('who is an operator', () => {
  it('is said by a claim of the token alone, as text or in a list', async () => {
    const outcome = async (claims: Record<string, unknown>): Promise<number> => {
      const token = await system.issuer.token('someone', claims)
      const client = apiClient(system.baseUrl(), { Authorization: `Bearer ${token}` })
      return (await client.get('/api/operator/acts')).status
    }
    for (const claims of [
      { groups: ['a', 'operators'] },
      { groups: 'operators' },
      { roles: 'snipkeep-operator' },
    ])
      expect(await outcome(claims), JSON.stringify(claims)).toBe(200)
    for (const claims of [
      {},
      { groups: ['operator'] },
      { groups: { operators: true } },
      { role: 'operators' },
    ])
      expect(await outcome(claims), JSON.stringify(claims)).toBe(404)
  })

  it('is shown in the profile of the token, and never gives a key or a job more', async () => {
    expect((await operator.get('/api/auth/profile')).json().operator).toBe(true)
    await system.setPlan('op', 'pro')
    await holdsPlan(operator, 'pro')
    const key = await makeKey(system, operator)
    const job = await clientOfJob(system, operator, github, ['read', 'write'])
    for (const client of [key.client, job]) {
      expect((await client.get('/api/auth/profile')).json().operator).toBe(false)
      const refused = await client.get('/api/operator/reports')
      expect([refused.status, refused.json().code]).toEqual([403, 'identity_token_required'])
    }
  })

  it('is hidden: to others the paths answer like ones that do not exist', async () => {
    const user = await system.user('curious')
    const refused = await user.get('/api/operator/acts')
    const unknown = await user.get('/api/nothing')
    const told = ({ json }: typeof refused) => ({ ...json(), request_id: '' })
    expect(told(refused)).toEqual(told(unknown))
  })
})

describe('a report', () => {
  it('is taken from anyone, by id or link, and answered like a read for what cannot be read', async () => {
    const share = await makeShare(await system.user('sharer'), {})
    const anyone = system.anyone()
    const links = [
      share.id,
      `${system.baseUrl()}/s/${share.id}`,
      `${system.baseUrl()}/api/shares/${share.id}/raw`,
    ]
    for (const link of links) {
      const sent = await anyone.post('/api/reports', {
        share: link,
        reason: 'secret',
        message: 'line 1\nline 2',
      })
      expect([sent.status, sent.text], link).toEqual([201, '{"received":true}'])
    }
    const unknown = await anyone.post('/api/reports', { share: 'A'.repeat(22), reason: 'secret' })
    expect([unknown.status, unknown.json().code]).toEqual([404, 'not_found'])
    for (const bad of [
      { share: 'https://other.example/s/AAAAAAAAAAAAAAAAAAAAAA', reason: 'secret' },
      { share: share.id, reason: 'boring' },
      { share: share.id, reason: 'secret', message: 'x'.repeat(1_001) },
      { share: share.id, reason: 'secret', email: 'nobody' },
      { share: share.id, reason: 'secret', more: 1 },
      { share: share.id },
    ])
      expect((await anyone.post('/api/reports', bad)).status, JSON.stringify(bad)).toBe(400)
    const { reports } = (await operator.get(`/api/operator/reports?share=${share.id}`)).json<{
      reports: Record<string, unknown>[]
    }>()
    expect(reports).toMatchObject([
      { reason: 'secret', times: 3, message: 'line 1\nline 2', email: null, share: { state: 'live' } },
    ])
    expect(JSON.stringify(reports.map(({ share: _share, ...rest }) => rest))).not.toContain('127.0.0.1')
  })

  it('comes from the form of the page without scripts, and leads back to a page', async () => {
    const share = await makeShare(await system.user('sharer'), {})
    const anyone = system.anyone()
    const page = await anyone.get(`/s/${share.id}/report`)
    expect(page.status).toBe(200)
    expect(page.text).toContain(`<form class="form" method="post" action="${system.baseUrl()}/api/reports">`)
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' http")
    expect((await anyone.get(`/s/${share.id}`)).text).toContain(`href="/s/${share.id}/report"`)
    const send = (fields: Record<string, string>) =>
      anyone.request('POST', '/api/reports', {
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ share: share.id, ...fields }).toString(),
      })
    const sent = await send({ reason: 'malware', message: '', email: '' })
    expect([sent.status, sent.headers.get('location')]).toEqual([
      303,
      `${system.baseUrl()}/s/${share.id}/report?sent=1`,
    ])
    expect((await anyone.get(`/s/${share.id}/report?sent=1`)).text).toContain('Report sent')
    const invalid = await send({ reason: 'boring' })
    expect(invalid.headers.get('location')).toContain('/report?problem=invalid')
    expect((await anyone.get(`/s/${share.id}/report?problem=invalid`)).text).toContain('role="alert"')
    const gone = await send({ share: 'A'.repeat(22), reason: 'malware' })
    expect(gone.headers.get('location')).toBe(`${system.baseUrl()}/s/${'A'.repeat(22)}`)
  })

  it('is closed with a note, which is recorded', async () => {
    const share = await makeShare(await system.user('sharer'), {})
    await system.anyone().post('/api/reports', { share: share.id, reason: 'other' })
    const path = `/api/operator/reports?share=${share.id}`
    const [open] = (await operator.get(path)).json<{ reports: { id: string }[] }>().reports
    const closed = await operator.post(`/api/operator/reports/${open?.id}/resolve`, { reason: 'harmless' })
    expect(closed.json()).toMatchObject({ note: 'harmless' })
    expect((await operator.get(path)).json().reports).toEqual([])
    expect(await firstEntries(open?.id)).toMatchObject([
      { action: 'report.resolved', reason: 'harmless', operator: { name: 'op@example.com' } },
    ])
  })
})

describe('a gated share', () => {
  it('is reported from its gate, also by who had its last view, and disabled unseen', async () => {
    const owner = await system.user('gatekeeper')
    const share = await makeShare(owner, { title: 'Secret title', burn: true, password: 'open sesame' })
    const anyone = system.anyone()
    expect((await anyone.get(`/s/${share.id}`)).text).toContain(`href="/s/${share.id}/report"`)
    const page = await anyone.get(`/s/${share.id}/report`)
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('<form class="form"')])
    expect(page.text).toContain('say what you saw')
    expect(page.text).not.toContain('Secret title')
    const form = new URLSearchParams({ share: share.id, reason: 'phishing' }).toString()
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const sent = await anyone.request('POST', '/api/reports', { headers, body: form })
    expect(sent.headers.get('location')).toContain(`/s/${share.id}/report?sent=1`)
    const revealed = await anyone.post(`/api/shares/${share.id}/reveal`, { password: 'open sesame' })
    expect([revealed.status, revealed.json()]).toEqual([
      200,
      expect.objectContaining({ grant: expect.any(String) }),
    ])
    const grant = { 'Snipkeep-Grant': revealed.json<{ grant: string }>().grant }
    const again = await anyone.post('/api/reports', { share: share.share_url, reason: 'phishing' })
    expect(again.status).toBe(201)
    expect((await anyone.get(`/api/shares/${share.id}/raw`, grant)).status).toBe(200)

    const path = `/api/operator/shares/${share.id}`
    const seen = (await operator.get(path)).json()
    expect(seen).toMatchObject({ state: 'live', open_reports: 1 })
    expect(seen).toMatchObject({ gated: { password: true, views_left: 0 }, views: 1, failed_passwords: 0 })
    expect(seen.last_viewed_at).toEqual(expect.any(String))
    expect(JSON.stringify(seen)).not.toMatch(/scrypt|hash/)
    for (const read of [`/api/shares/${share.id}/raw`, `/api/shares/${share.id}`])
      expect((await operator.get(read)).json().code).toBe('share_used_up')
    expect((await operator.post(`${path}/disable`, why)).json()).toMatchObject({ state: 'disabled' })
    for (const gateway of gateways) {
      const raw = await system.anyone(gateway).get(`/api/shares/${share.id}/raw`, grant)
      expect([raw.status, raw.json().code]).toEqual([410, 'share_disabled'])
    }
    expect((await owner.get(`/api/shares/${share.id}`)).json().code).toBe('share_disabled')
    expect((await anyone.get(`/s/${share.id}`)).text).toContain('has been disabled')
    await operator.post(`${path}/enable`, why)
    expect((await anyone.get(`/api/shares/${share.id}/raw`, grant)).status).toBe(200)
  })
})

describe('a disabled share', () => {
  it('is 410 on every gateway within a second, as data and as a page, and comes back', async () => {
    const owner = await system.user('owner')
    const share = await makeShare(owner, {})
    const clients = gateways.map((gateway) => system.anyone(gateway))
    const statuses = (path: string) =>
      Promise.all(clients.map(async (client) => (await client.get(path)).status))
    const [api, page] = [`/api/shares/${share.id}`, `/s/${share.id}`]
    expect([...(await statuses(api)), ...(await statuses(page))]).toEqual(Array(6).fill(200))
    const disabled = await operator.post(`/api/operator/shares/${share.id}/disable`, why)
    expect(disabled.json()).toMatchObject({ state: 'disabled', has_data: true })
    await within(withinMs(1_000), true, async () => (await statuses(api)).every((status) => status === 410))
    await within(withinMs(1_000), true, async () => (await statuses(page)).every((status) => status === 410))
    for (const path of [api, `${api}/raw`, `${api}/raw?pointer=/a`]) {
      const refused = await system.anyone().get(path)
      expect([refused.status, refused.json().code, refused.headers.get('cache-control')]).toEqual([
        410,
        'share_disabled',
        'no-store',
      ])
    }
    expect((await system.anyone().get(page)).text).toContain('has been disabled')
    const [listed] = (await owner.get('/api/shares')).json<{ shares: { disabled_at: string }[] }>().shares
    expect(listed?.disabled_at).toBe(disabled.json().disabled_at)
    const report = await system.anyone().post('/api/reports', { share: share.id, reason: 'other' })
    expect(report.json().code).toBe('share_disabled')
    await operator.post(`/api/operator/shares/${share.id}/enable`, why)
    expect(await statuses(api)).toEqual([200, 200, 200])
  })

  it('is told to its owner without the reason and the operator, and recorded with both', async () => {
    const owner = await system.user('told')
    const share = await makeShare(owner, {})
    for (let n = 0; n < 2; n += 1) await operator.post(`/api/operator/shares/${share.id}/disable`, why)
    const events = async () =>
      (await owner.get('/api/events?type=share.disabled')).json<{ events: object[] }>().events
    await until(async () => (await events()).length === 1)
    const [event] = await events()
    expect(event).toMatchObject({
      principal: { kind: 'operator', id: null },
      detail: { message: 'Please appeal by mail.' },
    })
    expect(JSON.stringify(event)).not.toMatch(/imitates|op@example/)
    expect(await firstEntries(share.id)).toMatchObject([
      { action: 'share.disabled', reason: why.reason, account_id: await idOf(owner) },
    ])
  })
})
