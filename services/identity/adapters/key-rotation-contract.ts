import { beforeEach, describe, expect, it } from 'vitest'
import { type AccountId, newIdentity } from '../domain/account.js'
import type { ApiKey, ApiKeyId } from '../domain/api-key.js'
import { checkRotatable, type RotationRequest } from '../domain/rotation.js'
import type { ApiKeyFixture } from './api-key-store-contract.js'
import { randomIds } from './random-identity-ids.js'

const untilDone = new AbortController().signal

const profile = { email: null, emailVerified: false, name: null, picture: null }
const day = 86_400_000
const hourly = { overlapSeconds: 3_600, begins: 'first-use' } as const

/** A hash of a made-up secret. */
function hash(text: string, pepperVersion = 1) {
  return { digest: Buffer.from(text.padEnd(32, '.')).toString('hex'), pepperVersion }
}

/** What every `ApiKeyStore` does when keys are rotated. */
export function keyRotationContract(name: string, open: () => Promise<ApiKeyFixture>): void {
  describe(name, () => {
    let fixture: ApiKeyFixture
    let ann: AccountId
    let id: ApiKeyId

    beforeEach(async () => {
      fixture = await open()
      const identity = newIdentity('https://issuer.example', 'ann')
      ann = (await fixture.accounts.upsert(randomIds.account(), identity, profile, null)).id
      id = randomIds.apiKey()
      const shown = { prefix: 'snk_AAAA', last4: 'aaaa', digest: hash('a') }
      const draft = { id, accountId: ann, name: 'CI', scopes: ['read'] as const, expiresInSeconds: null }
      await fixture.apiKeys.add({ ...draft, ...shown }, () => null, null)
    })

    const rotate = async (to: string, how: RotationRequest = hourly): Promise<ApiKey> => {
      const shown = { prefix: `snk_${to.toUpperCase().repeat(4)}`, last4: to.repeat(4), digest: hash(to) }
      const added = await fixture.apiKeys.rotate(
        { apiKeyId: id, accountId: ann, ...how, ...shown },
        (_plan, apiKey, isExpired) => checkRotatable({ apiKeys: 5 }, apiKey, isExpired),
        null,
      )
      if (added.state !== 'added') throw new Error('replayed instead of added')
      return added.added
    }
    const use = async (secret: string) => fixture.apiKeys.resolve([hash(secret)])
    const works = async (...secrets: readonly string[]): Promise<readonly boolean[]> =>
      Promise.all(secrets.map(async (secret) => (await use(secret)) !== null))
    const key = async (): Promise<ApiKey> => {
      const found = await fixture.apiKeys.find(id)
      if (found === null) throw new Error('the key is gone')
      return found
    }

    it('starts the overlap at the first use of the new secret, and ends the old one after it', async () => {
      const rotated = await rotate('b')
      expect(rotated).toMatchObject({
        current: { number: 2, prefix: 'snk_BBBB', last4: 'bbbb', firstUsedAt: null },
        previous: { number: 1, prefix: 'snk_AAAA', last4: 'aaaa', expiresAt: null },
      })
      expect(await key()).toEqual(rotated)
      await fixture.passTime(2 * day)
      expect(await use('a')).toMatchObject({ secret: 1, overlapBegan: false, timeLeftMs: null })
      expect(await use('b')).toMatchObject({ secret: 2, overlapBegan: true, timeLeftMs: null })
      expect(await use('b')).toMatchObject({ overlapBegan: false })
      const left = (await use('a'))?.timeLeftMs ?? 0
      expect(left).toBeGreaterThan(3_500_000)
      expect(left).toBeLessThanOrEqual(3_600_000)
      const { current, previous } = await key()
      expect(current).toMatchObject({ expiresAt: null, firstUsedAt: expect.any(Date) })
      expect(previous?.expiresAt?.getTime()).toBe((current.firstUsedAt?.getTime() ?? 0) + 3_600_000)
      await fixture.passTime(3_600_001)
      expect(await works('a', 'b')).toEqual([false, true])
      expect((await key()).previous).toBeNull()
      expect(await fixture.apiKeys.forgetOld(untilDone)).toBe(1)
      expect(await works('a', 'b')).toEqual([false, true])
    })

    it('expires an unused new secret after seven days, and keeps the old one', async () => {
      await rotate('b')
      await fixture.passTime(7 * day + 1_000)
      expect(await works('a', 'b')).toEqual([true, false])
      expect(await key()).toMatchObject({ current: { number: 1, expiresAt: null }, previous: null })
      expect((await rotate('c')).current.number).toBe(3)
      expect(await works('a', 'c')).toEqual([true, true])
      await fixture.passTime(7 * day + 1_000)
      expect(await fixture.apiKeys.forgetOld(untilDone)).toBe(2)
      expect(await works('a', 'b', 'c')).toEqual([false, false, true])
    })

    it('can start the overlap immediately, or replace the secret without one', async () => {
      await rotate('b', { overlapSeconds: 60, begins: 'now' })
      expect((await key()).previous?.expiresAt).not.toBeNull()
      await fixture.passTime(60_001)
      expect(await works('a', 'b')).toEqual([false, true])
      const rotated = await rotate('c', { overlapSeconds: 0, begins: 'now' })
      expect(rotated.previous).toBeNull()
      expect(await works('b', 'c')).toEqual([false, true])
      await fixture.passTime(30 * day)
      expect(await works('c')).toEqual([true])
    })

    it('replaces an unused new secret, refuses if both are used, and never extends a lifetime', async () => {
      await rotate('b', { overlapSeconds: 60, begins: 'now' })
      const ends = (await key()).previous?.expiresAt
      const again = await rotate('c', { overlapSeconds: 3_600, begins: 'now' })
      expect(again).toMatchObject({ current: { number: 2 }, previous: { number: 1, expiresAt: ends } })
      const third = await rotate('d')
      expect(third).toMatchObject({ current: { expiresAt: null }, previous: { number: 1, expiresAt: ends } })
      expect(await works('a', 'b', 'c', 'd')).toEqual([true, false, false, true])
      await expect(rotate('e')).rejects.toMatchObject({ kind: 'conflict', code: 'rotation_in_progress' })
      await fixture.passTime(60_001)
      expect(await works('a', 'd')).toEqual([false, true])
      expect((await rotate('e')).previous?.prefix).toBe('snk_DDDD')
    })

    it('leaves at most two working secrets after parallel rotations', async () => {
      const names = Array.from({ length: 100 }, (_, n) => `x${n}`)
      await Promise.all(names.map((one) => rotate(one)))
      const { previous } = await key()
      expect(previous?.prefix).toBe('snk_AAAA')
      const alive = await works('a', ...names)
      expect(alive.filter(Boolean)).toHaveLength(2)
      const more = names.map((one) => expect(rotate(`y${one}`)).rejects.toMatchObject({ kind: 'conflict' }))
      await Promise.all(more)
    })

    it('gives a new secret to its first user or to another rotation, never to both', async () => {
      for (let round = 0; round < 20; round += 1) {
        await rotate(`n${round}`)
        const [used, replaced] = await Promise.allSettled([use(`n${round}`), rotate(`r${round}`)])
        const wasUsed = used.status === 'fulfilled' && used.value !== null
        expect(wasUsed).toBe(replaced.status === 'rejected')
        expect(await works(`n${round}`)).toEqual([wasUsed])
        await fixture.apiKeys.endPrevious(ann, id)
      }
    })

    it('ends the previous secret immediately, and only for its account', async () => {
      expect(await fixture.apiKeys.endPrevious(ann, id)).toBe(false)
      await rotate('b')
      expect(await fixture.apiKeys.endPrevious(randomIds.account(), id)).toBe(false)
      expect(await fixture.apiKeys.endPrevious(ann, id)).toBe(true)
      expect(await works('a', 'b')).toEqual([false, true])
      await fixture.passTime(30 * day)
      expect(await works('b')).toEqual([true])
      expect(await key()).toMatchObject({ current: { number: 2, expiresAt: null }, previous: null })
    })

    it('lets whoever holds a secret revoke it, and with the current one the key', async () => {
      const revoke = (secret: string) => fixture.apiKeys.revoke([hash(secret)])
      expect(await revoke('unknown')).toBeNull()
      await rotate('b')
      expect(await revoke('b')).toEqual({ accountId: ann, id, part: 'unused' })
      expect(await works('a', 'b')).toEqual([true, false])
      await rotate('c')
      await use('c')
      expect(await revoke('a')).toEqual({ accountId: ann, id, part: 'previous' })
      expect(await works('a', 'c')).toEqual([false, true])
      expect(await revoke('a')).toBeNull()
      await rotate('d', { overlapSeconds: 60, begins: 'now' })
      expect(await revoke('d')).toMatchObject({ part: 'api-key' })
      expect(await works('c', 'd')).toEqual([false, false])
      expect(await fixture.apiKeys.find(id)).toBeNull()
    })

    it('records when each of the two secrets was used', async () => {
      await rotate('b')
      const at = (hour: number) => new Date(Date.UTC(2030, 4, 1, hour))
      const used = (secret: number, hour: number) => ({
        ...{ apiKeyId: id, secret, date: '2030-05-01', requests: 1, errors: 0, lastUsedAt: at(hour) },
      })
      await fixture.apiKeys.addUsage('1', [used(1, 8), used(2, 9), used(1, 7), used(0, 10)])
      expect(await key()).toMatchObject({
        ...{ lastUsedAt: at(10), requestCount: 4 },
        current: { lastUsedAt: at(9) },
        previous: { lastUsedAt: at(8) },
      })
    })

    it('ends both secrets of a deleted key', async () => {
      await rotate('b')
      await fixture.apiKeys.remove(ann, id)
      expect(await works('a', 'b')).toEqual([false, false])
      await expect(rotate('c')).rejects.toMatchObject({ code: 'not_found' })
    })

    it('finds either secret by the hash of an older pepper, and from then on only by that of the newest', async () => {
      await rotate('b')
      for (const secret of ['a', 'b']) {
        const both = [hash(`new ${secret}`, 2), hash(secret)]
        expect((await fixture.apiKeys.resolve(both))?.apiKey.id).toBe(id)
        expect(await use(secret)).toBeNull()
        expect((await fixture.apiKeys.resolve([hash(`new ${secret}`, 2)]))?.apiKey.id).toBe(id)
      }
    })
  })
}
