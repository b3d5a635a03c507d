import { describe, expect, it } from 'vitest'
import { signedBy } from './testing/compact-token.js'
import { invalid, outcomeOf } from './testing/outcome-of.js'
import { newSigningKey } from './testing/signing-key.js'
import { verifierFixture } from './testing/verifier-fixture.js'
import { createTokenVerifier } from './verify-identity-token.js'

describe('a valid token', () => {
  it.each(['RS256', 'ES256', 'EdDSA'] as const)('is accepted when signed with %s', async (algorithm) => {
    const { verifier, token, clock } = verifierFixture(newSigningKey('first', algorithm))
    expect(await verifier.verify(token())).toEqual({
      issuer: 'https://issuer.test',
      subject: 'alice',
      issuedAt: new Date(clock.now()),
      authenticatedAt: null,
      isOperator: false,
      email: null,
      emailVerified: false,
      name: null,
      picture: null,
    })
  })

  it('is accepted with the newer algorithm name Ed25519', async () => {
    const key = newSigningKey('first', 'EdDSA')
    const { verifier, claims } = verifierFixture(key)
    expect(await outcomeOf(verifier.verify(signedBy(key, claims(), { alg: 'Ed25519' })))).toBe('accepted')
  })

  it.each([
    ['without typ', { typ: undefined }],
    ['with typ in lower case', { typ: 'jwt' }],
    ['with an unknown header member, as RFC 7515 allows', { foo: 'bar' }],
    ['with the thumbprint of a certificate', { x5t: 'abc', 'x5t#S256': 'def' }],
  ])('is accepted %s', async (_name, header) => {
    const { verifier, key, claims } = verifierFixture()
    expect(await outcomeOf(verifier.verify(signedBy(key, claims(), header)))).toBe('accepted')
  })

  it.each([
    ['a list of our audience alone', { aud: ['snipkeep-tests'] }],
    ['several audiences and us as azp', { aud: ['other', 'snipkeep-tests'], azp: 'snipkeep-tests' }],
    ['us as azp', { azp: 'snipkeep-tests' }],
    ['a subject of 255 characters', { sub: 'x'.repeat(255) }],
    ['a subject with spaces and signs', { sub: 'auth0|5f7c8 {"~' }],
    ['unknown claims', { nonce: 'n', roles: { a: [1] }, ['__proto__']: 1 }],
    ['times with fractions', { iat: 1_779_999_999.5, exp: 1_780_000_010.25 }],
  ])('is accepted with %s', async (_name, changes) => {
    const { verifier, token } = verifierFixture()
    expect(await outcomeOf(verifier.verify(token(changes)))).toBe('accepted')
  })

  it('is accepted at 16 KB and rejected beyond', async () => {
    const { verifier, token } = verifierFixture()
    const spare = 16_384 - token({ filler: '' }).length
    const longest = token({ filler: 'x'.repeat(Math.floor((spare * 3) / 4)) })
    expect(longest.length).toBeGreaterThan(16_380)
    expect(await outcomeOf(verifier.verify(longest))).toBe('accepted')
    expect(await outcomeOf(verifier.verify(token({ filler: 'x'.repeat(spare) })))).toEqual(invalid)
  })

  it('yields its profile', async () => {
    const { verifier, token } = verifierFixture()
    const profile = { email: 'a@b.example', name: 'Alice', picture: 'https://b.example/a.png' }
    const claims = await verifier.verify(token({ ...profile, email_verified: true }))
    expect(claims).toMatchObject({ ...profile, emailVerified: true })
  })
})

describe('another spelling of a valid token', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

  it('is accepted with stray bits after the signature, which change nothing signed', async () => {
    const { verifier, token } = verifierFixture()
    const genuine = token()
    // The last character of 64 bytes carries two bits; its other four are ignored.
    const stray = alphabet[alphabet.indexOf(genuine.at(-1) ?? '') + 1] ?? ''
    expect(await outcomeOf(verifier.verify(genuine.slice(0, -1) + stray))).toBe('accepted')
  })
})

describe('several issuers and audiences', () => {
  it('are separate: a key of one issuer signs nothing for another', async () => {
    const one = verifierFixture()
    const other = newSigningKey('first')
    const fetchBoth = (address: string): Promise<Response> => {
      if (address.startsWith(one.issuer.url)) return one.issuer.fetch(address, {})
      const keys = { keys: [other.jwk] }
      const discovery = { issuer: 'https://other.test', jwks_uri: 'https://other.test/keys' }
      return Promise.resolve(Response.json(address === discovery.jwks_uri ? keys : discovery))
    }
    const verifier = createTokenVerifier({
      issuers: [
        { issuer: one.issuer.url, audience: 'web' },
        { issuer: one.issuer.url, audience: 'cli' },
        { issuer: 'https://other.test', audience: 'other' },
      ],
      now: one.clock.now,
      fetch: fetchBoth,
      log: { error: () => undefined },
    })
    const verdict = (signer: typeof other, changes: object) =>
      outcomeOf(verifier.verify(signedBy(signer, one.claims({ ...changes }))))

    expect(await verdict(one.key, { aud: 'web' })).toBe('accepted')
    expect(await verdict(one.key, { aud: 'cli' })).toBe('accepted')
    expect(await verdict(other, { aud: 'other', iss: 'https://other.test' })).toBe('accepted')
    expect(await verdict(other, { aud: 'web' })).toEqual(invalid)
    expect(await verdict(one.key, { aud: 'other', iss: 'https://other.test' })).toEqual(invalid)
    expect(await verdict(one.key, { aud: 'other' })).toEqual(invalid)
    expect(await verdict(other, { aud: 'web', iss: 'https://other.test' })).toEqual(invalid)
    expect(await verdict(one.key, { aud: 'web', azp: 'cli' })).toEqual(invalid)
  })
})

describe('readiness', () => {
  it('starts with the keys of the issuer', async () => {
    const { verifier } = verifierFixture()
    expect(verifier.isReady()).toBe(false)
    await verifier.prepare()
    expect(verifier.isReady()).toBe(true)
  })

  it('waits for an issuer that is down, without an error from prepare', async () => {
    const { verifier, issuer, clock } = verifierFixture()
    issuer.isDown = true
    await verifier.prepare()
    expect(verifier.isReady()).toBe(false)
    issuer.isDown = false
    clock.advance(30)
    await verifier.prepare()
    expect(verifier.isReady()).toBe(true)
  })

  it('fetches no keys that are already there', async () => {
    const { verifier, issuer, clock } = verifierFixture()
    await verifier.prepare()
    clock.advance(3_600)
    await verifier.prepare()
    expect(issuer.asked.keySet).toBe(1)
  })
})
