import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { newApiKey } from '#shared/api-key/api-key-format.js'
import { accountId } from '../domain/account.js'
import { hmacKeySecrets, type Pepper } from './hmac-key-secrets.js'

const first: Pepper = { version: 1, secret: 'a first pepper of enough characters' }
const second: Pepper = { version: 2, secret: 'a second pepper of enough characters' }
const ann = accountId('ann')
const bob = accountId('bob')

describe('the secrets behind API keys', () => {
  it('hash a key as HMAC-SHA-256 with the newest pepper, and find it by every other', () => {
    const key = newApiKey()
    const by = ({ secret, version }: Pepper) => ({
      digest: createHmac('sha256', secret).update(key).digest('hex'),
      pepperVersion: version,
    })
    expect(hmacKeySecrets([first]).digests(key)).toEqual([by(first)])
    expect(hmacKeySecrets([second, first]).digests(key)).toEqual([by(second), by(first)])
  })

  it('are found by processes at every step of a pepper rotation', () => {
    const steps = [[first], [first, second], [second, first], [second]] as const
    const key = newApiKey()
    const digests = (peppers: (typeof steps)[number]) =>
      hmacKeySecrets(peppers)
        .digests(key)
        .map(({ digest }) => digest)
    for (const [index, before] of steps.slice(0, -1).entries()) {
      const after = steps[index + 1] ?? before
      expect(digests(after)).toContain(digests(before)[0])
      expect(digests(before)).toContain(digests(after)[0])
    }
  })

  it('encrypt a text so that only the same account, idempotency key and pepper decrypt it', () => {
    const secrets = hmacKeySecrets([first])
    const sealed = secrets.seal(ann, 'deploy 1', 'snk_secret ü')
    expect(Buffer.from(sealed).toString('latin1')).not.toContain('snk_')
    expect(secrets.open(ann, 'deploy 1', sealed)).toBe('snk_secret ü')
    expect(() => secrets.open(ann, 'deploy 2', sealed)).toThrow()
    expect(() => secrets.open(bob, 'deploy 1', sealed)).toThrow()
    const damaged = Buffer.from(sealed)
    damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1
    expect(() => secrets.open(ann, 'deploy 1', damaged)).toThrow()
    expect(secrets.seal(ann, 'deploy 1', 'snk_secret ü')).not.toEqual(sealed)
  })

  it('decrypt what an older pepper encrypted as long as it is configured', () => {
    const sealed = hmacKeySecrets([first]).seal(ann, 'k', 'text')
    expect(hmacKeySecrets([second, first]).open(ann, 'k', sealed)).toBe('text')
    expect(hmacKeySecrets([second]).open(ann, 'k', sealed)).toBeNull()
  })

  it('find an idempotency key of an account whatever the peppers are', () => {
    const found = hmacKeySecrets([first]).digestOf(ann, 'k')
    expect(hmacKeySecrets([second]).digestOf(ann, 'k')).toBe(found)
    expect(hmacKeySecrets([first]).digestOf(bob, 'k')).not.toBe(found)
  })

  it('take equally long for partially matching keys and for any other (Welch’s t-test, as in dudect)', () => {
    const secrets = hmacKeySecrets([first])
    const right = newApiKey()
    const samples = 100_000
    // Generated in advance, so that only hashing is measured.
    const others = Array.from({ length: 2_000 }, newApiKey)
    const other = (): string => others[Math.floor(Math.random() * others.length)] ?? right
    const keys = Array.from({ length: samples * 2 }, () => {
      const alike = Math.random() < 0.5
      const text = `${(alike ? right : other()).slice(0, 30)}${other().slice(30)}`
      return { alike, key: Buffer.from(text).toString('latin1') }
    })
    const measure = (): number => {
      const times: [number[], number[]] = [[], []]
      for (const { alike, key } of keys) {
        const startedAt = process.hrtime.bigint()
        secrets.digests(key)
        times[alike ? 0 : 1].push(Number(process.hrtime.bigint() - startedAt))
      }
      return Math.abs(welch(cropped(times[0]), cropped(times[1])))
    }
    // A leak shows every time; a busy machine may look like one now and then.
    let least = measure()
    for (let repeats = 0; least >= 4.5 && repeats < 5; repeats += 1) least = Math.min(least, measure())
    expect(least).toBeLessThan(4.5)
  })
})

/** Without the slowest five percent, which say more about the machine than about the code. */
function cropped(times: readonly number[]): number[] {
  return times.toSorted((a, b) => a - b).slice(0, Math.floor(times.length * 0.95))
}

function welch(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [one, other].map((times) => {
    const mean = times.reduce((sum, time) => sum + time, 0) / times.length
    const variance = times.reduce((sum, time) => sum + (time - mean) ** 2, 0) / (times.length - 1)
    return { mean, error: variance / times.length }
  })
  if (a === undefined || b === undefined) throw new Error('two classes are compared')
  return (a.mean - b.mean) / Math.sqrt(a.error + b.error)
}
