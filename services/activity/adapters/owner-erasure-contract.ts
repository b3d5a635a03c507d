import { beforeEach, describe, expect, it } from 'vitest'
import { type ActivityFixture, ann, bob, entryDraft, entryFilter, kept } from '../testing/activity-fixture.js'

const pro = { plan: 'pro', version: 1 } as const
const free = { plan: 'free', version: 1 } as const

/** How owners are erased in every technology. */
export function ownerErasureContract(name: string, open: () => Promise<ActivityFixture>): void {
  describe(name, () => {
    let fixture: ActivityFixture
    beforeEach(async () => {
      fixture = await open()
    })

    it('deletes everything of the owner and nothing of others', async () => {
      const { history } = fixture
      for (let n = 0; n < 3; n += 1) await history.record(entryDraft(), pro, kept, null)
      await history.record(entryDraft(), pro, kept, { key: 'a key', fingerprint: 'f' })
      await history.record(entryDraft({ ownerId: bob }), free, kept, null)
      await history.eraseOwner(ann)
      await history.eraseOwner(ann)
      expect((await history.list(entryFilter())).items).toEqual([])
      expect(await history.count(ann)).toBe(0)
      expect(await history.count(bob)).toBe(1)
    })

    it('no later entry or plan brings the owner back', async () => {
      const { history } = fixture
      await history.record(entryDraft(), pro, kept, null)
      await history.eraseOwner(ann)
      for (const plan of [pro, free])
        await expect(fixture.another().record(entryDraft(), plan, kept, null)).rejects.toMatchObject({
          code: 'not_found',
        })
      await expect(history.notePlan(ann, pro)).rejects.toMatchObject({ code: 'not_found' })
      expect(await history.count(ann)).toBe(0)
    })

    it('writes at the moment of the erasure leave nothing behind', async () => {
      const { history } = fixture
      const writes = Array.from({ length: 40 }, (_, n) =>
        (n % 2 === 0 ? history : fixture.another()).record(entryDraft(), pro, kept, null),
      )
      const erasures = [history.eraseOwner(ann), fixture.another().eraseOwner(ann)]
      for (const outcome of await Promise.allSettled([...writes, ...erasures]))
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'not_found' })
      await history.eraseOwner(ann)
      expect((await history.list(entryFilter())).items).toEqual([])
      await expect(history.record(entryDraft(), pro, kept, null)).rejects.toMatchObject({ code: 'not_found' })
    })
  })
}
