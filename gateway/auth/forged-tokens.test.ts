import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signedBy } from './testing/compact-token.js'
import { type Forgery, forgeries } from './testing/forgeries.js'
import { type LocalServer, startLocalIssuer, startLocalServer } from './testing/local-server.js'
import { invalid, outcomeOf } from './testing/outcome-of.js'
import { newSigningKey } from './testing/signing-key.js'
import { fakeClock } from './testing/verifier-fixture.js'
import { createTokenVerifier, type TokenVerifier } from './verify-identity-token.js'

const rsa = newSigningKey('rsa', 'RS256')
const ec = newSigningKey('ec')
const okp = newSigningKey('okp', 'EdDSA')
const stranger = newSigningKey('stranger')
const strangeRsa = newSigningKey('stranger', 'RS256')
const clock = fakeClock()

describe('forged tokens', () => {
  let issuer: LocalServer
  let sink: LocalServer
  let verifier: TokenVerifier
  let forged: readonly Forgery[]

  function claims(): Record<string, unknown> {
    const now = clock.seconds()
    return { iss: issuer.url, aud: 'us', sub: 'admin', iat: now, exp: now + 3_600 }
  }

  beforeAll(async () => {
    issuer = await startLocalIssuer((_request, response) =>
      response.end(JSON.stringify({ keys: [rsa.jwk, ec.jwk, okp.jwk] })),
    )
    // Its keys would make the forgeries valid if anyone fetched them.
    sink = await startLocalServer((_request, response) =>
      response.end(JSON.stringify({ keys: [{ ...stranger.jwk, kid: 'ec' }, stranger.jwk] })),
    )
    verifier = createTokenVerifier({
      issuers: [{ issuer: issuer.url, audience: 'us' }],
      now: clock.now,
      log: { error: () => undefined },
    })
    forged = forgeries({ claims: claims(), rsa, ec, stranger, strangeRsa, sinkUrl: `${sink.url}/keys` })
  })
  afterAll(async () => {
    await issuer.stop()
    await sink.stop()
  })

  it('are all rejected alike, and nothing they name is fetched', async () => {
    const outcomes = await Promise.all(
      forged.map(async ([name, token]) => [name, await outcomeOf(verifier.verify(token))]),
    )
    expect(outcomes.length).toBeGreaterThanOrEqual(60)
    expect(outcomes).toEqual(forged.map(([name]) => [name, invalid]))
    expect(sink.hits()).toBe(0)
  })

  it('have different names, and are different tokens', () => {
    expect(new Set(forged.map(([name]) => name)).size).toBe(forged.length)
    expect(new Set(forged.map(([, token]) => token)).size).toBe(forged.length)
  })

  it('don’t affect genuine ones, with one fetch of the keys for all', async () => {
    for (const key of [rsa, ec, okp]) {
      expect(await outcomeOf(verifier.verify(signedBy(key, claims())))).toBe('accepted')
    }
    // The discovery document and the keys.
    expect(issuer.hits()).toBe(2)
  })

  it('that name another issuer cause no request to it', async () => {
    const before = issuer.hits()
    const token = signedBy(stranger, { ...claims(), iss: sink.url }, { kid: 'stranger' })
    expect(await outcomeOf(verifier.verify(token))).toEqual(invalid)
    expect(sink.hits()).toBe(0)
    expect(issuer.hits()).toBe(before)
  })

  it('whose kid cannot exist cause no fetch', async () => {
    const before = issuer.hits()
    clock.advance(60)
    for (const kid of ['', 'ec\u0000', 'k'.repeat(256), null, 1, ['ec']]) {
      expect(await outcomeOf(verifier.verify(signedBy(ec, claims(), { kid })))).toEqual(invalid)
    }
    expect(issuer.hits()).toBe(before)
  })

  it('are verified each time: only success is cached', async () => {
    for (const [, token] of forged.slice(0, 20)) {
      expect(await outcomeOf(verifier.verify(token))).toEqual(invalid)
    }
  })
})
