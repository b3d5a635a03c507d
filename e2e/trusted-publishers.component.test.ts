import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeCiIssuer, githubClaimsBefore } from './harness/ci-issuer.js'
import type { SystemInProcess } from './harness/system-in-process.js'
import { pinned, rule, startTrustingSystem, type TrustingSystem, tokenIn } from './harness/trusted-rules.js'
import { within } from './harness/within.js'

let world: TrustingSystem
let github: FakeCiIssuer
let gitlab: FakeCiIssuer
let other: FakeCiIssuer
let system: SystemInProcess
let base: string

beforeAll(async () => {
  world = await startTrustingSystem()
  ;({ github, gitlab, other, system, base } = world)
})
afterAll(() => world?.stop())

const makeRule: TrustingSystem['makeRule'] = (fields) => world.makeRule(fields)
const exchange: TrustingSystem['exchange'] = (...args) => world.exchange(...args)
const eventsOf: TrustingSystem['eventsOf'] = (made) => world.eventsOf(made)
const bearer: TrustingSystem['bearer'] = (...args) => world.bearer(...args)

describe('a job of a trusted repository', () => {
  it.each([
    ['GitHub, as since July 2026', {}, () => github.token(base)],
    ['GitHub, as before', {}, () => github.token(base, githubClaimsBefore)],
    ['GitHub, for the address with a slash', {}, () => github.token(`${base}/`)],
    ['GitHub, for a list of our address alone', {}, () => github.token(base, { aud: [base] })],
    [
      'GitHub, renamed since',
      {},
      () => github.token(base, { repository: 'acme/site', sub: 'repo:acme@65/site@74:ref:x' }),
    ],
    [
      'GitLab',
      { issuer: 'gitlab', claims: { project_id: '20', namespace_id: '72' } },
      () => gitlab.token(base),
    ],
    [
      "an issuer of the operator's",
      { issuer: 'circle', repository: undefined, claims: { pipeline: 'p-2' } },
      () => other.token(base),
    ],
  ])('gets a token that works in either header: %s', async (_name, fields, token) => {
    const made = await makeRule({ scopes: ['read'], ttl: 120, ...fields })
    const response = await exchange(made, await token())
    const accessToken = tokenIn(response)
    expect(response.json()).toEqual({
      access_token: expect.stringMatching(/^snx_[0-9A-Za-z]{40}$/),
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      token_type: 'Bearer',
      expires_in: 120,
      scope: 'read',
    })
    expect(response.headers.get('cache-control')).toBe('no-store')
    const own = (await made.owner.get('/api/auth/profile')).json().id
    for (const gateway of [0, 1, 2]) {
      expect((await bearer(accessToken, gateway).get('/api/auth/profile')).json().id).toBe(own)
      expect((await system.withKey(accessToken, gateway).get('/api/auth/profile')).json().id).toBe(own)
    }
    expect((await eventsOf(made))[0]).toMatchObject({ outcome: 'issued', reason: null, pin: null })
  })

  it('may do what the scopes of its rule allow, and manages nothing', async () => {
    const made = await makeRule({ scopes: ['read'] })
    const client = system.withKey(tokenIn(await exchange(made, await github.token(base))))
    const denied = await client.post('/api/snippets', { tool: 'csv', title: 'x', data: {} })
    expect([denied.status, denied.json().code]).toEqual([403, 'insufficient_scope'])
    for (const path of [
      '/api/keys',
      '/api/trusted-publishers',
      `/api/trusted-publishers/${made.id}/events`,
    ]) {
      const response = await client.get(path)
      expect([response.status, response.json().code], path).toEqual([403, 'identity_token_required'])
    }
    const widened = await made.owner.patch(`/api/trusted-publishers/${made.id}`, { scopes: ['write'] })
    expect(widened.json().scopes).toEqual(['write'])
    const writer = system.withKey(tokenIn(await exchange(made, await github.token(base))))
    expect((await writer.post('/api/snippets', { tool: 'csv', title: 'x', data: {} })).status).toBe(201)
    expect((await writer.get('/api/snippets')).json().code).toBe('insufficient_scope')
  })

  it('has its requests counted for the rule', async () => {
    const made = await makeRule()
    const client = system.withKey(tokenIn(await exchange(made, await github.token(base))))
    for (let n = 0; n < 7; n += 1) await client.get('/api/snippets')
    const shown = async () => (await made.owner.get(`/api/trusted-publishers/${made.id}`)).json()
    await expect.poll(async () => (await shown()).request_count).toBe(7)
    expect((await shown()).last_used_at).toMatch(/Z$/)
  })

  it('has its issuer’s keys fetched once by each gateway, with the discovery document', () => {
    expect(github.hits()).toBe(2)
    expect(gitlab.hits()).toBe(2)
  })
})

describe('the owner of a rule', () => {
  it('sees it in the profile’s usage, and its events among those of the account', async () => {
    const made = await makeRule()
    tokenIn(await exchange(made, await github.token(base)))
    const token = await github.token(base, { repository_id: '75' })
    expect((await exchange(made, token)).status).toBe(400)
    expect((await exchange(made, token)).status).toBe(400)
    const profile = (await made.owner.get('/api/auth/profile')).json()
    expect(profile).toMatchObject({ usage: { trusted_publishers: 1 }, limits: { trusted_publishers: 20 } })
    await made.owner.delete(`/api/trusted-publishers/${made.id}`)
    const events = (await made.owner.get(`/api/events?type=trust&subject=${made.id}`)).json<{
      events: { type: string; detail: object }[]
    }>().events
    expect(events.map(({ type }) => type).toSorted()).toEqual([
      'trust.created',
      'trust.deleted',
      'trust.first_used',
      'trust.refused',
    ])
    expect(events.find(({ type }) => type === 'trust.refused')?.detail).toEqual({
      ...{ name: 'releases', reason: 'other_repository', claim: 'repository_id' },
    })
    expect((await made.owner.get('/api/auth/profile')).json()).toMatchObject({
      usage: { trusted_publishers: 0 },
    })
  })

  it('pins the ids of a rejected attempt, and from then on the next one is accepted', async () => {
    const made = await makeRule({ claims: {}, repository: 'Acme/Website' })
    expect((await exchange(made, await github.token(base))).status).toBe(400)
    const [event] = await eventsOf(made)
    expect(event).toMatchObject({ reason: 'not_pinned', pin: pinned })
    expect(event?.claims).toMatchObject({
      repository: 'acme/website',
      ref: 'refs/heads/main',
      run_id: '30433642',
    })
    const changed = await made.owner.patch(`/api/trusted-publishers/${made.id}`, { claims: event?.pin })
    expect(changed.json()).toMatchObject({ pinned: true, claims: pinned })
    tokenIn(await exchange(made, await github.token(base)))
  })

  it('is offered no ids of a repository with another name', async () => {
    const made = await makeRule({ claims: {} })
    await exchange(made, await github.token(base, { repository: 'evil/website', repository_id: '66' }))
    expect((await eventsOf(made))[0]).toMatchObject({ reason: 'other_repository', pin: null })
  })

  it('revokes its tokens everywhere, and immediately where it was deleted', async () => {
    const made = await makeRule()
    const token = tokenIn(await exchange(made, await github.token(base)))
    const clients = [0, 1, 2].map((gateway) => bearer(token, gateway))
    for (const client of clients) expect((await client.get('/api/snippets')).status).toBe(200)
    expect((await made.owner.delete(`/api/trusted-publishers/${made.id}`)).json()).toEqual({
      id: made.id,
      deleted: true,
    })
    expect((await clients[0]?.get('/api/snippets'))?.status).toBe(401)
    for (const client of clients)
      await expect.poll(async () => (await client.get('/api/snippets')).status, { interval: 10 }).toBe(401)
    expect((await exchange(made, await github.token(base))).status).toBe(400)
    expect((await made.owner.get(`/api/trusted-publishers/${made.id}`)).status).toBe(404)
  })

  it.each([
    { disabled: true },
    { claims: { ...pinned, ref: 'x' } },
    { events: ['release'] },
    { scopes: ['read'] },
  ])('ends its tokens with the change %j', async (change) => {
    const made = await makeRule()
    const token = tokenIn(await exchange(made, await github.token(base)))
    expect((await bearer(token).get('/api/snippets')).status).toBe(200)
    await made.owner.patch(`/api/trusted-publishers/${made.id}`, change)
    expect((await bearer(token).get('/api/snippets')).json().code).toBe('invalid_token')
  })

  it('who loses Pro has tokens that are rejected until the next upgrade', async () => {
    const made = await makeRule()
    const client = bearer(tokenIn(await exchange(made, await github.token(base))))
    const became = (code: unknown) =>
      within(5_100, code, async () => (await client.get('/api/snippets')).json().code)
    await became(undefined)
    await system.setPlan(made.name, 'free')
    await became('pro_required')
    expect((await made.owner.get('/api/trusted-publishers')).status).toBe(200)
    await system.setPlan(made.name, 'pro')
    await became(undefined)
  })

  it('may have twenty rules, also with parallel requests, and Free none', async () => {
    const owner = await system.user('collector', 'pro')
    const responses = await Promise.all(
      Array.from({ length: 30 }, () => owner.post('/api/trusted-publishers', rule)),
    )
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(20)
    const over = responses.find(({ status }) => status !== 201)
    expect([over?.status, over?.json().code]).toEqual([409, 'trusted_publisher_limit_reached'])
    const free = await system.user('free publisher')
    expect((await free.post('/api/trusted-publishers', rule)).json().code).toBe('pro_required')
    expect((await owner.get('/api/auth/profile')).json()).toMatchObject({
      limits: { trusted_publishers: 20 },
    })
  })

  it('is told what is wrong with a rule', async () => {
    const owner = await system.user('mistaken', 'pro')
    const invalid: readonly (readonly [object, string])[] = [
      [{ name: '' }, '/name'],
      [{ issuer: 'https://evil.example' }, '/issuer'],
      [{ repository: undefined }, '/repository'],
      [{ repository: 'website' }, '/repository'],
      [{ claims: { sub: 'repo:acme/website' } }, '/claims/sub'],
      [{ claims: { event_name: 'push' } }, '/claims/event_name'],
      [{ claims: { 'a b': 'c' } }, '/claims/a b'],
      [{ claims: { ref: '' } }, '/claims/ref'],
      [{ claims: { ref: 1 } }, '/claims/ref'],
      [{ events: ['pull_request_target'] }, '/events/0'],
      [{ scopes: [] }, '/scopes'],
      [{ scopes: ['write', 'approve'] }, '/scopes/1'],
      [{ ttl: 59 }, '/ttl'],
      [{ ttl: 3_601 }, '/ttl'],
      [{ audience: 'x' }, '/audience'],
      [{ issuer: 'circle', repository: undefined, claims: {} }, '/claims'],
    ]
    for (const [fields, pointer] of invalid) {
      const response = await owner.post('/api/trusted-publishers', { ...rule, ...fields })
      expect(response.status, JSON.stringify(fields)).toBe(400)
      expect(response.json<{ errors: { pointer: string }[] }>().errors[0]?.pointer).toBe(pointer)
    }
    const list = (await owner.get('/api/trusted-publishers')).json()
    expect(list).toEqual({ trusted_publishers: [], issuers: ['github', 'gitlab', 'circle'] })
  })

  it('creates one rule however often the same request is sent', async () => {
    const owner = await system.user('repeating publisher', 'pro')
    const send = (fields: object = {}) =>
      owner.post('/api/trusted-publishers', { ...rule, ...fields }, { 'Idempotency-Key': 'once' })
    const responses = await Promise.all(Array.from({ length: 10 }, () => send()))
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
    expect(responses[0]?.headers.get('location')).toContain(responses[0]?.json<{ id: string }>().id)
    expect((await send({ name: 'other' })).json().code).toBe('idempotency_key_reused')
  })
})
