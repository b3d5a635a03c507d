import { setImmediate as turn } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { DomainError, unavailable } from '#libs/core/domain-error.js'
import { createGuessLimit, type GuessLimit } from './guess-limit.js'

const strict = { name: 'strict', requests: 5, seconds: 60 }

let time: number
let asked: string[]
let good: Set<string>
let limit: GuessLimit

beforeEach(() => {
  time = 0
  asked = []
  good = new Set()
  limit = createGuessLimit(strict, () => time)
})

/** The outcome of a credential: `good`, or an error code. */
async function come(credential: string, client = 'office'): Promise<string> {
  const check = async (): Promise<string> => {
    asked.push(credential)
    await turn()
    if (credential === 'down') throw unavailable('Down.')
    if (credential.startsWith('suspended')) throw new DomainError('forbidden', 'account_suspended', 'No.')
    if (!good.has(credential)) throw new DomainError('unauthenticated', 'invalid_api_key', 'No.')
    return 'good'
  }
  return limit.check(client, credential, check).catch((error: DomainError) => error.code)
}

const comeAll = (credentials: readonly string[], client?: string) =>
  Promise.all(credentials.map((credential) => come(credential, client)))
const invented = (count: number, name = 'guess') => Array.from({ length: count }, (_, n) => `${name} ${n}`)
const count = (outcomes: readonly string[], code: string) => outcomes.filter((one) => one === code).length

describe('of made-up keys', () => {
  it('50 a minute are looked up, whether in parallel or one by one', async () => {
    const atOnce = await comeAll(invented(2_000))
    expect([count(atOnce, 'invalid_api_key'), count(atOnce, 'rate_limited')]).toEqual([50, 1_950])
    for (const guess of invented(1_000, 'later')) expect(await come(guess)).toBe('rate_limited')
    expect(asked).toHaveLength(50)
    time = 60_000
    await comeAll(invented(2_000, 'much later'))
    expect(asked).toHaveLength(100)
  })

  it('repeated ones are looked up once a second', async () => {
    await comeAll(invented(50))
    for (let round = 0; round < 30; round += 1) {
      await comeAll(invented(1_000, 'again'))
      time += 1_000
    }
    expect(asked.length).toBeLessThanOrEqual(80)
  })

  it('none affects another client', async () => {
    await comeAll(invented(2_000))
    good.add('key')
    expect(await come('key', 'elsewhere')).toBe('good')
  })
})

describe('a valid key', () => {
  it('already seen is looked up as usual, even where many are guessed', async () => {
    good.add('key')
    await come('key')
    await comeAll(invented(2_000))
    for (let n = 0; n < 100; n += 1) expect(await come('key')).toBe('good')
  })

  it('never seen is accepted when sent again', async () => {
    await comeAll(invented(2_000))
    good.add('key')
    expect(await come('key')).toBe('rate_limited')
    await comeAll(invented(500, 'more'))
    time += 1_000
    expect(await come('key')).toBe('good')
    expect(await come('key')).toBe('good')
  })

  it('needs no retry, however many come from one office in parallel', async () => {
    const keys = invented(500, 'key')
    good = new Set(keys)
    const outcomes = await comeAll([...invented(20), ...keys])
    expect([count(outcomes, 'good'), count(outcomes, 'invalid_api_key')]).toEqual([500, 20])
  })

  it('counts as a guess once revoked', async () => {
    good.add('key')
    await come('key')
    good.clear()
    expect(await come('key')).toBe('invalid_api_key')
    await comeAll(invented(2_000))
    expect(await come('key')).toBe('rate_limited')
  })
})

it('a failed lookup does not count, and callers don’t queue for several', async () => {
  const outcomes = await comeAll(Array.from({ length: 200 }, () => 'down'))
  expect(count(outcomes, 'unavailable')).toBe(200)
  expect(asked).toHaveLength(50)
  good.add('key')
  expect(await come('key')).toBe('good')
})

it('a key of a suspended account is not a guess, and reveals nothing', async () => {
  good.add('key')
  const outcomes = await comeAll([...invented(200, 'suspended'), 'key'])
  expect([count(outcomes, 'account_suspended'), count(outcomes, 'good')]).toEqual([200, 1])
})

it('the number of guesses follows the policy, and is unlimited without one', async () => {
  limit = createGuessLimit({ ...strict, requests: 200 }, () => time)
  expect(count(await comeAll(invented(500)), 'invalid_api_key')).toBe(200)
  limit = createGuessLimit(null, () => time)
  expect(count(await comeAll(invented(500)), 'invalid_api_key')).toBe(500)
})
