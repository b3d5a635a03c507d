import { beforeEach, describe, expect, it } from 'vitest'
import { readDocument } from '../application/read-document.js'
import { sweep } from '../application/sweep.js'
import { noChangeQuotas } from '../domain/revision.js'
import type { Snippet } from '../domain/snippet.js'
import { storageQuota } from '../domain/stored-data.js'
import {
  ann,
  type ContentFixture,
  collect,
  documentData,
  inlineData,
  noCheck,
  snippetDraft,
} from '../testing/content-fixture.js'

const minute = 60_000
const text = (n: number): string => `{"v":"${String(n).repeat(500)}"}`
const small = (n: number): string => `{"v":"${String(n).repeat(92)}"}`

/** What the stores do with the documents and bytes of replaced versions. */
export function revisionDocumentsContract(name: string, open: () => Promise<ContentFixture>): void {
  describe(name, () => {
    let fixture: ContentFixture
    const add = async (n: number): Promise<Snippet> => {
      const data = await documentData(fixture, ann, text(n))
      const made = await fixture.ports.snippets.add(snippetDraft(fixture, { data }), null, null)
      if (made === null) throw new Error('no snippet')
      return made
    }
    const replace = async (snippet: Snippet, n: number, revisions = 2) =>
      fixture.ports.snippets.change(
        ann,
        snippet.id,
        { data: await documentData(fixture, ann, text(n)) },
        noCheck,
        true,
        { ...noChangeQuotas, revisions },
      )
    const restore = ({ id }: Snippet, version: number, revisions = 2) =>
      fixture.ports.revisions.restore(
        { ownerId: ann, id, version, principal: null, mayApprove: true },
        noCheck,
        { ...noChangeQuotas, revisions },
        null,
      )
    const sweepNow = async (): Promise<void> => {
      await fixture.passTime(minute)
      await sweep(fixture.ports, 0, new AbortController().signal)
    }
    const read = async (snippet: Snippet, version: number) => {
      const found = await fixture.ports.revisions.find(snippet, version, true)
      if (found?.data?.kind !== 'document') return found
      const bytes = await collect(readDocument(fixture.ports, found.data.id, { offset: 0, length: null }))
      return bytes.toString()
    }
    beforeEach(async () => {
      fixture = await open()
    })

    it('a version keeps its document until it is deleted', async () => {
      const snippet = await add(1)
      for (const n of [2, 3]) await replace(snippet, n)
      await sweepNow()
      expect([await read(snippet, 1), await read(snippet, 2), await read(snippet, 3)]).toEqual(
        [1, 2, 3].map(text),
      )
      await replace(snippet, 4)
      await sweepNow()
      expect([await read(snippet, 1), await read(snippet, 2)]).toEqual([null, text(2)])
      expect([await fixture.documentsWithBytes(), await fixture.ports.usage.storedBytes(ann)]).toEqual([
        3,
        3 * 508,
      ])
    })

    it('a restored document is stored once, and stays until no version names it', async () => {
      const snippet = await add(1)
      await replace(snippet, 2)
      await restore(snippet, 1)
      await sweepNow()
      expect([await read(snippet, 3), await read(snippet, 1), await read(snippet, 2)]).toEqual(
        [1, 1, 2].map(text),
      )
      expect(await fixture.ports.usage.storedBytes(ann)).toBe(2 * 508)
      await replace(snippet, 4)
      await sweepNow()
      expect([await read(snippet, 3), await read(snippet, 2), await read(snippet, 1)]).toEqual([
        text(1),
        text(2),
        null,
      ])
      await replace(snippet, 5)
      await replace(snippet, 6)
      await sweepNow()
      expect([await read(snippet, 6), await read(snippet, 5), await read(snippet, 4)]).toEqual(
        [6, 5, 4].map(text),
      )
      expect(await fixture.documentsWithBytes()).toBe(3)
    })

    it('a document that is current again outlives the version it came from', async () => {
      const snippet = await add(1)
      await replace(snippet, 2)
      await restore(snippet, 1, 1)
      expect(await read(snippet, 1)).toBeNull()
      await sweepNow()
      expect(await read(snippet, 3)).toBe(text(1))
      await restore(snippet, 2, 0)
      await sweepNow()
      expect([await read(snippet, 4), await fixture.documentsWithBytes()]).toEqual([text(2), 1])
    })

    it('replacing data with the same bytes keeps no version, and frees one of the two documents', async () => {
      const snippet = await add(1)
      await replace(snippet, 1)
      await sweepNow()
      expect([await read(snippet, 2), await fixture.documentsWithBytes()]).toEqual([text(1), 1])
    })

    it('deleting a snippet frees the documents of all its versions', async () => {
      const snippet = await add(1)
      await replace(snippet, 2)
      await restore(snippet, 1)
      await fixture.ports.snippets.remove(ann, snippet.id, noCheck, true)
      await sweepNow()
      expect([await fixture.documentsWithBytes(), await fixture.ports.usage.storedBytes(ann)]).toEqual([0, 0])
    })

    it('expired versions free their documents', async () => {
      const snippet = await add(1)
      await replace(snippet, 2)
      await fixture.passTime(366 * 24 * 60 * minute)
      await fixture.ports.revisions.deleteExpired(10)
      await sweepNow()
      expect([await read(snippet, 2), await fixture.documentsWithBytes()]).toEqual([text(2), 1])
    })

    it('bytes of versions count for the quota exactly: a change that does not fit changes nothing', async () => {
      const draft = snippetDraft(fixture, { data: inlineData(fixture, small(1)) })
      const snippet = await fixture.ports.snippets.add(draft, null, null)
      const put = (n: number, storedBytes: number) =>
        fixture.ports.snippets.change(ann, draft.id, { data: inlineData(fixture, small(n)) }, noCheck, true, {
          storage: storageQuota('free', { storedBytes }),
          revisions: 2,
        })
      expect(await put(2, 200)).toMatchObject({ version: 2 })
      const refused = { code: 'storage_limit_reached', details: { limit: 299, actual: 300 } }
      await expect(put(3, 299)).rejects.toMatchObject(refused)
      expect(await fixture.ports.usage.storedBytes(ann)).toBe(200)
      expect(await put(3, 300)).toMatchObject({ version: 3 })
      // Dropping the oldest version makes room for the new one.
      expect(await put(4, 300)).toMatchObject({ version: 4 })
      const owned = { ownerId: ann, id: draft.id }
      const kept = await fixture.ports.revisions.list(owned, null, 10)
      expect(kept.map(({ version }) => version)).toEqual([4, 3, 2])
      const racing = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => put(n % 7, 300)))
      expect(racing.every(({ status }) => status === 'fulfilled')).toBe(true)
      expect(await fixture.ports.usage.storedBytes(ann)).toBe(300)
      expect(await fixture.ports.snippets.count(ann)).toBe(1)
      expect(snippet).not.toBeNull()
    })
  })
}
