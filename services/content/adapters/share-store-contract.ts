import { beforeEach, describe, expect, it } from 'vitest'
import { validationFailed } from '#libs/core/domain-error.js'
import { IdTaken, type ShareId } from '../domain/ids.js'
import type { ShareFilter } from '../domain/share.js'
import {
  ann,
  bob,
  type ContentFixture,
  documentData,
  inlineData,
  noCheck,
  shareDraft,
} from '../testing/content-fixture.js'

const hour = 3_600_000

/** The behaviour of every `ShareStore`. */
export function shareStoreContract(name: string, open: () => Promise<ContentFixture>): void {
  describe(name, () => {
    let fixture: ContentFixture
    const add = (fields = {}, ttlMs: number | null = null) =>
      fixture.ports.shares.add(
        shareDraft(fixture, fields),
        (now) => (ttlMs === null ? null : new Date(now.getTime() + ttlMs)),
        null,
      )
    const list = (fields: Partial<ShareFilter> = {}) =>
      fixture.ports.shares.list({
        ownerId: ann,
        tool: null,
        state: 'live',
        after: null,
        itemsMax: 100,
        ...fields,
      })
    const expire = (id: ShareId) => fixture.ports.shares.find(id, true)

    beforeEach(async () => {
      fixture = await open()
    })

    it('returns a stored share to anyone who knows its id', async () => {
      const { shares } = fixture.ports
      const made = await add({ data: inlineData(fixture, '{"a":1}') })
      const found = await shares.find(made.id, true)
      expect(found).toMatchObject({ record: made, expired: false, timeLeftMs: null })
      expect(found?.data?.kind === 'inline' && Buffer.from(found.data.bytes).toString()).toBe('{"a":1}')
      expect((await shares.find(made.id, false))?.data).toBeNull()
      const data = await documentData(fixture, ann)
      const large = await add({ data })
      expect((await shares.find(large.id, true))?.data).toEqual({ kind: 'document', id: data.id })
      expect(await shares.find(fixture.ports.ids.share(), true)).toBeNull()
    })

    it('never stores a share over another', async () => {
      const { id } = await add()
      await expect(add({ id, ownerId: bob })).rejects.toThrow(IdTaken)
      expect((await fixture.ports.shares.find(id, false))?.record.ownerId).toBe(ann)
      expect(await fixture.ports.shares.countLive(bob)).toBe(0)
    })

    it('is imported once, however often at once, and again once it is gone', async () => {
      const { shares, ids } = fixture.ports
      const importDigest = '5a'.repeat(32)
      expect(await shares.findImported(importDigest)).toBeNull()
      const results = await Promise.allSettled(
        Array.from({ length: 5 }, () => add({ id: ids.share(), importDigest })),
      )
      const [made, ...more] = results.filter((result) => result.status === 'fulfilled')
      expect(more).toEqual([])
      expect(results.filter((result) => result.status === 'rejected').map(({ reason }) => reason)).toEqual(
        Array.from({ length: 4 }, () => expect.any(IdTaken)),
      )
      expect(await fixture.ports.shares.countLive(ann)).toBe(1)
      const id = await shares.findImported(importDigest)
      expect(id).toBe(made?.value.id)
      await shares.remove(id ?? ids.share(), () => {})
      expect(await shares.findImported(importDigest)).toBeNull()
      expect((await add({ importDigest })).id).not.toBe(id)
    })

    it('finds many at once, each with or without its data', async () => {
      const { shares, ids } = fixture.ports
      const made = await Promise.all(
        Array.from({ length: 40 }, (_, index) => add({ data: inlineData(fixture, `[${index}]`) })),
      )
      const found = await Promise.all([
        ...made.map(({ id }, index) => shares.find(id, index % 2 === 0)),
        shares.find(ids.share(), true),
        shares.find(made[0]?.id ?? ids.share(), false),
      ])
      const texts = found.map((one) =>
        one?.data?.kind === 'inline' ? Buffer.from(one.data.bytes).toString() : null,
      )
      expect(texts).toEqual([...made.map((_, index) => (index % 2 === 0 ? `[${index}]` : null)), null, null])
      expect(found.map((one) => one?.record.id)).toEqual([
        ...made.map(({ id }) => id),
        undefined,
        made[0]?.id,
      ])
    })

    it('stores and counts nothing if its expiry is refused', async () => {
      const draft = shareDraft(fixture, { data: await documentData(fixture, ann) })
      const refuse = (): never => {
        throw validationFailed([])
      }
      await expect(fixture.ports.shares.add(draft, refuse, null)).rejects.toMatchObject({
        code: 'validation_failed',
      })
      expect([
        await fixture.ports.shares.find(draft.id, true),
        await fixture.ports.shares.countLive(ann),
      ]).toEqual([null, 0])
      expect(await fixture.ports.shares.add(draft, () => null, null)).toMatchObject({ id: draft.id })
    })

    it('expires by its own clock, and never returns the data of an expired share', async () => {
      const { shares } = fixture.ports
      const { id, title, expiresAt, createdAt } = await add({ title: 'Short' }, hour)
      expect((expiresAt?.getTime() ?? 0) - createdAt.getTime()).toBe(hour)
      await fixture.passTime(hour / 2)
      const live = await shares.find(id, true)
      expect(live).toMatchObject({ expired: false, data: { kind: 'inline' } })
      expect(live?.timeLeftMs).toBeGreaterThan(0)
      expect(live?.timeLeftMs).toBeLessThanOrEqual(hour / 2)
      await fixture.passTime(hour / 2)
      const expired = await expire(id)
      expect(expired).toMatchObject({ expired: true, data: null, record: { title } })
      expect(expired?.timeLeftMs).toBeLessThanOrEqual(0)
    })

    it('lists live, expired or all shares of the owner, optionally of one tool', async () => {
      await add({ title: 'short' }, hour)
      await add({ title: 'long', tool: 'xml' }, 10 * hour)
      await add({ title: 'for ever' })
      await add({ title: "another's", ownerId: bob })
      await fixture.passTime(2 * hour)
      const titles = async (fields: Partial<ShareFilter>): Promise<string[]> =>
        (await list(fields)).items.map(({ title }) => title).sort()
      expect(await titles({ state: 'live' })).toEqual(['for ever', 'long'])
      expect(await titles({ state: 'expired' })).toEqual(['short'])
      expect(await titles({ state: 'all' })).toEqual(['for ever', 'long', 'short'])
      expect(await titles({ state: 'all', tool: 'xml' })).toEqual(['long'])
      expect(await titles({ state: 'expired', tool: 'xml' })).toEqual([])
    })

    it('lists every share once, page by page, even if all were created in the same millisecond', async () => {
      const made = new Set<string>()
      for (let n = 0; n < 11; n += 1) made.add((await add()).id)
      await fixture.alignCreations()
      const found: string[] = []
      let after: ShareFilter['after'] = null
      do {
        const page = await list({ after, itemsMax: 4 })
        found.push(...page.items.map(({ id }) => id))
        after = page.next
      } while (after !== null)
      expect([found.length, new Set(found)]).toEqual([11, made])
    })

    it('counts live shares, without removed, expired and purged ones', async () => {
      const { shares } = fixture.ports
      const removed = await add()
      await add({}, hour)
      await add()
      expect(await shares.countLive(ann)).toBe(3)
      await shares.remove(removed.id, noCheck)
      expect(await shares.countLive(ann)).toBe(2)
      await fixture.passTime(2 * hour)
      expect(await shares.countLive(ann)).toBe(1)
      await shares.purgeExpired(10)
      expect([await shares.countLive(ann), await shares.countLive(bob)]).toEqual([1, 0])
    })

    it('purges the data of expired shares only, and keeps their tombstones', async () => {
      const { shares, registry } = fixture.ports
      const data = await documentData(fixture, ann)
      const small = await add({ title: 'Small' }, hour)
      const large = await add({ data }, hour)
      const kept = await add({ data: await documentData(fixture, ann) }, 10 * hour)
      expect(await shares.purgeExpired(10)).toBe(0)
      await fixture.passTime(2 * hour)
      expect([
        await shares.purgeExpired(1),
        await shares.purgeExpired(10),
        await shares.purgeExpired(10),
      ]).toEqual([1, 1, 0])
      for (const { id } of [small, large]) {
        expect(await expire(id)).toMatchObject({ expired: true, data: null })
      }
      expect(await expire(small.id)).toMatchObject({ record: { title: 'Small', digest: small.digest } })
      expect((await expire(kept.id))?.expired).toBe(false)
      await fixture.passTime(1)
      expect(await registry.condemn(0, 10)).toEqual([data.id])
      expect((await list({ state: 'expired' })).items).toHaveLength(2)
    })

    it('deletes a tombstone a year after its expiry, and nothing else', async () => {
      const { shares } = fixture.ports
      const year = 365 * 24 * hour
      const old = await add({ title: 'Old' }, hour)
      const younger = await add({ title: 'Younger' }, 3 * hour)
      const live = await add({ title: 'Live' })
      await fixture.passTime(4 * hour)
      await shares.purgeExpired(10)
      await fixture.passTime(year - 4 * hour)
      expect(await shares.deleteOldTombstones(10)).toBe(0)
      await fixture.passTime(2 * hour)
      expect([await shares.deleteOldTombstones(10), await shares.deleteOldTombstones(10)]).toEqual([1, 0])
      const titles = await Promise.all(
        [old.id, younger.id, live.id].map(async (id) => (await expire(id))?.record.title),
      )
      expect(titles).toEqual([undefined, 'Younger', 'Live'])
      expect((await list({ state: 'expired' })).items.map(({ title }) => title)).toEqual(['Younger'])
      expect(await shares.countLive(ann)).toBe(1)
    })

    it('forgets a removed share completely, whether live, expired or a tombstone', async () => {
      const { shares } = fixture.ports
      const [live, expired, purged] = [await add(), await add({}, 3 * hour), await add({}, hour)]
      await fixture.passTime(2 * hour)
      await shares.purgeExpired(10)
      await fixture.passTime(2 * hour)
      for (const { id } of [live, expired, purged]) {
        expect([await shares.remove(id, noCheck), await shares.find(id, true)]).toEqual([true, null])
        expect(await shares.remove(id, noCheck)).toBe(false)
      }
      expect(await shares.countLive(ann)).toBe(0)
    })

    it('does not remove a share that the check refuses', async () => {
      const made = await add()
      const seen: string[] = []
      const removal = fixture.ports.shares.remove(made.id, (share) => {
        seen.push(share.ownerId)
        throw validationFailed([])
      })
      await expect(removal).rejects.toMatchObject({ code: 'validation_failed' })
      expect([seen, (await fixture.ports.shares.find(made.id, false))?.record]).toEqual([['ann'], made])
    })

    it("creates, removes and purges many owners' shares concurrently without failures, and counts exactly", async () => {
      const { shares } = fixture.ports
      const owners = Array.from({ length: 8 }, (_, n) => ({ ownerId: n % 2 === 0 ? ann : bob }))
      for (let round = 0; round < 5; round += 1) {
        const made = await Promise.all(owners.map((owner) => add(owner, hour)))
        await fixture.passTime(2 * hour)
        await Promise.all([
          shares.purgeExpired(3),
          shares.purgeExpired(100),
          ...owners.map((owner) => add(owner)),
          ...made.map(({ id }) => shares.remove(id, noCheck)),
        ])
      }
      for (const owner of [ann, bob]) {
        expect(await shares.countLive(owner)).toBe((await list({ ownerId: owner })).items.length)
      }
      expect((await list({ state: 'expired' })).items).toEqual([])
    })
  })
}
