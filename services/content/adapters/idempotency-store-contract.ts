import { beforeEach, describe, expect, it } from 'vitest'
import { idempotencyKeyLifeMs } from '#shared/core/idempotency-key.js'
import { type IdempotencyKey, type Lease, leaseMs } from '../domain/idempotency.js'
import {
  ann,
  bob,
  type ContentFixture,
  documentData,
  shareDraft,
  snippetDraft,
} from '../testing/content-fixture.js'

const key: IdempotencyKey = { ownerId: ann, operation: 'create-snippet', key: 'a key' }

/** The behaviour of every `IdempotencyStore`, together with the record stores that complete its keys. */
export function idempotencyStoreContract(name: string, open: () => Promise<ContentFixture>): void {
  describe(name, () => {
    let fixture: ContentFixture
    const lease = (holder: string, of: IdempotencyKey = key): Lease => ({ key: of, holder })
    const begin = async (holder: string, of: IdempotencyKey = key): Promise<string> =>
      (await fixture.ports.idempotency.begin(lease(holder, of))).state
    const complete = (holder: string) =>
      fixture.ports.snippets.add(snippetDraft(fixture), null, { lease: lease(holder), fingerprint: 'f' })

    beforeEach(async () => {
      fixture = await open()
    })

    it('lets one of many concurrent requests hold a key', async () => {
      const states = await Promise.all(Array.from({ length: 100 }, (_, n) => begin(`holder ${n}`)))
      expect(states.filter((state) => state === 'held')).toHaveLength(1)
      expect(states.filter((state) => state === 'running')).toHaveLength(99)
    })

    it('separates the keys of different owners and operations', async () => {
      const keys = [
        key,
        { ...key, ownerId: bob },
        { ...key, operation: 'create-share' as const },
        { ...key, key: 'A key' },
      ]
      for (const [index, one] of keys.entries()) expect(await begin(`holder ${index}`, one)).toBe('held')
    })

    it('keeps a lease while its holder renews it, and then gives it to the next one who asks', async () => {
      expect(await begin('one')).toBe('held')
      await fixture.passTime(leaseMs - 5_000)
      expect([await begin('other'), await begin('one')]).toEqual(['running', 'held'])
      await fixture.passTime(leaseMs - 5_000)
      expect(await begin('other')).toBe('running')
      await fixture.passTime(5_000)
      expect([await begin('other'), await begin('one')]).toEqual(['held', 'running'])
    })

    it('is completed in the step of the effect, and then returns the response for 24 hours', async () => {
      await begin('one')
      const snippet = await complete('one')
      for (const holder of ['one', 'other']) {
        const state = await fixture.ports.idempotency.begin(lease(holder))
        expect(state).toMatchObject({ state: 'done', fingerprint: 'f' })
        expect(state.state === 'done' && JSON.parse(state.response)).toMatchObject({ id: snippet?.id })
      }
      await fixture.passTime(idempotencyKeyLifeMs - 60_000)
      expect(await begin('other')).toBe('done')
      await fixture.passTime(120_000)
      expect(await begin('other')).toBe('held')
    })

    it('can also be completed by shares', async () => {
      const of = { ...key, operation: 'create-share' as const }
      await begin('one', of)
      await fixture.ports.shares.add(shareDraft(fixture), () => null, {
        lease: lease('one', of),
        fingerprint: 'f',
      })
      expect(await begin('other', of)).toBe('done')
    })

    it('rolls back an effect whose lease was taken over', async () => {
      await begin('one')
      await fixture.passTime(leaseMs + 1)
      await begin('other')
      await expect(complete('one')).rejects.toMatchObject({ kind: 'unavailable' })
      const data = await documentData(fixture, ann)
      const draft = snippetDraft(fixture, { data })
      const completion = { lease: lease('one'), fingerprint: 'f' }
      await expect(fixture.ports.snippets.add(draft, null, completion)).rejects.toMatchObject({
        kind: 'unavailable',
      })
      expect(await fixture.ports.snippets.count(ann)).toBe(0)
      expect(await fixture.ports.snippets.add(draft, null, null)).not.toBeNull()
      expect(await complete('other')).not.toBeNull()
    })

    it('completes nothing if the effect is refused', async () => {
      await begin('one')
      expect(
        await fixture.ports.snippets.add(snippetDraft(fixture), 0, { lease: lease('one'), fingerprint: 'f' }),
      ).toBeNull()
      expect(await begin('other')).toBe('running')
    })

    it('can be taken again once its holder releases it, and only then', async () => {
      await begin('one')
      await fixture.ports.idempotency.release(lease('other'))
      expect(await begin('other')).toBe('running')
      await fixture.ports.idempotency.release(lease('one'))
      expect(await begin('other')).toBe('held')
      await complete('other')
      await fixture.ports.idempotency.release(lease('other'))
      expect(await begin('third')).toBe('done')
    })

    it('deletes expired keys, at most as many as requested, and no others', async () => {
      for (const name of ['a', 'b', 'c']) await begin('one', { ...key, key: name })
      await fixture.passTime(idempotencyKeyLifeMs + 1)
      await begin('one', { ...key, key: 'd' })
      const { idempotency } = fixture.ports
      expect([
        await idempotency.deleteExpired(2),
        await idempotency.deleteExpired(10),
        await idempotency.deleteExpired(10),
      ]).toEqual([2, 1, 0])
      expect(await begin('other', { ...key, key: 'd' })).toBe('running')
    })
  })
}
