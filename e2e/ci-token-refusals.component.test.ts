import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newAccessToken } from '#shared/api-key/access-token-format.js'
import type { ApiResponse } from './harness/api-client.js'
import {
  exchangeToken,
  type FakeCiIssuer,
  githubClaims,
  githubClaimsBefore,
  gitlabClaims,
  postForm,
  startFakeCiIssuer,
} from './harness/ci-issuer.js'
import type { SystemInProcess } from './harness/system-in-process.js'
import { pinned, startTrustingSystem, type TrustingSystem, tokenIn } from './harness/trusted-rules.js'

let world: TrustingSystem
let github: FakeCiIssuer
let gitlab: FakeCiIssuer
let system: SystemInProcess
let base: string

beforeAll(async () => {
  world = await startTrustingSystem()
  ;({ github, gitlab, system, base } = world)
})
afterAll(() => world?.stop())

const makeRule: TrustingSystem['makeRule'] = (fields) => world.makeRule(fields)
const exchange: TrustingSystem['exchange'] = (...args) => world.exchange(...args)
const eventsOf: TrustingSystem['eventsOf'] = (made) => world.eventsOf(made)
const bearer: TrustingSystem['bearer'] = (...args) => world.bearer(...args)

const refused = {
  error: 'invalid_grant',
  code: 'invalid_grant',
  error_description: expect.stringContaining('not accepted'),
}

describe('an unacceptable token', () => {
  const now = (): number => Math.floor(Date.now() / 1_000)
  const cases: readonly (readonly [
    name: string,
    reason: string,
    fields: object,
    token: () => Promise<string>,
  ])[] = [
    ['another audience', 'other_audience', {}, () => github.token('https://other.example')],
    [
      'the audience GitHub has by default',
      'other_audience',
      {},
      () => github.token('https://github.com/acme'),
    ],
    [
      'several audiences',
      'other_audience',
      {},
      () => github.token(base, { aud: [base, 'https://other.example'] }),
    ],
    ['no audience', 'other_audience', {}, () => github.token(base, { aud: undefined })],
    ['a path below our address', 'other_audience', {}, () => github.token(`${base}/api`)],
    ['expired', 'expired', {}, () => github.token(base, { iat: now() - 600, exp: now() - 61 })],
    [
      'older than an hour',
      'expired',
      {},
      () => github.token(base, { iat: now() - 3_661, exp: now() + 3_600 }),
    ],
    ['of the future', 'not_yet_valid', {}, () => github.token(base, { iat: now() + 120, exp: now() + 600 })],
    ['not valid yet', 'not_yet_valid', {}, () => github.token(base, { nbf: now() + 120 })],
    [
      'the right name and another repository id',
      'other_repository',
      {},
      () => github.token(base, { repository_id: '99' }),
    ],
    [
      'the right name and another owner id',
      'other_repository',
      {},
      () => github.token(base, { repository_owner_id: '99' }),
    ],
    [
      'ids that are numbers of the same spelling with a space',
      'other_repository',
      {},
      () => github.token(base, { repository_id: '74 ' }),
    ],
    ['a list of ids', 'other_repository', {}, () => github.token(base, { repository_id: ['74'] })],
    ['no ids at all', 'other_repository', {}, () => github.token(base, { repository_id: undefined })],
    [
      'another repository altogether',
      'other_repository',
      {},
      () => github.token(base, { repository: 'evil/x', repository_id: '99', repository_owner_id: '98' }),
    ],
    [
      'pull_request_target',
      'event_not_allowed',
      {},
      () => github.token(base, { event_name: 'pull_request_target' }),
    ],
    [
      'workflow_run that no one named',
      'event_not_allowed',
      {},
      () => github.token(base, { event_name: 'workflow_run' }),
    ],
    ['no event', 'event_not_allowed', {}, () => github.token(base, { event_name: undefined })],
    [
      'an event that is not among those named',
      'event_not_allowed',
      { events: ['release'] },
      () => github.token(base),
    ],
    [
      'another branch',
      'claim_mismatch',
      { claims: { ...pinned, ref: 'refs/heads/main' } },
      () => github.token(base, { ref: 'refs/heads/dev' }),
    ],
    [
      'a claim that it lacks',
      'claim_mismatch',
      { claims: { ...pinned, environment: 'prod' } },
      () => github.token(base),
    ],
    ['a rule that has no ids yet', 'not_pinned', { claims: {} }, () => github.token(base)],
    [
      'a rule that has one id only',
      'not_pinned',
      { claims: { repository_id: '74' } },
      () => github.token(base),
    ],
    [
      "another issuer's, with the claims of this one",
      'other_issuer',
      {},
      () => gitlab.token(base, githubClaims),
    ],
  ]

  it.each(cases)(
    'is rejected without a reason, which only the owner sees: %s',
    async (_name, reason, fields, token) => {
      const made = await makeRule(fields)
      const subject = await token()
      const reply = await exchange(made, subject)
      expect([reply.status, reply.headers.get('content-type')]).toEqual([400, 'application/json'])
      expect(reply.json()).toMatchObject(refused)
      expect(reply.text).not.toContain(reason)
      const [event] = await eventsOf(made)
      expect(event).toMatchObject({ outcome: 'refused', reason })
      expect((await bearer(subject).get('/api/snippets')).status).toBe(401)
    },
  )

  it('is rejected and leaves no event if none of our issuers signed it', async () => {
    const made = await makeRule()
    const stranger = await startFakeCiIssuer(githubClaims, 'github')
    const tokens = [
      await stranger.token(base),
      await stranger.token(base, { iss: github.url }),
      await gitlab.token(base, { iss: github.url }),
      await github.token(base, { iss: gitlab.url }),
      await github.token(base, { iss: 'https://token.actions.githubusercontent.com' }),
      await github.token(base, { exp: undefined }),
      await system.issuer.token('ann', { aud: base }),
      'a.b.c',
    ]
    for (const token of tokens) {
      const response = await exchange(made, token)
      expect([response.status, response.json().error], token).toEqual([400, 'invalid_grant'])
    }
    await stranger.stop()
    expect(stranger.hits()).toBe(0)
    expect(await eventsOf(made)).toEqual([])
  })

  it('is rejected the same way for a rule that is unknown, disabled, or whose owner lost the right', async () => {
    const body = (reply: ApiResponse) => ({ ...reply.json(), request_id: '', status: reply.status })
    const made = await makeRule({ claims: {} })
    const known = body(await exchange(made, await github.token(base)))
    for (const id of [`tp_${'A'.repeat(22)}`, 'tp_x', 'x', "' OR 1=1"])
      expect(body(await exchangeToken(system.anyone(), id, await github.token(base)))).toEqual(known)
    const off = await makeRule()
    await off.owner.patch(`/api/trusted-publishers/${off.id}`, { disabled: true })
    expect(body(await exchange(off, await github.token(base)))).toEqual(known)
    expect((await eventsOf(off))[0]).toMatchObject({ reason: 'disabled' })
    const lapsed = await makeRule()
    await system.setPlan(lapsed.name, 'free')
    expect(body(await exchange(lapsed, await github.token(base)))).toEqual(known)
    expect((await eventsOf(lapsed))[0]).toMatchObject({ reason: 'pro_required' })
  })

  it('is 401 as an identity token, even if its issuer also signs users in to our client', async () => {
    const audience = system.issuer.audience
    for (const claims of [githubClaims, githubClaimsBefore, gitlabClaims]) {
      const token = await system.issuer.token('ann', { ...claims, sub: 'ann' })
      const reply = await bearer(token).get('/api/auth/profile')
      expect([reply.status, reply.json().code]).toEqual([401, 'invalid_token'])
    }
    expect((await bearer(await github.token(audience)).get('/api/auth/profile')).status).toBe(401)
    expect((await bearer(await github.token(base)).get('/api/auth/profile')).status).toBe(401)
    const person = await system.issuer.token('ann')
    expect((await bearer(person).get('/api/auth/profile')).status).toBe(200)
  })

  it('is accepted once across three gateways, however its signature is spelled', async () => {
    const made = await makeRule()
    for (let round = 0; round < 5; round += 1) {
      const token = await github.token(base, round === 0 ? { jti: undefined } : {})
      const tries = Array.from({ length: 30 }, (_none, n) => exchange(made, token, n % 3))
      const statuses = (await Promise.all(tries)).map(({ status }) => status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      expect(statuses.filter((status) => status === 400)).toHaveLength(29)
      // An RS256 signature has 256 bytes: the last character of their base64url carries four unused bits.
      const stray = `${token.slice(0, -1)}${String.fromCharCode(token.charCodeAt(token.length - 1) + 1)}`
      expect((await exchange(made, stray)).status).toBe(400)
      expect((await exchange(made, token)).status).toBe(400)
    }
    expect((await eventsOf(made))[0]).toMatchObject({ reason: 'assertion_used' })
  })
})

describe('the OAuth endpoints', () => {
  it.each([
    [{ grant_type: 'client_credentials' }, 'unsupported_grant_type'],
    [{ subject_token_type: 'urn:ietf:params:oauth:token-type:saml2' }, 'invalid_request'],
    [{ subject_token: '' }, 'invalid_request'],
    [{ trusted_publisher: '' }, 'invalid_request'],
    [{ grant_type: 'password', username: 'a', password: 'b', subject_token: '' }, 'unsupported_grant_type'],
    [{ grant_type: '' }, 'invalid_request'],
    [{ requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' }, 'invalid_request'],
    [{ scope: 'read admin' }, 'invalid_scope'],
    [{ scope: ' ' }, 'invalid_scope'],
    [{ audience: 'https://other.example' }, 'invalid_target'],
    [{ resource: 'https://other.example' }, 'invalid_target'],
  ])('refuse a form with %j as %s', async (fields: Record<string, string>, error) => {
    const made = await makeRule()
    const reply = await exchangeToken(system.anyone(), made.id, await github.token(base), fields)
    expect([reply.status, reply.json().error, reply.json().code]).toEqual([400, error, error])
  })

  it('reject anything but a small form', async () => {
    const send = (body: string, type: string) =>
      system.anyone().post('/api/oauth/token', body, { 'Content-Type': type })
    const form = 'application/x-www-form-urlencoded'
    expect((await send('{}', 'application/json')).status).toBe(415)
    expect((await send('a=b', `${form}; charset=latin1`)).status).toBe(415)
    expect((await send(`grant_type=${'x'.repeat(70_000)}`, form)).status).toBe(413)
    expect((await send('grant_type=a&grant_type=b', form)).json().error).toBe('invalid_request')
    expect((await send('', form)).json().error).toBe('invalid_request')
  })

  it('revoke a token for any holder, and reveal nothing about others', async () => {
    const made = await makeRule()
    const token = tokenIn(await exchange(made, await github.token(base)))
    const kept = tokenIn(await exchange(made, await github.token(base)))
    expect((await bearer(token).get('/api/snippets')).status).toBe(200)
    for (const one of [token, token, newAccessToken(), 'snx_x', 'anything']) {
      const reply = await postForm(system.anyone(), '/api/oauth/revoke', { token: one })
      expect([reply.status, reply.text]).toEqual([200, '{}'])
    }
    expect((await bearer(token).get('/api/snippets')).json().code).toBe('invalid_token')
    expect((await bearer(kept).get('/api/snippets')).status).toBe(200)
  })

  it('look up no token with a wrong checksum', async () => {
    for (const token of ['snx_', `snx_${'A'.repeat(40)}`, newAccessToken().slice(0, -1)])
      expect((await bearer(token).get('/api/snippets')).json().code).toBe('invalid_token')
    expect((await system.withKey(newAccessToken()).get('/api/snippets')).json().code).toBe('invalid_token')
  })
})
