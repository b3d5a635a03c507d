import { beforeEach, describe, expect, it } from 'vitest'
import { sweep } from '../application/sweep.js'
import { noChangeQuotas } from '../domain/revision.js'
import { noShareQuota, shareQuota } from '../domain/share.js'
import type { Snippet } from '../domain/snippet.js'
import { type StorageQuota, storageQuota } from '../domain/stored-data.js'
import {
  ann,
  bob,
  type ContentFixture,
  chunksOf,
  documentData,
  inlineData,
  noCheck,
  shareDraft,
  snippetDraft,
} from '../testing/content-fixture.js'

const minute = 60_000

/** JSON of this many bytes. */
function text(bytes: number): string {
  return `{"v":"${'x'.repeat(bytes - 8)}"}`
}

function quotaOf(storedBytes: number): StorageQuota {
  return storageQuota('free', { storedBytes })
}

/** The behaviour of every store that counts the bytes and live shares of an owner. */
export function storageQuotaContract(name: string, open: () => Promise<ContentFixture>): void {
  describe(name, () => {
    let fixture: ContentFixture
    const stored = () => fixture.ports.usage.storedBytes(ann)
    const addSnippet = (bytes: number, quota?: StorageQuota) =>
      fixture.ports.snippets.add(
        snippetDraft(fixture, { data: inlineData(fixture, text(bytes)) }),
        null,
        null,
        quota,
      )
    const addShare = (bytes: number, storage = quotaOf(1_000_000), liveMax: number | null = null) =>
      fixture.ports.shares.add(
        shareDraft(fixture, { data: inlineData(fixture, text(bytes)) }),
        (now) => new Date(now.getTime() + minute),
        null,
        { live: liveMax === null ? noShareQuota : shareQuota('free', { shares: liveMax }), storage },
      )
    const change = ({ id }: Snippet, bytes: number, quota?: StorageQuota) =>
      fixture.ports.snippets.change(ann, id, { data: inlineData(fixture, text(bytes)) }, noCheck, true, {
        ...noChangeQuotas,
        ...(quota === undefined ? {} : { storage: quota }),
      })
    const made = async (bytes: number): Promise<Snippet> => {
      const snippet = await addSnippet(bytes)
      if (snippet === null) throw new Error('no snippet')
      return snippet
    }
    const sweepNow = () => sweep(fixture.ports, 0, new AbortController().signal)
    beforeEach(async () => {
      fixture = await open()
    })

    it("counts all data of an owner, and no one else's", async () => {
      expect(await stored()).toBe(0)
      await addSnippet(100)
      await addShare(50)
      await documentData(fixture, ann, text(1_000))
      expect(await stored()).toBe(1_150)
      expect(await fixture.ports.usage.storedBytes(bob)).toBe(0)
    })

    it('counts a change by its difference, and stops counting removed data', async () => {
      const snippet = await made(100)
      await change(snippet, 300)
      expect(await stored()).toBe(300)
      await change(snippet, 20)
      expect(await stored()).toBe(20)
      await fixture.ports.snippets.change(ann, snippet.id, { title: 'Another' }, noCheck, true)
      expect(await stored()).toBe(20)
      await fixture.ports.snippets.remove(ann, snippet.id, noCheck, true)
      expect(await stored()).toBe(0)
    })

    it('counts a share until it is deleted or, after its expiry, purged', async () => {
      const share = await addShare(100)
      await addShare(10)
      await fixture.ports.shares.remove(share.id, noCheck)
      expect(await stored()).toBe(10)
      await fixture.passTime(2 * minute)
      expect(await stored()).toBe(10)
      await fixture.ports.shares.purgeExpired(10)
      expect(await stored()).toBe(0)
    })

    it('counts a document from its completion until it is swept, whether anything names it or not', async () => {
      const data = await documentData(fixture, ann, text(500))
      expect(await stored()).toBe(500)
      const snippet = await fixture.ports.snippets.add(snippetDraft(fixture, { data }), null, null)
      expect(await stored()).toBe(500)
      if (snippet !== null) await change(snippet, 30)
      expect(await stored()).toBe(530)
      await fixture.passTime(minute)
      await sweepNow()
      expect(await stored()).toBe(30)
    })

    it('does not count a document that is incomplete or was only compared', async () => {
      const writing = fixture.ports.ids.document()
      await fixture.ports.registry.reserve(writing, ann)
      await fixture.ports.documents.write(writing, chunksOf(Buffer.from(text(300))))
      const compared = fixture.ports.ids.document()
      await fixture.ports.registry.reserve(compared, ann)
      await fixture.ports.registry.complete(compared, { sizeBytes: 700, sha256: '00'.repeat(32) }, false)
      expect(await stored()).toBe(0)
      await fixture.passTime(minute)
      await fixture.ports.registry.condemn(0, 10)
      expect(await stored()).toBe(0)
      await sweepNow()
      expect(await stored()).toBe(0)
    })

    it('accepts data up to exactly the limit, and refuses one byte more with both numbers', async () => {
      await addSnippet(60, quotaOf(100))
      await expect(addSnippet(41, quotaOf(100))).rejects.toMatchObject({
        kind: 'forbidden',
        code: 'storage_limit_reached',
        details: { limit: 100, actual: 101, plan: 'free' },
      })
      await expect(addShare(41, quotaOf(100))).rejects.toMatchObject({ code: 'storage_limit_reached' })
      await addShare(40, quotaOf(100))
      expect(await stored()).toBe(100)
      expect(await fixture.ports.snippets.count(ann)).toBe(1)
      expect(await fixture.ports.shares.countLive(ann)).toBe(1)
    })

    it("also refuses an owner's first data if it is too large", async () => {
      await expect(addSnippet(101, quotaOf(100))).rejects.toMatchObject({ code: 'storage_limit_reached' })
      expect(await fixture.ports.snippets.count(ann)).toBe(0)
    })

    it('reports the snippet limit before the storage limit', async () => {
      await addSnippet(100, quotaOf(100))
      const more = snippetDraft(fixture, { data: inlineData(fixture, text(50)) })
      expect(await fixture.ports.snippets.add(more, 1, null, quotaOf(100))).toBeNull()
    })

    it('refuses a document at its completion, and then does not count it', async () => {
      const complete = async (bytes: number) => {
        const id = fixture.ports.ids.document()
        await fixture.ports.registry.reserve(id, ann)
        await fixture.ports.registry.complete(
          id,
          { sizeBytes: bytes, sha256: '00'.repeat(32) },
          true,
          quotaOf(1_000),
        )
      }
      await complete(600)
      await expect(complete(401)).rejects.toMatchObject({ code: 'storage_limit_reached' })
      await complete(400)
      expect(await stored()).toBe(1_000)
    })

    it('lets an owner beyond the limit shrink data', async () => {
      const snippet = await made(500)
      await expect(change(snippet, 501, quotaOf(100))).rejects.toMatchObject({
        code: 'storage_limit_reached',
      })
      expect((await change(snippet, 400, quotaOf(100)))?.digest.sizeBytes).toBe(400)
      expect(await stored()).toBe(400)
    })

    it('admits as many live shares as the limit allows, and more once some expire or are deleted', async () => {
      const first = await addShare(10, undefined, 2)
      await addShare(10, undefined, 2)
      await expect(addShare(10, undefined, 2)).rejects.toMatchObject({
        code: 'share_limit_reached',
        details: { limit: 2, plan: 'free' },
      })
      await fixture.ports.shares.remove(first.id, noCheck)
      await addShare(10, undefined, 2)
      await fixture.passTime(2 * minute)
      await addShare(10, undefined, 2)
      expect(await fixture.ports.shares.countLive(ann)).toBe(1)
    })

    it('keeps both limits under concurrent requests, and counts exactly', async () => {
      const quota = quotaOf(1_000)
      const work = Array.from({ length: 60 }, (_, n) => {
        if (n % 3 === 0) return addSnippet(90, quota)
        if (n % 3 === 1) return addShare(90, quota, 5)
        return (async () => {
          const id = fixture.ports.ids.document()
          await fixture.ports.registry.reserve(id, ann)
          await fixture.ports.registry.complete(id, { sizeBytes: 90, sha256: '00'.repeat(32) }, true, quota)
        })()
      })
      const done = await Promise.allSettled(work)
      const kept = done.filter(({ status }) => status === 'fulfilled').length
      const codes = new Set(done.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : [])))
      expect(kept).toBe(11)
      expect(await stored()).toBe(990)
      expect(codes).toContain('storage_limit_reached')
      expect([...codes].every((code) => /^(storage|share)_limit_reached$/.test(code))).toBe(true)
      expect(await fixture.ports.shares.countLive(ann)).toBeLessThanOrEqual(5)
    })
  })
}
