import { beforeEach, describe, expect, it } from 'vitest'
import { idempotencyKeyLifeMs } from '#shared/core/idempotency-key.js'
import type { EntryDraft, HistoryEntry } from '../domain/history-entry.js'
import type { KeptByPlan, VersionedPlan } from '../ports.js'
import {
  type ActivityFixture,
  ann,
  bob,
  entryDraft,
  entryFilter,
  kept,
  manyAtOnce,
  never,
} from '../testing/activity-fixture.js'

const free: VersionedPlan = { plan: 'free', version: 0 }
const pro: VersionedPlan = { plan: 'pro', version: 0 }

function newestFirst(one: HistoryEntry, other: HistoryEntry): number {
  return other.createdAt.getTime() - one.createdAt.getTime()
}

/** What every `HistoryStore` does with entries and their count. */
export function historyStoreContract(name: string, open: () => Promise<ActivityFixture>): void {
  describe(name, () => {
    let fixture: ActivityFixture
    const record = async (
      fields: Partial<EntryDraft> = {},
      plan: VersionedPlan = pro,
      limits: KeptByPlan = kept,
    ): Promise<HistoryEntry> => {
      const recorded = await fixture.history.record(entryDraft(fields), plan, limits, null)
      if (recorded.state !== 'recorded') throw new Error('replayed instead of recorded')
      return recorded.entry
    }
    const ids = async (fields = {}) =>
      (await fixture.history.list(entryFilter(fields))).items.map(({ id }) => id)

    beforeEach(async () => {
      fixture = await open()
    })

    it('returns what was recorded, with metadata unchanged', async () => {
      const metadata = '{ "b":1.0, "a":1e400, "a":"\\u0000" }'
      const draft = entryDraft({ action: 'convert', title: 'Ünï', metadata })
      const entry = await record(draft)
      expect(entry).toEqual({ ...draft, createdAt: entry.createdAt })
      expect(await fixture.history.find(ann, draft.id, null)).toEqual(entry)
      expect((await fixture.history.list(entryFilter())).items).toEqual([entry])
      const bare = await record({ title: null })
      expect(await fixture.history.find(ann, bare.id, null)).toEqual(bare)
      expect(await fixture.history.count(ann)).toBe(2)
    })

    it('imports entries once, with their ids and times, and counts them', async () => {
      const own = await record()
      const past = (n: number): HistoryEntry => ({
        ...entryDraft({ metadata: '{"n":1e2}' }),
        createdAt: new Date(Date.UTC(2020, 0, n)),
      })
      const entries = [past(1), past(2)]
      const importAll = (all: readonly HistoryEntry[]) => fixture.history.importAll(ann, all, pro, kept)
      expect(await importAll([...entries, own])).toEqual(['added', 'added', 'exists'])
      expect(await importAll(entries)).toEqual(['exists', 'exists'])
      expect((await fixture.history.list(entryFilter())).items).toEqual([own, entries[1], entries[0]])
      expect(await fixture.history.count(ann)).toBe(3)
      expect(await fixture.history.known(ann, [own.id, past(3).id])).toEqual(new Set([own.id]))
      expect(await fixture.history.known(bob, [own.id])).toEqual(new Set())
      const future = { ...past(1), createdAt: new Date('2990-01-01') }
      expect(await importAll([future])).toEqual(['added'])
      const next = await record()
      expect((await fixture.history.list(entryFilter())).items[0]).toEqual(next)
    })

    it('keeps of imported entries only those among the newest that the plan keeps', async () => {
      const limits = { free: 2, pro: null }
      const own = await record({}, free, limits)
      const past = (n: number): HistoryEntry => ({
        ...entryDraft(),
        createdAt: new Date(Date.UTC(2020, 0, n)),
      })
      const entries = [past(3), past(1), past(2)]
      const results = await fixture.history.importAll(ann, entries, free, limits)
      expect(results).toEqual(['added', 'not-kept', 'not-kept'])
      expect(await ids()).toEqual([own.id, entries[0]?.id])
      expect(await fixture.history.count(ann)).toBe(2)
    })

    it('hides an entry from other owners, and says whose it is', async () => {
      const entry = await record()
      expect(await fixture.history.find(bob, entry.id, null)).toBeNull()
      expect(await fixture.history.remove(bob, entry.id, null)).toBe(false)
      expect(await fixture.history.ownerOf(entry.id)).toBe(ann)
      expect(await fixture.history.ownerOf(entryDraft().id)).toBeNull()
      expect([await ids({ ownerId: bob }), await fixture.history.count(bob)]).toEqual([[], 0])
    })

    it('gives the entries of one owner increasing times, even in parallel', async () => {
      const entries = await manyAtOnce(200, () => record())
      const times = entries.map(({ createdAt }) => createdAt.getTime())
      expect(new Set(times).size).toBe(200)
      expect(await ids()).toEqual(entries.toSorted(newestFirst).map(({ id }) => id))
      const last = await record()
      expect(last.createdAt.getTime()).toBeGreaterThan(Math.max(...times))
    })

    it('keeps exactly the newest 20 of 500 that a Free owner records in parallel', async () => {
      const entries = await manyAtOnce(500, (n) => {
        const store = n % 2 === 0 ? fixture.history : fixture.another()
        return store.record(entryDraft(), free, kept, null)
      })
      const recorded = entries.flatMap((one) => (one.state === 'recorded' ? [one.entry] : []))
      const newest = recorded.toSorted(newestFirst).slice(0, 20)
      expect(await ids()).toEqual(newest.map(({ id }) => id))
      expect(await fixture.history.count(ann)).toBe(20)
    })

    it('keeps everything without a limit, and nothing with a limit of 0', async () => {
      const many = process.env.TEST_LONG === 'true' ? 10_000 : 2_000
      await manyAtOnce(many, () => record())
      expect([(await ids()).length, await fixture.history.count(ann)]).toEqual([many, many])
      const gone = await record({ ownerId: bob }, free, { free: 0, pro: null })
      expect(gone.tool).toBe('csv')
      expect([await ids({ ownerId: bob }), await fixture.history.count(bob)]).toEqual([[], 0])
    })

    it('pages through all entries, or those of one tool, each once', async () => {
      for (let n = 0; n < 25; n += 1) await record({ tool: n % 3 === 0 ? 'json' : 'csv' })
      for (const tool of [null, 'json']) {
        const all = await ids({ tool })
        const paged: string[] = []
        let after = null
        do {
          const page = await fixture.history.list(entryFilter({ tool, after, itemsMax: 4 }))
          paged.push(...page.items.map(({ id }) => id))
          after = page.next
        } while (after !== null)
        expect(paged).toEqual(all)
        expect(all).toHaveLength(tool === null ? 25 : 9)
      }
      expect(await ids({ tool: 'xml' })).toEqual([])
    })

    it('shows only the newest entries, and filters these by tool', async () => {
      const entries: HistoryEntry[] = []
      for (let n = 0; n < 10; n += 1) entries.unshift(await record({ tool: n < 8 ? 'csv' : 'json' }))
      const [first, , , fourth] = entries.map(({ id }) => id)
      expect(await ids({ visible: 3 })).toEqual(entries.slice(0, 3).map(({ id }) => id))
      expect(await ids({ visible: 3, tool: 'csv' })).toEqual([entries[2]?.id])
      expect(await ids({ visible: 0 })).toEqual([])
      expect(await ids({ visible: 99 })).toHaveLength(10)
      if (first === undefined || fourth === undefined) throw new Error('there are ten')
      expect(await fixture.history.find(ann, first, 3)).not.toBeNull()
      expect(await fixture.history.find(ann, fourth, 3)).toBeNull()
      expect(await fixture.history.remove(ann, fourth, 3)).toBe(false)
      expect(await fixture.history.remove(ann, fourth, null)).toBe(true)
      expect(await fixture.history.count(ann)).toBe(9)
    })

    it('deletes all entries, or those of one tool, and leaves a correct count', async () => {
      for (let n = 0; n < 12; n += 1) await record({ tool: n % 3 === 0 ? 'json' : 'csv' })
      await record({ ownerId: bob })
      expect(await fixture.history.removeAll(ann, 'json')).toBe(4)
      expect([(await ids()).length, await fixture.history.count(ann)]).toEqual([8, 8])
      expect(await fixture.history.removeAll(ann, null)).toBe(8)
      expect(await fixture.history.removeAll(ann, null)).toBe(0)
      expect([await ids(), await fixture.history.count(ann)]).toEqual([[], 0])
      expect(await fixture.history.count(bob)).toBe(1)
      await record()
      expect(await fixture.history.count(ann)).toBe(1)
    })

    it('records once per idempotency key, and replays the response for a day', async () => {
      const request = (fingerprint: string) => ({ key: 'k', fingerprint })
      const responses = await Promise.all(
        Array.from({ length: 30 }, () => fixture.history.record(entryDraft(), pro, kept, request('f'))),
      )
      expect(responses.filter(({ state }) => state === 'recorded')).toHaveLength(1)
      expect(await ids()).toHaveLength(1)
      const again = await fixture.history.record(entryDraft(), pro, kept, request('g'))
      expect(again).toMatchObject({ state: 'replayed', fingerprint: 'f' })
      expect(
        (await fixture.history.record(entryDraft({ ownerId: bob }), pro, kept, request('f'))).state,
      ).toBe('recorded')
      await fixture.passTime(idempotencyKeyLifeMs - 60_000)
      expect(await fixture.history.deleteExpiredResponses(never)).toBe(0)
      await fixture.passTime(120_000)
      expect((await fixture.history.record(entryDraft(), pro, kept, request('h'))).state).toBe('recorded')
      expect(await fixture.history.deleteExpiredResponses(never)).toBe(1)
    })
  })
}
