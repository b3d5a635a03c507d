import { beforeEach, describe, expect, it } from 'vitest'
import type { HistoryEntry } from '../domain/history-entry.js'
import { lapseGraceMs } from '../domain/stored-plan.js'
import type { VersionedPlan } from '../ports.js'
import {
  type ActivityFixture,
  ann,
  bob,
  entryDraft,
  entryFilter,
  never,
} from '../testing/activity-fixture.js'

const kept = 5

/** What every `HistoryStore` does when a plan ends. */
export function lapseContract(name: string, open: () => Promise<ActivityFixture>): void {
  describe(name, () => {
    let fixture: ActivityFixture
    let owner = ann
    const plan = (plan: 'free' | 'pro', version: number): VersionedPlan => ({ plan, version })
    const record = async (plan: VersionedPlan): Promise<HistoryEntry> => {
      const limits = { free: kept, pro: null }
      const recorded = await fixture.history.record(entryDraft({ ownerId: owner }), plan, limits, null)
      if (recorded.state !== 'recorded') throw new Error('a replay instead of a recorded entry')
      return recorded.entry
    }
    const ids = async (visible: number | null = null) =>
      (await fixture.history.list(entryFilter({ ownerId: owner, visible }))).items.map(({ id }) => id)
    const hold = async (count: number, plan: VersionedPlan): Promise<string[]> => {
      const recorded: string[] = []
      for (let n = 0; n < count; n += 1) recorded.unshift((await record(plan)).id)
      return recorded
    }

    beforeEach(async () => {
      fixture = await open()
      owner = ann
    })

    it('keeps existing entries, and trims those recorded afterwards on the smaller plan', async () => {
      const before = await hold(12, plan('pro', 1))
      await fixture.history.notePlan(ann, plan('free', 2))
      await fixture.passTime(1_000)
      const after = await hold(8, plan('free', 2))
      expect(await ids(kept)).toEqual(after.slice(0, kept))
      expect(await ids()).toEqual([...after.slice(0, kept), ...before])
      expect(await fixture.history.count(ann)).toBe(kept + before.length)
    })

    it('is detected by any call with a newer version', async () => {
      const before = await hold(12, plan('pro', 1))
      await fixture.passTime(1_000)
      const after = await hold(8, plan('free', 2))
      expect(await ids()).toEqual([...after.slice(0, kept), ...before])
      await fixture.history.notePlan(ann, plan('free', 2))
      await fixture.passTime(lapseGraceMs + 1_000)
      expect(await fixture.history.purgeLapsed(kept, never)).toBe(before.length)
    })

    it('is not undone by a concurrent call with the older plan', async () => {
      await hold(12, plan('pro', 1))
      await fixture.history.notePlan(ann, plan('free', 2))
      const late = await hold(kept + 3, plan('pro', 1))
      expect(await ids(kept)).toEqual(late.slice(0, kept))
      expect(await fixture.history.count(ann)).toBe(kept + 12)
      await fixture.passTime(lapseGraceMs + 1_000)
      expect(await fixture.history.purgeLapsed(kept, never)).toBe(12)
      expect(await ids()).toHaveLength(kept)
    })

    it('is ended by a call with the upgraded plan', async () => {
      const before = await hold(12, plan('pro', 1))
      await fixture.history.notePlan(ann, plan('free', 2))
      const first = await record(plan('pro', 3))
      await fixture.passTime(lapseGraceMs + 1_000)
      expect(await fixture.history.purgeLapsed(kept, never)).toBe(0)
      expect(await ids()).toEqual([first.id, ...before])
    })

    it('is not restored by a call in progress when an upgrade ended it', async () => {
      const before = await hold(12, plan('pro', 1))
      await fixture.history.notePlan(ann, plan('free', 2))
      await fixture.history.notePlan(ann, plan('pro', 3))
      const late = await record(plan('free', 2))
      expect(await ids()).toEqual([late.id, ...before])
      await fixture.passTime(lapseGraceMs + 1_000)
      expect(await fixture.history.purgeLapsed(kept, never)).toBe(0)
      expect(await fixture.history.count(ann)).toBe(13)
    })

    it('is undone by an upgrade within 30 days, which restores everything', async () => {
      const all = await hold(12, plan('pro', 1))
      await fixture.history.notePlan(ann, plan('free', 2))
      await fixture.passTime(lapseGraceMs - 60_000)
      expect(await fixture.history.purgeLapsed(kept, never)).toBe(0)
      await fixture.history.notePlan(ann, plan('pro', 3))
      await fixture.passTime(120_000)
      expect(await fixture.history.purgeLapsed(kept, never)).toBe(0)
      expect(await ids()).toEqual(all)
    })

    it('deletes what it hides after 30 days, once, and leaves the newest and a correct count', async () => {
      const all = await hold(12, plan('pro', 1))
      await fixture.history.notePlan(ann, plan('free', 2))
      await fixture.passTime(lapseGraceMs + 1_000)
      // By a process that started after all this.
      expect(await fixture.another().purgeLapsed(kept, never)).toBe(7)
      expect(await fixture.history.purgeLapsed(kept, never)).toBe(0)
      expect(await ids()).toEqual(all.slice(0, kept))
      expect(await fixture.history.count(ann)).toBe(kept)
      await hold(3, plan('free', 2))
      expect(await fixture.history.count(ann)).toBe(kept)
    })

    it('is purged by parallel workers with a correct count, and not for owners with Pro', async () => {
      for (const one of [ann, bob]) {
        owner = one
        await hold(40, plan('pro', 1))
        await fixture.history.notePlan(one, plan('free', 2))
      }
      owner = ann
      await fixture.history.notePlan(bob, plan('pro', 3))
      await fixture.passTime(lapseGraceMs + 1_000)
      const stores = [fixture.history, fixture.another(), fixture.history, fixture.another()]
      const purged = await Promise.all(stores.map((store) => store.purgeLapsed(kept, never)))
      expect(purged.reduce((sum, n) => sum + n, 0)).toBe(35)
      expect(await ids()).toHaveLength(kept)
      expect(await fixture.history.count(ann)).toBe(kept)
      expect(await fixture.history.count(bob)).toBe(40)
    })

    it('may be purged while its owner records', async () => {
      await hold(40, plan('pro', 1))
      await fixture.history.notePlan(ann, plan('free', 2))
      await fixture.passTime(lapseGraceMs + 1_000)
      await Promise.all([fixture.history.purgeLapsed(kept, never), hold(8, plan('free', 2))])
      // A busy owner is left for the next run.
      await fixture.history.purgeLapsed(kept, never)
      expect(await ids()).toHaveLength(kept)
      expect(await fixture.history.count(ann)).toBe(kept)
    })

    it('purges nothing if the smaller plan keeps everything', async () => {
      await hold(12, plan('pro', 1))
      await fixture.history.notePlan(ann, plan('free', 2))
      await fixture.passTime(lapseGraceMs + 1_000)
      expect(await fixture.history.purgeLapsed(null, never)).toBe(0)
      expect(await ids()).toHaveLength(12)
    })
  })
}
