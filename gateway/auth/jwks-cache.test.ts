import { describe, expect, it } from 'vitest'
import { createJwksCache, type JwksCache } from './jwks-cache.js'
import { type KeySet, readKeySet } from './key-set.js'
import { newSigningKey } from './testing/signing-key.js'
import { type FakeClock, fakeClock } from './testing/verifier-fixture.js'

const minute = 60
const hour = 3_600
const first = newSigningKey('first')
const second = newSigningKey('second')
const onlyFirst = await readKeySet([first.jwk])
const onlySecond = await readKeySet([second.jwk])
const both = await readKeySet([first.jwk, second.jwk])

/** How the issuer handles the next requests: it publishes a set, fails, or never responds. */
type Behaviour = KeySet | 'fails' | 'hangs'

interface Fixture {
  readonly cache: JwksCache
  readonly clock: FakeClock
  readonly issuer: { behaviour: Behaviour; attempts: number }
  readonly errors: unknown[]
}

function fixture(behaviour: Behaviour): Fixture {
  const clock = fakeClock()
  const issuer = { behaviour, attempts: 0 }
  const errors: unknown[] = []
  const cache = createJwksCache({
    issuer: 'https://issuer.test',
    fetchKeys: () => {
      issuer.attempts++
      if (issuer.behaviour === 'hangs') return new Promise(() => undefined)
      if (issuer.behaviour === 'fails') return Promise.reject(new Error('no route'))
      return Promise.resolve(issuer.behaviour)
    },
    now: clock.now,
    log: { error: (fields: unknown) => void errors.push(fields) },
  })
  return { cache, clock, issuer, errors }
}

/** Lets background work finish within one turn of the event loop. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const isKnown = async (cache: JwksCache, kid: string): Promise<boolean> =>
  (await cache.find(kid)) !== undefined

const unavailable = (retryAfter: number) =>
  expect.objectContaining({ kind: 'unavailable', code: 'unavailable', details: { retry_after: retryAfter } })

describe('while the issuer responds', () => {
  it('concurrent requests share one fetch', async () => {
    const { cache, issuer } = fixture(onlyFirst)
    const found = await Promise.all(Array.from({ length: 100 }, () => isKnown(cache, 'first')))
    expect(new Set(found)).toEqual(new Set([true]))
    expect(issuer.attempts).toBe(1)
  })

  it('the set is refetched after five minutes, in the background', async () => {
    const { cache, clock, issuer } = fixture(onlyFirst)
    await cache.find('first')
    clock.advance(5 * minute - 1)
    await cache.find('first')
    expect(issuer.attempts).toBe(1)
    clock.advance(1)
    issuer.behaviour = 'hangs'
    expect(await isKnown(cache, 'first')).toBe(true)
    expect(issuer.attempts).toBe(2)
  })

  it('a new key works immediately if the last fetch is half a minute old', async () => {
    const { cache, clock, issuer } = fixture(onlyFirst)
    await cache.find('first')
    issuer.behaviour = both
    clock.advance(29.999)
    expect(await isKnown(cache, 'second')).toBe(false)
    clock.advance(0.001)
    expect(await isKnown(cache, 'second')).toBe(true)
    expect(issuer.attempts).toBe(2)
  })

  it('a removed key is rejected ten minutes after the last fetch', async () => {
    const { cache, clock, issuer } = fixture(both)
    await cache.find('first')
    issuer.behaviour = onlySecond
    clock.advance(10 * minute)
    expect(await isKnown(cache, 'first')).toBe(false)
  })

  it('a removed key is rejected after the background fetch', async () => {
    const { cache, clock, issuer } = fixture(both)
    await cache.find('first')
    issuer.behaviour = onlySecond
    clock.advance(5 * minute)
    expect(await isKnown(cache, 'first')).toBe(true)
    await turn()
    expect(await isKnown(cache, 'first')).toBe(false)
  })

  it('at most one fetch is in progress, however long it takes', async () => {
    const { cache, clock, issuer } = fixture(onlyFirst)
    await cache.find('first')
    issuer.behaviour = 'hangs'
    for (let attempt = 0; attempt < 4; attempt++) {
      clock.advance(minute)
      await cache.find('first')
    }
    expect(issuer.attempts).toBe(1)
    for (let attempt = 0; attempt < 4; attempt++) {
      clock.advance(minute)
      await cache.find('first')
    }
    expect(issuer.attempts).toBe(2)
  })

  it('a thousand unknown kids a second cause one fetch in half a minute', async () => {
    const { cache, clock, issuer } = fixture(onlyFirst)
    for (let second = 0; second < 60; second++) {
      for (let request = 0; request < 1_000; request++) await cache.find(`invented ${second} ${request}`)
      clock.advance(1)
    }
    expect(issuer.attempts).toBe(2)
  })
})

describe('while the issuer fails', () => {
  it('a known key works for 24 hours and no longer', async () => {
    const { cache, clock, issuer } = fixture(onlyFirst)
    await cache.find('first')
    issuer.behaviour = 'fails'
    clock.advance(24 * hour - 1)
    expect(await isKnown(cache, 'first')).toBe(true)
    clock.advance(1)
    await expect(cache.find('first')).rejects.toEqual(unavailable(29))
  })

  it('an unknown key is rejected, not unavailable', async () => {
    const { cache, clock, issuer } = fixture(onlyFirst)
    await cache.find('first')
    issuer.behaviour = 'fails'
    clock.advance(hour)
    expect(await isKnown(cache, 'second')).toBe(false)
  })

  it('requests don’t wait once it is known to fail', async () => {
    const { cache, clock, issuer } = fixture(onlyFirst)
    await cache.find('first')
    issuer.behaviour = 'fails'
    clock.advance(20 * minute)
    await cache.find('first')
    issuer.behaviour = 'hangs'
    clock.advance(30)
    expect(await isKnown(cache, 'first')).toBe(true)
    expect(await isKnown(cache, 'second')).toBe(false)
    expect(issuer.attempts).toBe(3)
  })

  it('it is retried every half minute, and its new set is used when it is back', async () => {
    const { cache, clock, issuer } = fixture(onlyFirst)
    await cache.find('first')
    issuer.behaviour = 'fails'
    for (let second = 0; second < 10 * minute; second++) {
      await cache.find('first')
      await turn()
      clock.advance(1)
    }
    expect(issuer.attempts).toBe(11)
    issuer.behaviour = onlySecond
    await cache.find('first')
    await turn()
    expect(await isKnown(cache, 'second')).toBe(true)
    expect(await isKnown(cache, 'first')).toBe(false)
  })

  it('requests wait again after ten minutes of failure, since the key may have been removed', async () => {
    const { cache, clock, issuer } = fixture(onlyFirst)
    await cache.find('first')
    issuer.behaviour = 'fails'
    clock.advance(5 * minute)
    await cache.find('first')
    await turn()
    issuer.behaviour = onlySecond
    clock.advance(10 * minute)
    expect(await isKnown(cache, 'first')).toBe(false)
  })

  it('every failed attempt is logged as an error', async () => {
    const { cache, clock, issuer, errors } = fixture(onlyFirst)
    await cache.find('first')
    issuer.behaviour = 'fails'
    clock.advance(10 * minute)
    await cache.find('first')
    clock.advance(30)
    await cache.find('first')
    await turn()
    const line = {
      event: 'jwks_fetch_failed',
      err: new Error('no route'),
      issuer: 'https://issuer.test',
      has_keys: true,
    }
    expect(errors).toEqual([line, line])
  })
})

describe('without any set', () => {
  it('every key is unavailable, and a flood causes two requests a minute', async () => {
    const { cache, clock, issuer } = fixture('fails')
    for (let second = 0; second < 60; second++) {
      const wait = unavailable(30 - (second % 30))
      await expect(cache.find('first')).rejects.toEqual(wait)
      await expect(cache.find(`invented ${second}`)).rejects.toEqual(wait)
      clock.advance(1)
    }
    expect(issuer.attempts).toBe(2)
  })

  it('the first keys are retried after 1, 2, 4 … 30 seconds', async () => {
    const { cache, clock, issuer } = fixture('fails')
    const attemptsAt: number[] = []
    for (let second = 0; second <= 121; second++) {
      const before = issuer.attempts
      await cache.fill()
      if (issuer.attempts > before) attemptsAt.push(second)
      clock.advance(1)
    }
    expect(attemptsAt).toEqual([0, 1, 3, 7, 15, 31, 61, 91, 121])
    issuer.behaviour = onlyFirst
    clock.advance(29)
    await cache.fill()
    expect(cache.isFilled()).toBe(true)
  })

  it('keys are available as soon as an attempt succeeds', async () => {
    const { cache, clock, issuer } = fixture('fails')
    await cache.fill()
    expect(cache.isFilled()).toBe(false)
    issuer.behaviour = onlyFirst
    clock.advance(30)
    expect(await isKnown(cache, 'first')).toBe(true)
    expect(cache.isFilled()).toBe(true)
  })
})

it('setting the clock back an hour does not delay a fetch', async () => {
  const { cache, clock, issuer } = fixture(onlyFirst)
  await cache.find('first')
  clock.advance(-hour)
  issuer.behaviour = both
  expect(await isKnown(cache, 'second')).toBe(true)
  expect(await isKnown(cache, 'first')).toBe(true)
})
