import { beforeEach, describe, expect, it } from 'vitest'
import { validationFailed } from '#libs/core/domain-error.js'
import type { ContentEvent } from '../domain/content-event.js'
import { type OwnerId, ownerId } from '../domain/ids.js'
import { noChangeQuotas } from '../domain/revision.js'
import { noShareQuota, type Share, shareQuota } from '../domain/share.js'
import type { Snippet } from '../domain/snippet.js'
import { noStorageQuota, storageQuota } from '../domain/stored-data.js'
import {
  ann,
  bob,
  type ContentFixture,
  inlineData,
  noCheck,
  shareDraft,
  snippetDraft,
} from '../testing/content-fixture.js'

const hour = 3_600_000
const leaseMs = 15_000

/** The behaviour of every `EventOutbox`, and the events that the other stores add to it. */
export function eventOutboxContract(name: string, open: () => Promise<ContentFixture>): void {
  describe(name, () => {
    let fixture: ContentFixture

    beforeEach(async () => {
      fixture = await open()
    })

    const share = (fields = {}, ttlMs: number | null = null): Promise<Share> =>
      fixture.ports.shares.add(
        shareDraft(fixture, fields),
        (now) => (ttlMs === null ? null : new Date(now.getTime() + ttlMs)),
        null,
      )
    /** Removes and returns all events. */
    const take = async (): Promise<readonly ContentEvent[]> => {
      const events = await fixture.ports.outbox.claim(1_000, leaseMs)
      await fixture.ports.outbox.finish(events)
      return events
    }

    it('gets the creation event of a share with its principal in the step that stores it, and none for a rejected one', async () => {
      const { shares } = fixture.ports
      const principal = { kind: 'api_key', id: 'k1' } as const
      const draft = shareDraft(fixture, { title: 'Report "ü"' })
      const made = await shares.add(draft, () => null, null, undefined, principal)
      const refuse = (): never => {
        throw validationFailed([])
      }
      await expect(shares.add(shareDraft(fixture), refuse, null)).rejects.toThrow()
      expect(await take()).toEqual([
        {
          ownerId: ann,
          id: `${made.id}-created`,
          type: 'share.created',
          principal,
          subject: { kind: 'share', id: made.id },
          detail: { title: 'Report "ü"', tool: 'csv', expires_at: null },
          createdAt: made.createdAt,
        },
      ])
      expect(await take()).toEqual([])
    })

    it('gives an event to one worker at a time, again once its lease expires, and never after it is finished', async () => {
      const { outbox } = fixture.ports
      await Promise.all(Array.from({ length: 7 }, () => share()))
      const [one, other] = await Promise.all([outbox.claim(4, leaseMs), outbox.claim(4, leaseMs)])
      expect(new Set([...one, ...other].map(({ id }) => id)).size).toBe(7)
      expect(await outbox.claim(10, leaseMs)).toEqual([])
      await outbox.finish(one)
      await fixture.passTime(leaseMs + 1_000)
      const again = await outbox.claim(10, leaseMs)
      expect(again.map(({ id }) => id).toSorted()).toEqual(other.map(({ id }) => id).toSorted())
      await outbox.postpone(again)
      await fixture.passTime(1_000)
      expect(await outbox.claim(10, leaseMs)).toHaveLength(other.length)
    })

    it('gets the first views of a share at once, then one event per hour', async () => {
      const { shares } = fixture.ports
      const [seen, unseen] = [await share({ title: 'Seen' }), await share({ ownerId: bob })]
      await take()
      const view = async (views: number) => {
        await shares.addViews([
          { id: seen.id, views },
          { id: fixture.ports.ids.share(), views: 1 },
        ])
        return shares.queueViewEvents(10)
      }
      expect(await view(2)).toBe(1)
      expect([await view(3), await view(4)]).toEqual([0, 0])
      const [first, ...others] = await take()
      expect(others).toEqual([])
      expect(first).toMatchObject({
        ownerId: ann,
        type: 'share.viewed',
        principal: { kind: 'anyone', id: null },
        subject: { kind: 'share', id: seen.id },
        detail: { title: 'Seen', views: 2, total: 2 },
      })
      await fixture.passTime(hour + 1_000)
      expect([await shares.queueViewEvents(10), await shares.queueViewEvents(10)]).toEqual([1, 0])
      expect((await take()).map(({ detail }) => detail)).toEqual([{ title: 'Seen', views: 7, total: 9 }])
      await fixture.passTime(hour + 1_000)
      expect(await shares.queueViewEvents(10)).toBe(0)
      expect(await shares.remove(unseen.id, noCheck)).toBe(true)
    })

    it('counts concurrent views exactly', async () => {
      const { shares } = fixture.ports
      const all = await Promise.all(Array.from({ length: 5 }, () => share()))
      await take()
      const batch = (n: number) => (n % 2 === 0 ? all : all.toReversed()).map(({ id }) => ({ id, views: 1 }))
      await Promise.all(Array.from({ length: 20 }, (_none, n) => shares.addViews(batch(n))))
      expect(await shares.queueViewEvents(10)).toBe(5)
      expect((await take()).map(({ detail }) => detail.total)).toEqual([20, 20, 20, 20, 20])
    })

    it('gets the expiry of a share with all its views, and no views of deleted shares', async () => {
      const { shares } = fixture.ports
      const [ended, deleted] = [await share({}, hour), await share()]
      await shares.addViews([
        { id: ended.id, views: 3 },
        { id: deleted.id, views: 1 },
      ])
      await shares.remove(deleted.id, noCheck)
      await take()
      await fixture.passTime(hour + 1_000)
      expect(await shares.purgeExpired(10)).toBe(1)
      expect(await shares.purgeExpired(10)).toBe(0)
      await shares.addViews([{ id: ended.id, views: 1 }])
      expect(await shares.queueViewEvents(10)).toBe(0)
      expect(await take()).toMatchObject([
        {
          id: `${ended.id}-expired`,
          type: 'share.expired',
          principal: { kind: 'system', id: null },
          detail: { title: 'A title', views: 3 },
        },
      ])
    })

    it('gets at most one event a day when a limit becomes near, for snippets added alone or in batches and for shares', async () => {
      const { snippets, shares } = fixture.ports
      const save = (ownerId = ann) => snippets.add(snippetDraft(fixture, { ownerId }), 15, null)
      await Promise.all(Array.from({ length: 11 }, () => save()))
      await Promise.all(Array.from({ length: 3 }, () => save(bob)))
      expect(await take()).toEqual([])
      const saved = await save()
      if (saved === null) throw new Error('no snippet')
      await snippets.remove(ann, saved.id, noCheck, true)
      await save()
      await Promise.all(Array.from({ length: 10 }, () => save(bob)))
      const near = await take()
      expect(near.map(({ ownerId }) => ownerId).toSorted()).toEqual([ann, bob])
      expect(near.find(({ ownerId }) => ownerId === ann)).toMatchObject({
        type: 'limit.near',
        subject: { kind: 'account', id: ann },
        detail: { limit: 'snippets', used: 12, of: 15 },
      })
      expect(near[0]?.id).toMatch(/^near-snippets-\d{4}-\d\d-\d\d$/)
      const quotas = { live: shareQuota('free', { shares: 5 }), storage: noStorageQuota }
      for (let n = 0; n < 5; n += 1) await shares.add(shareDraft(fixture), () => null, null, quotas)
      const ofShares = (await take()).filter(({ type }) => type === 'limit.near')
      expect(ofShares).toMatchObject([{ ownerId: ann, detail: { limit: 'shares', used: 4, of: 5 } }])
    })

    it('gets a storage limit that becomes near once a day, whatever adds the bytes, and not a byte before', async () => {
      const { snippets, shares, registry, ids } = fixture.ports
      const storage = storageQuota('free', { storedBytes: 100 })
      const data = (bytes: number) => inlineData(fixture, `"${'x'.repeat(bytes - 2)}"`)
      const save = async (owner: OwnerId, bytes: number, name: string | null = null): Promise<Snippet> => {
        const draft = snippetDraft(fixture, { ownerId: owner, name, data: data(bytes) })
        const made = await snippets.add(draft, null, null, storage)
        if (made === null) throw new Error('there was a place')
        return made
      }
      const complete = async (owner: OwnerId, bytes: number, isKept = true): Promise<void> => {
        const id = ids.document()
        await registry.reserve(id, owner)
        await registry.complete(id, { sizeBytes: bytes, sha256: '00'.repeat(32) }, isKept, storage)
      }
      const ways: Readonly<Record<string, (owner: OwnerId, bytes: number) => Promise<unknown>>> = {
        alone: (owner, bytes) => save(owner, bytes, 'report'),
        together: (owner, bytes) =>
          Promise.all([10, 10, 10, 10, 10, bytes - 50].map((some) => save(owner, some))),
        shared: (owner, bytes) => {
          const draft = shareDraft(fixture, { ownerId: owner, data: data(bytes) })
          return shares.add(draft, () => null, null, { live: noShareQuota, storage })
        },
        uploaded: (owner, bytes) => complete(owner, bytes),
        changed: async (owner, bytes) => {
          const { id } = await save(owner, 5)
          await snippets.change(owner, id, { data: data(bytes) }, noCheck, true, {
            ...noChangeQuotas,
            storage,
          })
        },
      }
      const near = async () => (await take()).filter(({ type }) => type === 'limit.near')
      const add = (suffix: string, bytes: number) =>
        Promise.all(Object.entries(ways).map(([way, run]) => run(ownerId(`${way}${suffix}`), bytes)))
      await Promise.all(Object.keys(ways).map((way) => complete(ownerId(`${way}-near`), 100, false)))
      await add('-below', 79)
      expect(await near()).toEqual([])
      await add('-near', 80)
      const events = await near()
      const owners = Object.keys(ways).map((way) => `${way}-near`)
      expect(events.map((event) => event.ownerId).toSorted()).toEqual(owners.toSorted())
      for (const { id, principal, subject, detail, ownerId: owner } of events) {
        expect(id).toMatch(/^near-stored_bytes-\d{4}-\d\d-\d\d$/)
        expect({ principal, subject }).toEqual({
          principal: { kind: 'system', id: null },
          subject: { kind: 'account', id: owner },
        })
        expect(detail).toEqual({ limit: 'stored_bytes', used: 80, of: 100 })
      }
      await Promise.all(owners.map((owner) => save(ownerId(owner), 10)))
      expect(await near()).toEqual([])
    })
  })
}
