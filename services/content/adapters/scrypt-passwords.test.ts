import { describe, expect, it } from 'vitest'
import { scryptPasswords } from './scrypt-passwords.js'

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

  it('is refused at once while two are computed and sixteen wait, and all of those are computed', async () => {
    const { hash } = scryptPasswords({ N: 2 ** 12, r: 8, p: 1, maxmem: 64 * 1_048_576 })
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => hash('a password')))
    const refused = results.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(2)
    expect(results.slice(18)).toEqual(refused)
    expect(refused[0]).toMatchObject({ reason: { kind: 'unavailable', details: { retry_after: 1 } } })
    expect(await hash('a password')).toMatch(/^scrypt/)
  })
})
