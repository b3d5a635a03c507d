import { beforeEach, describe, expect, it } from 'vitest'
import { setPlan } from '../application/set-plan.js'
import type { Share } from '../domain/share.js'
import { etagOf } from '../domain/stored-data.js'
import { ann, bob, type ContentFixture, shareDraft } from '../testing/content-fixture.js'

const hour = 3_600_000
const never = { shareTtlDays: null }
const month = { shareTtlDays: 30 }

/** What the stores do when an owner's plan changes. */
export function planChangeContract(name: string, open: () => Promise<ContentFixture>): void {
  describe(name, () => {
    let fixture: ContentFixture
    const add = (fields = {}, ttlMs: number | null = hour): Promise<Share> =>
      fixture.ports.shares.add(
        shareDraft(fixture, fields),
        (now) => (ttlMs === null ? null : new Date(now.getTime() + ttlMs)),
        null,
      )
    const find = async ({ id }: Share) => (await fixture.ports.shares.find(id, false))?.record

    beforeEach(async () => {
      fixture = await open()
    })

    it('lifts the expiry that the plan gave to live shares, and no other', async () => {
      const expired = await add({}, 1_000)
      const [purged] = [await add({}, 500)]
      await fixture.passTime(2_000)
      await fixture.ports.shares.purgeExpired(1)
      const live = await add()
      const byOwner = await add({ expiryBy: 'owner' })
      const endless = await add({}, null)
      const others = await add({ ownerId: bob })
      await setPlan(fixture.ports, ann, never, 1)
      const lifted = await find(live)
      expect(lifted).toEqual({ ...live, expiresAt: null, version: 2 })
      expect(lifted === undefined ? '' : etagOf(lifted)).not.toBe(etagOf(live))
      for (const left of [byOwner, endless, others]) expect(await find(left)).toEqual(left)
      for (const gone of [expired, purged]) {
        expect(await fixture.ports.shares.find(gone.id, false)).toMatchObject({ expired: true })
      }
      await fixture.passTime(24 * hour)
      expect(await fixture.ports.shares.find(live.id, false)).toMatchObject({
        expired: false,
        timeLeftMs: null,
      })
      expect(await fixture.ports.shares.find(byOwner.id, false)).toMatchObject({ expired: true })
      expect(await fixture.ports.shares.countLive(ann)).toBe(2)
    })

    it('lifts any number of shares, each once', async () => {
      const shares = await Promise.all(Array.from({ length: 40 }, () => add()))
      const counts = [
        await fixture.ports.shares.liftExpiry(ann, 15),
        await fixture.ports.shares.liftExpiry(ann, 15),
        await fixture.ports.shares.liftExpiry(ann, 15),
        await fixture.ports.shares.liftExpiry(ann, 15),
      ]
      expect(counts).toEqual([15, 15, 10, 0])
      for (const share of shares) expect((await find(share))?.version).toBe(2)
    })

    it('ignores smaller plans, and known or older versions', async () => {
      const share = await add()
      await setPlan(fixture.ports, ann, month, 2)
      await setPlan(fixture.ports, ann, never, 2)
      await setPlan(fixture.ports, ann, never, 1)
      expect(await find(share)).toEqual(share)
      await setPlan(fixture.ports, ann, never, 3)
      expect((await find(share))?.expiresAt).toBeNull()
      await setPlan(fixture.ports, ann, month, 4)
      expect((await find(share))?.expiresAt).toBeNull()
      expect(await fixture.ports.planVersions.find(ann)).toBe(4)
      expect(await fixture.ports.planVersions.find(bob)).toBe(0)
    })

    it('may run many times at once', async () => {
      const shares = await Promise.all(Array.from({ length: 10 }, () => add()))
      await Promise.all(Array.from({ length: 20 }, () => setPlan(fixture.ports, ann, never, 1)))
      for (const share of shares) expect(await find(share)).toMatchObject({ expiresAt: null, version: 2 })
      await Promise.all([3, 5, 2, 4].map((version) => fixture.ports.planVersions.note(ann, version)))
      expect(await fixture.ports.planVersions.find(ann)).toBe(5)
    })
  })
}
