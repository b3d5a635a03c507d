import { describe, expect, it } from 'vitest'
import { scryptPasswords } from './scrypt-passwords.js'

const cheap = { N: 2 ** 12, r: 8, p: 1, maxmem: 64 * 1_048_576 }

describe('a password hash', () => {
  it('is of one password only, in any spelling of its characters, and salted', async () => {
    const passwords = scryptPasswords()
    const composed = 'caf\u00e9-secret'
    const [hash, again] = [await passwords.hash(composed), await passwords.hash(composed)]
    expect(hash).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/)
    expect(again).not.toBe(hash)
    expect(await passwords.verify('cafe\u0301-secret', hash)).toBe(true)
    expect(await passwords.verify('cafe-secret', hash)).toBe(false)
  })

  it('is refused at once while one is computed and sixteen wait, and all of those are computed', async () => {
    const { hash } = scryptPasswords(cheap)
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => hash('a password')))
    const refused = results.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(3)
    expect(results.slice(17)).toEqual(refused)
    expect(refused[0]).toMatchObject({ reason: { kind: 'unavailable', details: { retry_after: 1 } } })
    expect(await hash('a password')).toMatch(/^scrypt/)
  })
})

describe('a check of a password', () => {
  it('is refused while two are computed and sixteen wait, and no new password waits for them', async () => {
    const { hash, verify } = scryptPasswords(cheap)
    const stored = await hash('a password')
    const checks = Array.from({ length: 20 }, (_, n) => verify(`guess ${n}`, stored))
    const another = hash('another password')
    const results = await Promise.allSettled(checks)
    expect(results.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 18 }, () => 'fulfilled'),
      'rejected',
      'rejected',
    ])
    expect(await another).toMatch(/^scrypt/)
  })

  it('that was right is not computed again, so that repeating it keeps nobody out', async () => {
    const { hash, verify } = scryptPasswords(cheap)
    const [stored, other] = [await hash('a password'), await hash('a password')]
    expect(await verify('a password', stored)).toBe(true)
    const guesses = Array.from({ length: 18 }, (_, n) => verify(`guess ${n}`, stored))
    // There is no place left, so these are either known or refused.
    expect(await verify(' a password', stored)).toBe(true)
    await expect(verify('a password', other)).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await Promise.all(guesses)).not.toContain(true)
    expect(await verify('guess 1', stored)).toBe(false)
  })
})
