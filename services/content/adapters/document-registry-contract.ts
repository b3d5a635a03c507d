import { beforeEach, describe, expect, it } from 'vitest'
import {
  ann,
  bob,
  type ContentFixture,
  chunksOf,
  collect,
  documentData,
  noCheck,
  shareDraft,
  snippetDraft,
} from '../testing/content-fixture.js'

const minute = 60_000
const gone = { kind: 'unavailable' }

/**
 * The behaviour of every `DocumentRegistry`, together with the record stores that claim and release
 * documents.
 */
export function documentRegistryContract(name: string, open: () => Promise<ContentFixture>): void {
  describe(name, () => {
    let fixture: ContentFixture
    const addSnippet = (fields: object) =>
      fixture.ports.snippets.add(snippetDraft(fixture, fields), null, null)
    const addShare = (fields: object) =>
      fixture.ports.shares.add(shareDraft(fixture, fields), () => null, null)
    const condemn = (graceMs = 0) => fixture.ports.registry.condemn(graceMs, 100)

    beforeEach(async () => {
      fixture = await open()
    })

    it('returns the digest of a document once it is complete', async () => {
      const { registry, ids } = fixture.ports
      const id = ids.document()
      expect(await registry.find(id)).toBeNull()
      await registry.reserve(id, ann)
      expect(await registry.find(id)).toBeNull()
      const digest = { sizeBytes: 52_428_800, sha256: fixture.ports.hashing.sha256('x') }
      await registry.complete(id, digest, true)
      expect(await registry.find(id)).toEqual(digest)
    })

    it('ignores a second reservation of a document', async () => {
      const { registry } = fixture.ports
      const data = await documentData(fixture, ann)
      await addSnippet({ data })
      await registry.reserve(data.id, bob)
      expect(await registry.findNamed(data.id)).toEqual(data.digest)
      await fixture.passTime(minute)
      expect(await condemn()).toEqual([])
    })

    it('finds only documents that a record names at the moment', async () => {
      const { registry, snippets } = fixture.ports
      const data = await documentData(fixture, ann)
      expect([await registry.findNamed(data.id), await registry.find(data.id)]).toEqual([null, data.digest])
      const snippet = await addSnippet({ data })
      expect(await registry.findNamed(data.id)).toEqual(data.digest)
      await snippets.remove(ann, snippet?.id ?? fixture.ports.ids.snippet(), noCheck, true)
      expect([await registry.findNamed(data.id), await registry.find(data.id)]).toEqual([null, data.digest])
      expect(await registry.findNamed(fixture.ports.ids.document())).toBeNull()
    })

    it('lets only its owner claim a document, once, and only if it is complete', async () => {
      const data = await documentData(fixture, ann)
      await expect(addSnippet({ data, ownerId: bob })).rejects.toMatchObject(gone)
      await expect(addShare({ data, ownerId: bob })).rejects.toMatchObject(gone)
      const incomplete = fixture.ports.ids.document()
      await fixture.ports.registry.reserve(incomplete, ann)
      await expect(addSnippet({ data: { ...data, id: incomplete } })).rejects.toMatchObject(gone)
      const snippet = await addSnippet({ data })
      await expect(addSnippet({ data })).rejects.toMatchObject(gone)
      await expect(addShare({ data })).rejects.toMatchObject(gone)
      const other = await addSnippet({})
      const change = fixture.ports.snippets.change(
        ann,
        other?.id ?? fixture.ports.ids.snippet(),
        { data },
        noCheck,
        true,
      )
      await expect(change).rejects.toMatchObject(gone)
      expect([await fixture.ports.snippets.count(ann), await fixture.ports.snippets.count(bob)]).toEqual([
        2, 0,
      ])
      expect(snippet?.location).toEqual({ kind: 'document', id: data.id })
    })

    it('gives a document to one of many concurrent claims', async () => {
      const data = await documentData(fixture, ann)
      const claims = await Promise.allSettled(Array.from({ length: 10 }, () => addSnippet({ data })))
      expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(await fixture.ports.snippets.count(ann)).toBe(1)
    })

    it('condemns documents orphaned for longer than the grace period: broken off, unclaimed, replaced or deleted', async () => {
      const { registry, snippets, shares } = fixture.ports
      const brokenOff = fixture.ports.ids.document()
      await registry.reserve(brokenOff, ann)
      const [forgotten, replaced, replacing, deleted, shared, kept] = await Promise.all(
        Array.from({ length: 6 }, () => documentData(fixture, ann)),
      )
      if (!forgotten || !replaced || !replacing || !deleted || !shared || !kept)
        throw new Error('six documents')
      const changed = await addSnippet({ data: replaced })
      const removed = await addSnippet({ data: deleted })
      const share = await addShare({ data: shared })
      await addSnippet({ data: kept })
      await snippets.change(
        ann,
        changed?.id ?? fixture.ports.ids.snippet(),
        { data: replacing },
        noCheck,
        true,
      )
      await snippets.remove(ann, removed?.id ?? fixture.ports.ids.snippet(), noCheck, true)
      await shares.remove(share.id, noCheck)
      expect(await condemn(10 * minute)).toEqual([])
      await fixture.passTime(20 * minute)
      const condemned = new Set(await condemn(10 * minute))
      expect(condemned).toEqual(new Set([brokenOff, forgotten.id, replaced.id, deleted.id, shared.id]))
    })

    it('measures the grace period from completion, and again from the release', async () => {
      const { registry, snippets } = fixture.ports
      const id = fixture.ports.ids.document()
      await registry.reserve(id, ann)
      await fixture.passTime(8 * minute)
      await registry.complete(id, { sizeBytes: 0, sha256: fixture.ports.hashing.sha256('') }, true)
      const data = {
        kind: 'document' as const,
        id,
        digest: { sizeBytes: 0, sha256: fixture.ports.hashing.sha256('') },
      }
      await fixture.passTime(8 * minute)
      expect(await condemn(10 * minute)).toEqual([])
      const snippet = await addSnippet({ data })
      await fixture.passTime(60 * minute)
      await snippets.remove(ann, snippet?.id ?? fixture.ports.ids.snippet(), noCheck, true)
      expect(await condemn(10 * minute)).toEqual([])
      await fixture.passTime(11 * minute)
      expect(await condemn(10 * minute)).toEqual([id])
    })

    it('lets no one claim or complete a condemned document, and condemns it again until it is forgotten', async () => {
      const { registry } = fixture.ports
      const data = await documentData(fixture, ann)
      await fixture.passTime(minute)
      expect(await condemn()).toEqual([data.id])
      await expect(addSnippet({ data })).rejects.toMatchObject(gone)
      await registry.complete(data.id, data.digest, true).catch(() => {})
      await expect(addSnippet({ data })).rejects.toMatchObject(gone)
      await fixture.passTime(minute)
      expect(await condemn()).toEqual([data.id])
      await fixture.ports.documents.remove([data.id])
      await registry.forget([data.id])
      await fixture.passTime(minute)
      expect(await condemn()).toEqual([])
      expect([await registry.find(data.id), await fixture.documentsWithBytes()]).toEqual([null, 0])
    })

    it('discards a document of its owner that nothing names, and no other', async () => {
      const { registry, documents, usage } = fixture.ports
      const [data, named] = [await documentData(fixture, ann), await documentData(fixture, ann)]
      await addSnippet({ data: named })
      const before = await usage.storedBytes(ann)
      expect(await registry.discard(data.id, bob)).toBe(false)
      expect(await registry.discard(named.id, ann)).toBe(false)
      expect(await registry.discard(fixture.ports.ids.document(), ann)).toBe(false)
      expect(await registry.discard(data.id, ann)).toBe(true)
      await expect(addSnippet({ data })).rejects.toMatchObject(gone)
      expect(await registry.discard(data.id, ann)).toBe(false)
      await documents.remove([data.id])
      await registry.forget([data.id])
      expect(await usage.storedBytes(ann)).toBe(before - data.digest.sizeBytes)
      expect(await registry.findNamed(named.id)).toEqual(named.digest)
    })

    it('returns at most as many as requested, even to concurrent callers', async () => {
      for (let n = 0; n < 10; n += 1) await documentData(fixture, ann)
      await fixture.passTime(minute)
      expect(await fixture.ports.registry.condemn(0, 4)).toHaveLength(4)
      await fixture.passTime(minute)
      const swept = await Promise.all(Array.from({ length: 3 }, () => fixture.ports.registry.condemn(0, 100)))
      expect(new Set(swept.flat()).size).toBe(10)
    })

    it('gives a condemned document to one sweep, and to another only after a second grace period', async () => {
      for (let n = 0; n < 20; n += 1) await documentData(fixture, ann)
      await fixture.passTime(11 * minute)
      const swept = await Promise.all(Array.from({ length: 4 }, () => condemn(10 * minute)))
      expect([swept.flat().length, new Set(swept.flat()).size]).toEqual([20, 20])
      expect(await condemn(10 * minute)).toEqual([])
      await fixture.passTime(11 * minute)
      expect(await condemn(10 * minute)).toHaveLength(20)
    })

    it('decides each race of claim and sweep for one side, and loses no byte of a claimed document', async () => {
      const { registry, documents, snippets } = fixture.ports
      for (let round = 0; round < 30; round += 1) {
        const text = `{"round":${round}}`
        const data = await documentData(fixture, ann, text)
        await fixture.passTime(minute)
        const sweep = async (): Promise<void> => {
          const ids = await condemn()
          await documents.remove(ids)
          await registry.forget(ids)
        }
        const [claim] = await Promise.allSettled([addSnippet({ data }), sweep()])
        if (claim.status === 'rejected') {
          expect(claim.reason).toMatchObject(gone)
          continue
        }
        const bytes = await collect(documents.read(data.id, { offset: 0, length: null }))
        expect(bytes.toString()).toBe(text)
        expect(await registry.find(data.id)).toEqual(data.digest)
        await snippets.remove(ann, claim.value?.id ?? fixture.ports.ids.snippet(), noCheck, true)
      }
    })

    it('rejects a slow upload whose document was swept meanwhile', async () => {
      const { registry, documents } = fixture.ports
      const id = fixture.ports.ids.document()
      await registry.reserve(id, ann)
      async function* slow(): AsyncGenerator<Uint8Array, void, undefined> {
        yield Buffer.alloc(1_500_000)
        await fixture.passTime(minute)
        const ids = await condemn()
        await documents.remove(ids)
        await registry.forget(ids)
        yield* chunksOf(Buffer.alloc(1_500_000))
      }
      const upload = async (): Promise<void> => {
        await documents.write(id, slow())
        await registry.complete(id, { sizeBytes: 3_000_000, sha256: fixture.ports.hashing.sha256('') }, true)
      }
      await expect(upload()).rejects.toMatchObject(gone)
    })
  })
}
