import { describe, expect, it } from 'vitest'
import { signedBy } from './testing/compact-token.js'
import type { MemoryIssuer } from './testing/memory-issuer.js'
import { invalid, outcomeOf } from './testing/outcome-of.js'
import { newSigningKey, type SigningKey } from './testing/signing-key.js'
import { type VerifierFixture, verifierFixture } from './testing/verifier-fixture.js'

const requestsPerSecond = 10
const hour = 3_600

/** Lets background work continue for one turn of the event loop. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Ten requests a second for an hour of fake time; calls `during` at the start of each second. */
async function runHour(
  { clock, verifier }: VerifierFixture,
  during: (second: number) => Promise<string> | string,
): Promise<void> {
  for (let second = 0; second < hour; second++) {
    const token = await during(second)
    const outcomes = await Promise.all(
      Array.from({ length: requestsPerSecond }, () => outcomeOf(verifier.verify(token))),
    )
    expect(new Set(outcomes), `in second ${second}`).toEqual(new Set(['accepted']))
    await turn()
    clock.advance(1)
  }
}

function day(fixture: VerifierFixture, key: SigningKey): string {
  return signedBy(key, fixture.claims({ exp: fixture.clock.seconds() + 24 * hour }))
}

describe('the rotation of keys', () => {
  it('accepts every token of a published key for an hour, and none of a removed one ten minutes later', async () => {
    const fixture = verifierFixture()
    const { issuer, key, verifier } = fixture
    const successor = newSigningKey('second', 'RS256')
    const old = day(fixture, key)
    const next = day(fixture, successor)
    await runHour(fixture, async (second) => {
      if (second === 900) issuer.keys = [key, successor]
      if (second === 1_800) issuer.keys = [successor]
      // Issuers publish a key before they sign with it; half a minute earlier is enough.
      if (second < 930) return old
      if (second === 2_400) expect(await outcomeOf(verifier.verify(old))).toEqual(invalid)
      return next
    })
    expect(await outcomeOf(verifier.verify(old))).toEqual(invalid)
  })

  it('accepts a token of a new key immediately after half a minute without a fetch', async () => {
    const fixture = verifierFixture()
    const { issuer, key, verifier, clock } = fixture
    await verifier.prepare()
    const successor = newSigningKey('second')
    issuer.keys = [key, successor]
    clock.advance(30)
    expect(await outcomeOf(verifier.verify(day(fixture, successor)))).toBe('accepted')
  })
})

describe('an issuer that is down for an hour', () => {
  it('causes no rejection of tokens with a known key, and accepts no unknown key', async () => {
    const fixture = verifierFixture()
    const { issuer, key, verifier, logLines } = fixture
    await verifier.prepare()
    issuer.isDown = true
    const known = day(fixture, key)
    const unknown = day(fixture, newSigningKey('unknown'))
    await runHour(fixture, async (second) => {
      if (second % 10 === 0) expect(await outcomeOf(verifier.verify(unknown))).toEqual(invalid)
      // Both cached and new tokens.
      return second % 60 === 59 ? signedBy(key, fixture.claims()) : known
    })
    expect(verifier.isReady()).toBe(true)
    expect(issuer.asked.discovery).toBeLessThanOrEqual(1 + hour / 30)
    expect(logLines.length).toBeGreaterThan(0)
    expect(logLines.join('\n')).not.toContain(known)
  })

  it('makes every token unavailable, neither rejected nor accepted, if its keys were never fetched', async () => {
    const fixture = verifierFixture()
    fixture.issuer.isDown = true
    const unavailable = {
      kind: 'unavailable',
      code: 'unavailable',
      message: 'The identity token cannot be verified: its issuer is unavailable. Try again later.',
      details: { retry_after: 30 },
    }
    expect(await outcomeOf(fixture.verifier.verify(fixture.token()))).toEqual(unavailable)
    const forged = signedBy(newSigningKey('first'), fixture.claims())
    expect(await outcomeOf(fixture.verifier.verify(forged))).toEqual(unavailable)
  })

  it('changes nothing for tokens that are rejected without its keys', async () => {
    const { issuer, verifier, token } = verifierFixture()
    issuer.isDown = true
    expect(await outcomeOf(verifier.verify(token({ aud: 'other' })))).toEqual(invalid)
    expect(await outcomeOf(verifier.verify(token({ exp: 1 })))).toEqual(invalid)
    expect(await outcomeOf(verifier.verify(token({ iss: 'https://other.test' })))).toEqual(invalid)
    expect(issuer.asked.discovery).toBe(0)
  })
})

it('a key set without a usable key never replaces a good one', async () => {
  const { issuer, key, verifier, clock, token, logLines } = verifierFixture()
  expect(await outcomeOf(verifier.verify(token()))).toBe('accepted')
  for (const keys of [[], [newSigningKey('weak', 'RS256', 1_024)], [key, key]]) {
    issuer.keys = keys
    clock.advance(hour)
    expect(await outcomeOf(verifier.verify(token()))).toBe('accepted')
  }
  expect(logLines).toHaveLength(3)
})

describe('ten thousand tokens with made-up kids in a minute', () => {
  async function flood(fixture: VerifierFixture): Promise<MemoryIssuer['asked']> {
    const stranger = newSigningKey('stranger', 'EdDSA')
    const before = { ...fixture.issuer.asked }
    const good = fixture.token()
    for (let request = 0; request < 10_000; request++) {
      const token = signedBy(stranger, fixture.claims(), { kid: `invented ${request}` })
      expect(await outcomeOf(fixture.verifier.verify(token))).toEqual(invalid)
      if (request % 100 === 0) expect(await outcomeOf(fixture.verifier.verify(good))).toBe('accepted')
      fixture.clock.advance(0.006)
    }
    const { asked } = fixture.issuer
    return {
      discovery: asked.discovery - before.discovery,
      keySet: asked.keySet - before.keySet,
      elsewhere: asked.elsewhere - before.elsewhere,
    }
  }

  it('cause at most two fetches of the keys while the issuer responds', async () => {
    const fixture = verifierFixture()
    await fixture.verifier.prepare()
    fixture.clock.advance(hour)
    expect(await flood(fixture)).toEqual({ discovery: 2, keySet: 2, elsewhere: 0 })
  })

  it('cause at most two attempts while it is down', async () => {
    const fixture = verifierFixture()
    await fixture.verifier.prepare()
    fixture.clock.advance(hour)
    fixture.issuer.isDown = true
    expect(await flood(fixture)).toEqual({ discovery: 2, keySet: 0, elsewhere: 0 })
  })
})
