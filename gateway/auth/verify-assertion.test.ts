import { describe, expect, it } from 'vitest'
import { signedBy } from './testing/compact-token.js'
import { forgeries } from './testing/forgeries.js'
import { memoryIssuer } from './testing/memory-issuer.js'
import { invalid, outcomeOf } from './testing/outcome-of.js'
import { newSigningKey } from './testing/signing-key.js'
import { fakeClock } from './testing/verifier-fixture.js'
import { createAssertionVerifier } from './verify-assertion.js'

const audience = 'https://s.example'
const rsa = newSigningKey('rsa', 'RS256')
const ec = newSigningKey('ec')
const stranger = newSigningKey('stranger')
const strangeRsa = newSigningKey('stranger', 'RS256')

function fixture() {
  const clock = fakeClock()
  const issuer = memoryIssuer('https://ci.example', [rsa, ec])
  const verifier = createAssertionVerifier({
    issuers: [{ name: 'ci', issuer: issuer.url, provider: 'other' }],
    audience,
    now: clock.now,
    fetch: issuer.fetch,
    log: { error: () => undefined },
  })
  const claims = (changes: object = {}) => {
    const now = clock.seconds()
    return { iss: issuer.url, aud: audience, jti: 'one', iat: now, exp: now + 300, ...changes }
  }
  const verify = (changes: object = {}) => verifier.verify(signedBy(ec, claims(changes)))
  return { clock, issuer, verifier, claims, verify }
}

describe('forged tokens of CI jobs', () => {
  it('are all rejected alike as assertions, and nothing they name is fetched', async () => {
    const { issuer, verifier, claims } = fixture()
    const sinkUrl = 'https://sink.example'
    const forged = forgeries({ claims: claims(), rsa, ec, stranger, strangeRsa, sinkUrl: `${sinkUrl}/keys` })
    const outcomes = await Promise.all(
      forged.map(async ([name, token]) => [name, await outcomeOf(verifier.verify(token))]),
    )
    expect(outcomes.length).toBeGreaterThanOrEqual(60)
    expect(outcomes).toEqual(forged.map(([name]) => [name, invalid]))
    expect(issuer.asked).toEqual({ discovery: 1, keySet: 1, elsewhere: 0 })
    expect(await outcomeOf(verifier.verify(signedBy(rsa, claims())))).toBe('accepted')
  })

  it('of an unknown issuer cause no fetch', async () => {
    const { issuer, verify } = fixture()
    expect(await outcomeOf(verify({ iss: 'https://token.actions.githubusercontent.com' }))).toEqual(invalid)
    expect(issuer.asked).toEqual({ discovery: 0, keySet: 0, elsewhere: 0 })
  })
})

describe('a token of a CI job', () => {
  it.each([
    [0, null],
    [359, null],
    [360, 'expired'],
    [-60, null],
    [-61, 'not_yet_valid'],
  ])('%i s after its issue has the fault %s', async (seconds, fault) => {
    const { clock, verifier, claims } = fixture()
    const token = signedBy(ec, claims())
    clock.advance(seconds)
    expect(await verifier.verify(token)).toMatchObject({ fault })
  })

  it('is valid for an hour at most', async () => {
    const { clock, verifier, claims } = fixture()
    const token = signedBy(ec, claims({ exp: clock.seconds() + 86_400 }))
    clock.advance(3_659)
    const found = await verifier.verify(token)
    expect(found.fault).toBeNull()
    expect(found.expiresAt).toEqual(new Date(clock.now() + 1_000))
    clock.advance(1)
    expect(await verifier.verify(token)).toMatchObject({ fault: 'expired' })
  })

  it('yields its single-valued claims as text', async () => {
    const { verify } = fixture()
    const { claims } = await verify({
      repository_id: '74',
      runner_id: 1,
      protected: true,
      groups: ['a'],
      nested: { a: 1 },
      nothing: null,
      control: 'a\u0000b',
      long: 'x'.repeat(1_001),
      ['__proto__']: 'x',
    })
    expect(claims).toMatchObject({ repository_id: '74', runner_id: '1', protected: 'true' })
    for (const name of ['groups', 'nested', 'nothing', 'control', 'long'])
      expect(Object.hasOwn(claims, name), name).toBe(false)
  })

  it('has one digest however its signature is spelled, and another for each jti', async () => {
    const { verifier, claims, verify } = fixture()
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    for (const jti of ['one', undefined, '', 7]) {
      const token = signedBy(ec, claims({ jti }))
      const stray = `${token.slice(0, -1)}${alphabet[alphabet.indexOf(token.at(-1) ?? '') + 1] ?? ''}`
      expect((await verifier.verify(stray)).digest).toBe((await verifier.verify(token)).digest)
    }
    expect((await verify({ sub: 'a' })).digest).toBe((await verify({ sub: 'b' })).digest)
    expect((await verify({ jti: 'two' })).digest).not.toBe((await verify()).digest)
    expect((await verify({ jti: undefined, sub: 'a' })).digest).not.toBe(
      (await verify({ jti: undefined, sub: 'b' })).digest,
    )
  })
})
