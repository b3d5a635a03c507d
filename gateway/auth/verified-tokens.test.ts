import { describe, expect, it } from 'vitest'
import { signedBy } from './testing/compact-token.js'
import { invalid, outcomeOf } from './testing/outcome-of.js'
import { newSigningKey } from './testing/signing-key.js'
import { verifierFixture } from './testing/verifier-fixture.js'
import { createVerifiedTokens, tokensMax } from './verify-identity-token.js'

const always = { validity: { from: 0, until: Number.POSITIVE_INFINITY } }

describe('the cache of verified tokens', () => {
  it('finds exactly the stored token', () => {
    const verified = createVerifiedTokens<{ validity: { from: number; until: number }; who: string }>(() => 0)
    verified.remember('a', { ...always, who: 'alice' })
    expect(verified.find('a')).toEqual({ ...always, who: 'alice' })
    expect(verified.find('b')).toBeUndefined()
    verified.forget('a')
    expect(verified.find('a')).toBeUndefined()
  })

  it('drops an expired token for good', () => {
    let now = 5
    const verified = createVerifiedTokens(() => now)
    verified.remember('a', { validity: { from: 0, until: 10 } })
    now = 9
    expect(verified.find('a')).toBeDefined()
    now = 10
    expect(verified.find('a')).toBeUndefined()
    now = 9
    expect(verified.find('a')).toBeUndefined()
  })

  it('holds 10,000 tokens and evicts the oldest', () => {
    const verified = createVerifiedTokens(() => 0)
    for (let index = 0; index <= tokensMax; index++) verified.remember(`token ${index}`, always)
    expect(tokensMax).toBe(10_000)
    expect(verified.find('token 0')).toBeUndefined()
    expect(verified.find('token 1')).toBeDefined()
    expect(verified.find(`token ${tokensMax}`)).toBeDefined()
  })
})

describe('a cached token', () => {
  it('does not cover one with another signature, which is verified again', async () => {
    const { verifier, token } = verifierFixture()
    const good = token()
    expect(await outcomeOf(verifier.verify(good))).toBe('accepted')
    const [header, payload] = good.split('.')
    const forged = `${header}.${payload}.${Buffer.alloc(64, 1).toString('base64url')}`
    expect(await outcomeOf(verifier.verify(forged))).toEqual(invalid)
    expect(await outcomeOf(verifier.verify(good))).toBe('accepted')
  })

  it('is rejected when its kid names another key', async () => {
    const { verifier, issuer, clock, token } = verifierFixture()
    const good = token()
    expect(await outcomeOf(verifier.verify(good))).toBe('accepted')
    issuer.keys = [newSigningKey('first')]
    clock.advance(600)
    expect(await outcomeOf(verifier.verify(good))).toEqual(invalid)
  })

  it('is accepted again after its key was missing for a while', async () => {
    const { verifier, issuer, clock, key, claims } = verifierFixture()
    const good = signedBy(key, claims())
    expect(await outcomeOf(verifier.verify(good))).toBe('accepted')
    issuer.keys = [newSigningKey('second')]
    clock.advance(600)
    expect(await outcomeOf(verifier.verify(good))).toEqual(invalid)
    issuer.keys = [key]
    clock.advance(600)
    expect(await outcomeOf(verifier.verify(good))).toBe('accepted')
  })
})
