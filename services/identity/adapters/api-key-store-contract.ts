import { beforeEach, describe, expect, it } from 'vitest'
import { idempotencyKeyLifeMs } from '#shared/core/idempotency-key.js'
import { type AccountId, accountId, newIdentity } from '../domain/account.js'
import { type ApiKey, type ApiKeyDraft, apiKeyId, apiKeyLimitReached } from '../domain/api-key.js'
import type { AccountStore, ApiKeyStore, Issued } from '../ports.js'
import { randomIds } from './random-identity-ids.js'

const untilDone = new AbortController().signal

/** Identity's stores on one technology. */
export interface ApiKeyFixture {
  readonly accounts: AccountStore
  readonly apiKeys: ApiKeyStore
  /** Ages all records by this many milliseconds, as if time had passed. */
  passTime(ms: number): Promise<void>
}

const profile = { email: null, emailVerified: false, name: null, picture: null }
const day = 86_400_000

/** What every `ApiKeyStore` does. */
export function apiKeyStoreContract(name: string, open: () => Promise<ApiKeyFixture>): void {
  describe(name, () => {
    let fixture: ApiKeyFixture
    let ann: AccountId
    let made = 0

    const account = async (subject: string): Promise<AccountId> => {
      const identity = newIdentity('https://issuer.example', subject)
      return (await fixture.accounts.upsert(randomIds.account(), identity, profile, null)).id
    }
    const hash = (text: string, pepperVersion = 1) => ({
      digest: Buffer.from(text.padEnd(32, '.')).toString('hex'),
      pepperVersion,
    })
    const draft = (fields: Partial<ApiKeyDraft> = {}): ApiKeyDraft => {
      made += 1
      return {
        id: randomIds.apiKey(),
        accountId: ann,
        name: 'CI',
        scopes: ['read', 'write'],
        expiresInSeconds: null,
        prefix: 'snk_AbCd',
        last4: 'wxyz',
        digest: hash(`key ${made}`),
        ...fields,
      }
    }
    const limit = (most: number) => (_plan: string, held: number) => {
      if (held >= most) throw apiKeyLimitReached(most)
      return most
    }
    const keyOf = (added: Issued<ApiKey>): ApiKey => {
      if (added.state !== 'added') throw new Error('replayed instead of added')
      return added.added
    }
    const add = async (fields: Partial<ApiKeyDraft> = {}): Promise<ApiKey> =>
      keyOf(await fixture.apiKeys.add(draft(fields), limit(100), null))

    beforeEach(async () => {
      fixture = await open()
      ann = await account('ann')
    })

    it('returns what was stored, and never the hash', async () => {
      const wanted = draft({ name: 'Nightly ü', scopes: ['read', 'approve'], expiresInSeconds: 3_600 })
      const apiKey = keyOf(await fixture.apiKeys.add(wanted, limit(5), null))
      const { id, accountId: owner, prefix, last4, name: given, scopes } = wanted
      const { createdAt } = apiKey
      const unused = { firstUsedAt: null, lastUsedAt: null, expiresAt: null }
      expect(apiKey).toEqual({
        ...{ id, accountId: owner, name: given, scopes },
        current: { number: 1, prefix, last4, createdAt, ...unused },
        previous: null,
        createdAt: apiKey.createdAt,
        expiresAt: new Date(apiKey.createdAt.getTime() + 3_600_000),
        lastUsedAt: null,
        requestCount: 0,
      })
      expect(apiKey.createdAt.getTime() % 1_000).toBe(apiKey.createdAt.getMilliseconds())
      expect(await fixture.apiKeys.find(id)).toEqual(apiKey)
      expect(await fixture.apiKeys.list(ann)).toEqual([apiKey])
      expect(await fixture.apiKeys.find(randomIds.apiKey())).toBeNull()
    })

    it('calls `admit` with the plan and the number of keys before adding, and adds nothing when refused', async () => {
      await fixture.accounts.setPlan(ann, 'pro', 1)
      const seen: unknown[] = []
      const admit = (plan: string, held: number): number => {
        seen.push([plan, held])
        return limit(2)(plan, held)
      }
      for (let n = 0; n < 2; n += 1) await fixture.apiKeys.add(draft(), admit, null)
      await expect(fixture.apiKeys.add(draft(), admit, null)).rejects.toMatchObject({ kind: 'conflict' })
      expect(seen).toEqual([
        ['pro', 0],
        ['pro', 1],
        ['pro', 2],
      ])
      expect(await fixture.apiKeys.list(ann)).toHaveLength(2)
      const nobody = draft({ accountId: accountId('nobody') })
      await expect(fixture.apiKeys.add(nobody, admit, null)).rejects.toMatchObject({ code: 'not_found' })
    })

    it('admits exactly five of fifty parallel requests', async () => {
      for (let round = 0; round < 10; round += 1) {
        const owner = await account(`racer ${round}`)
        const responses = await Promise.allSettled(
          Array.from({ length: 50 }, () => fixture.apiKeys.add(draft({ accountId: owner }), limit(5), null)),
        )
        expect(responses.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
        expect(await fixture.apiKeys.list(owner)).toHaveLength(5)
      }
    })

    it('lists the newest first, of one account only', async () => {
      const bob = await account('bob')
      const first = await add()
      await fixture.passTime(1_000)
      const second = await add()
      await add({ accountId: bob })
      expect((await fixture.apiKeys.list(ann)).map(({ id }) => id)).toEqual([second.id, first.id])
    })

    it('removes only its account’s key, with its counts', async () => {
      const apiKey = await add({ digest: hash('gone') })
      expect(await fixture.apiKeys.remove(await account('bob'), apiKey.id)).toBe(false)
      expect(await fixture.apiKeys.remove(ann, apiKey.id)).toBe(true)
      expect(await fixture.apiKeys.remove(ann, apiKey.id)).toBe(false)
      expect(await fixture.apiKeys.find(apiKey.id)).toBeNull()
      expect(await fixture.apiKeys.resolve([hash('gone')])).toBeNull()
      expect(await fixture.apiKeys.usage(apiKey.id, '2000-01-01', '2100-01-01')).toEqual([])
    })

    it('finds a key’s account and its current plan, until the key expires', async () => {
      const apiKey = await add({ digest: hash('mine'), expiresInSeconds: 3_600 })
      const forever = await add({ digest: hash('forever') })
      const found = await fixture.apiKeys.resolve([hash('mine')])
      expect(found?.apiKey).toEqual({
        id: apiKey.id,
        accountId: ann,
        name: apiKey.name,
        scopes: apiKey.scopes,
      })
      expect(found).toMatchObject({ secret: 1, overlapBegan: false })
      expect(found?.account).toMatchObject({ id: ann, plan: 'free', planVersion: 0 })
      expect(found?.timeLeftMs).toBeGreaterThan(3_500_000)
      expect(found?.timeLeftMs).toBeLessThanOrEqual(3_600_000)
      expect(await fixture.apiKeys.resolve([hash('forever')])).toMatchObject({
        apiKey: { id: forever.id },
        timeLeftMs: null,
      })
      await fixture.accounts.setPlan(ann, 'pro', 1)
      expect((await fixture.apiKeys.resolve([hash('mine')]))?.account).toMatchObject({
        plan: 'pro',
        planVersion: 1,
      })
      expect(await fixture.apiKeys.resolve([hash('unknown')])).toBeNull()
      await fixture.passTime(3_600_001)
      expect(await fixture.apiKeys.resolve([hash('mine')])).toBeNull()
      expect(await fixture.apiKeys.resolve([hash('forever')])).not.toBeNull()
    })

    it('finds a key by the hash of an older pepper, and from then on only by that of the newest', async () => {
      const apiKey = await add({ digest: hash('old', 1) })
      const both = [hash('new', 2), hash('old', 1)]
      expect((await fixture.apiKeys.resolve(both))?.apiKey.id).toBe(apiKey.id)
      expect((await fixture.apiKeys.resolve(both))?.apiKey.id).toBe(apiKey.id)
      expect(await fixture.apiKeys.resolve([hash('old', 1)])).toBeNull()
      expect((await fixture.apiKeys.resolve([hash('new', 2)]))?.apiKey.id).toBe(apiKey.id)
    })

    it('adds each batch of counts once, by day and in total', async () => {
      const one = await add()
      const other = await add()
      const at = (time: string) => new Date(`2030-05-0${time}Z`)
      const use = (apiKey: ApiKey, date: string, requests: number, errors: number, lastUsedAt: Date) => ({
        ...{ apiKeyId: apiKey.id, secret: 1, date, requests, errors, lastUsedAt },
      })
      const batch = [
        use(one, '2030-05-01', 3, 1, at('1T10:00:00.123')),
        use(one, '2030-05-02', 2, 0, at('2T00:00:00.000')),
        use(other, '2030-05-01', 1, 1, at('1T09:00:00.000')),
        use({ ...one, id: randomIds.apiKey() }, '2030-05-01', 9, 9, at('1T09:00:00.000')),
      ]
      expect(await fixture.apiKeys.addUsage('batch 1', batch)).toBe(true)
      expect(await fixture.apiKeys.addUsage('batch 1', batch)).toBe(false)
      expect(
        await fixture.apiKeys.addUsage('batch 2', [use(one, '2030-05-01', 1, 1, at('1T08:00:00.000'))]),
      ).toBe(true)
      expect(await fixture.apiKeys.usage(one.id, '2030-05-01', '2030-05-02')).toEqual([
        { date: '2030-05-01', requests: 4, errors: 2 },
        { date: '2030-05-02', requests: 2, errors: 0 },
      ])
      expect(await fixture.apiKeys.usage(one.id, '2030-05-02', '2030-05-09')).toHaveLength(1)
      expect(await fixture.apiKeys.find(one.id)).toMatchObject({
        requestCount: 6,
        lastUsedAt: at('2T00:00:00.000'),
      })
      expect(await fixture.apiKeys.find(other.id)).toMatchObject({ requestCount: 1 })
    })

    it('loses no count when parallel batches have the same keys in opposite orders', async () => {
      const keys = await Promise.all(Array.from({ length: 5 }, () => add()))
      const uses = keys.map(({ id }) => ({
        ...{ apiKeyId: apiKeyId(id), secret: 1, date: '2030-05-01', requests: 1, errors: 0 },
        lastUsedAt: new Date('2030-05-01T10:00:00Z'),
      }))
      await Promise.all(
        Array.from({ length: 60 }, (_, n) =>
          // Every batch is delivered twice.
          fixture.apiKeys.addUsage(`batch ${n >> 1}`, n % 4 < 2 ? uses : uses.toReversed()),
        ),
      )
      for (const { id } of keys) expect((await fixture.apiKeys.find(id))?.requestCount).toBe(30)
    })

    it('returns the response to the first request with an idempotency key, for a day', async () => {
      const request = (fingerprint: string) => ({
        digest: 'ab'.repeat(32),
        seal: ({ id }: ApiKey) => ({ fingerprint, sealed: Buffer.from(id) }),
      })
      const first = keyOf(await fixture.apiKeys.add(draft(), limit(1), request('f')))
      const again = await fixture.apiKeys.add(draft(), limit(1), request('g'))
      expect(again).toMatchObject({ state: 'replayed', response: { fingerprint: 'f' } })
      expect(again.state === 'replayed' && Buffer.from(again.response.sealed).toString()).toBe(first.id)
      const bob = await account('bob')
      const others = await fixture.apiKeys.add(draft({ accountId: bob }), limit(1), request('f'))
      expect(others.state).toBe('added')
      await fixture.passTime(idempotencyKeyLifeMs + 1_000)
      expect((await fixture.apiKeys.add(draft(), limit(2), request('h'))).state).toBe('added')
      expect(await fixture.apiKeys.list(ann)).toHaveLength(2)
    })

    it('creates one key in parallel requests with the same idempotency key', async () => {
      const responses = await Promise.all(
        Array.from({ length: 30 }, () =>
          fixture.apiKeys.add(draft(), limit(5), {
            digest: 'cd'.repeat(32),
            seal: ({ id }) => ({ fingerprint: 'f', sealed: Buffer.from(id) }),
          }),
        ),
      )
      expect(responses.filter(({ state }) => state === 'added')).toHaveLength(1)
      expect(await fixture.apiKeys.list(ann)).toHaveLength(1)
    })

    it('deletes batches and responses after a day, and nothing before', async () => {
      await fixture.apiKeys.addUsage('old', [])
      await fixture.apiKeys.add(draft(), limit(5), {
        digest: 'ef'.repeat(32),
        seal: () => ({ fingerprint: 'f', sealed: Buffer.from('x') }),
      })
      await fixture.passTime(day - 60_000)
      expect(await fixture.apiKeys.forgetOld(untilDone)).toBe(0)
      await fixture.passTime(120_000)
      expect(await fixture.apiKeys.forgetOld(untilDone)).toBe(2)
      expect(await fixture.apiKeys.list(ann)).toHaveLength(1)
    })
  })
}
