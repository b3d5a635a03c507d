import { expect, it } from 'vitest'
import { invalid, outcomeOf } from './testing/outcome-of.js'
import { verifierFixture } from './testing/verifier-fixture.js'

/** The edges of the tolerance: a claim, its distance from now in seconds, and whether the token is accepted. */
const edges = [
  ['exp', -59, true],
  ['exp', -60, false],
  ['exp', -61, false],
  ['nbf', 59, true],
  ['nbf', 60, true],
  ['nbf', 61, false],
  ['iat', 59, true],
  ['iat', 60, true],
  ['iat', 61, false],
] as const

it.each(edges)('%s at now %i s: accepted is %s', async (claim, offset, isAccepted) => {
  const { verifier, clock, token } = verifierFixture()
  const times = { iat: clock.seconds() - 600, [claim]: clock.seconds() + offset }
  expect(await outcomeOf(verifier.verify(token(times)))).toEqual(isAccepted ? 'accepted' : invalid)
})

it('a token is rejected a day and a minute after its issue, even if exp is far away', async () => {
  const { verifier, clock, token } = verifierFixture()
  const verdict = (age: number) =>
    outcomeOf(verifier.verify(token({ iat: clock.seconds() - age, exp: clock.seconds() + 1e9 })))
  expect(await verdict(86_459)).toBe('accepted')
  expect(await verdict(86_460)).toEqual(invalid)
})

it('cached and new tokens expire at the same instant', async () => {
  const { verifier, clock, token } = verifierFixture()
  const seen = token({ exp: clock.seconds() + 10 })
  expect(await outcomeOf(verifier.verify(seen))).toBe('accepted')
  clock.advance(69.999)
  expect(await outcomeOf(verifier.verify(seen))).toBe('accepted')
  clock.advance(0.001)
  expect(await outcomeOf(verifier.verify(seen))).toEqual(invalid)
})

it('a cached token is rejected when the clock is set back before its issue', async () => {
  const { verifier, clock, token } = verifierFixture()
  const seen = token()
  expect(await outcomeOf(verifier.verify(seen))).toBe('accepted')
  clock.advance(-3_600)
  expect(await outcomeOf(verifier.verify(seen))).toEqual(invalid)
})
