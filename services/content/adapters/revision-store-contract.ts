import { beforeEach, describe, expect, it } from 'vitest'
import { noChangeQuotas } from '../domain/revision.js'
import type { Principal, Snippet, SnippetChange } from '../domain/snippet.js'
import {
  checkIfMatch,
  type DigestedData,
  etagOf,
  preconditionFailed,
  storageQuota,
} from '../domain/stored-data.js'
import {
  ann,
  bob,
  type ContentFixture,
  documentData,
  inlineData,
  noCheck,
  snippetDraft,
} from '../testing/content-fixture.js'

const day = 86_400_000
const owner: Principal = { kind: 'owner', id: null, label: null }
const key: Principal = { kind: 'api_key', id: 'k1', label: 'nightly "job" \\' }
const rule: Principal = { kind: 'ci_job', id: 'tp_1', label: 'releases' }
const keeping = (revisions: number) => ({ ...noChangeQuotas, revisions })

/** The behaviour of every store of snippets and their versions. */
export function revisionStoreContract(name: string, open: () => Promise<ContentFixture>): void {
  describe(name, () => {
    let fixture: ContentFixture
    let snippet: Snippet
    const change = (fields: SnippetChange, revisions = 10, check: (now: Snippet) => void = noCheck) =>
      fixture.ports.snippets.change(ann, snippet.id, fields, check, true, keeping(revisions))
    const replace = (text: string, revisions = 10) => change({ data: inlineData(fixture, text) }, revisions)
    const list = () => fixture.ports.revisions.list(snippet, null, 1_000)
    const versions = async () => (await list()).map(({ version }) => version)
    const textOf = async (version: number) => {
      const found = await fixture.ports.revisions.find(snippet, version, true)
      return found?.data?.kind === 'inline' ? Buffer.from(found.data.bytes).toString() : found
    }
    const restore = (version: number, check: (now: Snippet) => void = noCheck, revisions = 10) =>
      fixture.ports.revisions.restore(
        { ownerId: ann, id: snippet.id, version, principal: rule, mayApprove: true },
        check,
        keeping(revisions),
        null,
      )

    beforeEach(async () => {
      fixture = await open()
      const draft = snippetDraft(fixture, { principal: owner, data: inlineData(fixture, '{"v":1}') })
      const made = await fixture.ports.snippets.add(draft, null, null)
      if (made === null) throw new Error('no snippet')
      snippet = made
    })

    it('keeps every version whose data was replaced, byte for byte, with its fields and who made it', async () => {
      await change({
        tool: 'xml',
        title: 'Ünï',
        tags: ['a', 'b'],
        data: inlineData(fixture, '{"v":1e400}'),
        principal: key,
      })
      const now = await change({ data: inlineData(fixture, '{"v":"\\u0000"}'), principal: rule })
      const [third, second, first, ...others] = await list()
      expect(others).toEqual([])
      expect(third).toMatchObject({ id: snippet.id, version: 3, isCurrent: true, principal: rule })
      expect(third?.createdAt).toEqual(now?.updatedAt)
      expect(second).toMatchObject({
        version: 2,
        isCurrent: false,
        tool: 'xml',
        title: 'Ünï',
        tags: ['a', 'b'],
        principal: key,
      })
      expect(first).toMatchObject({ version: 1, tool: 'csv', title: 'A title', tags: [], principal: owner })
      expect([first?.digest, first?.createdAt]).toEqual([snippet.digest, snippet.createdAt])
      expect([await textOf(1), await textOf(2), await textOf(3)]).toEqual([
        '{"v":1}',
        '{"v":1e400}',
        '{"v":"\\u0000"}',
      ])
      const found = await fixture.ports.revisions.find(snippet, 2, false)
      expect(found).toEqual({ record: second, data: null })
    })

    it('keeps no version for a change of other fields or to the same bytes', async () => {
      await change({ title: 'Another' })
      await replace('{"v":1}')
      expect(await versions()).toEqual([3])
      expect(await textOf(1)).toBeNull()
      await replace('{"v":2}')
      expect(await versions()).toEqual([4, 3])
      expect((await list())[1]).toMatchObject({ title: 'Another', principal: null })
    })

    it("lists the owner's versions in pages, newest first, and no one else's", async () => {
      for (let n = 2; n <= 6; n += 1) await replace(`{"v":${n}}`)
      const { revisions } = fixture.ports
      const page = async (before: number | null) =>
        (await revisions.list(snippet, before, 2)).map(({ version }) => version)
      expect([await page(null), await page(5), await page(3), await page(1)]).toEqual([
        [6, 5],
        [4, 3],
        [2, 1],
        [],
      ])
      expect(await revisions.list({ ownerId: bob, id: snippet.id }, null, 10)).toEqual([])
      expect(await revisions.find({ ownerId: bob, id: snippet.id }, 1, true)).toBeNull()
      const others = { ownerId: bob, id: snippet.id, version: 1, principal: null, mayApprove: true }
      expect(await revisions.restore(others, noCheck, keeping(10), null)).toBeNull()
    })

    it('keeps exactly as many as allowed; when fewer are, the next change drops the rest', async () => {
      for (let n = 2; n <= 9; n += 1) await replace(`{"v":${n}}`, 3)
      expect(await versions()).toEqual([9, 8, 7, 6])
      await replace('{"v":10}', 2)
      expect(await versions()).toEqual([10, 9, 8])
      await replace('{"v":10}', 1)
      expect(await versions()).toEqual([11, 9, 8])
      await replace('{"v":12}', 0)
      expect(await versions()).toEqual([12])
      await replace('{"v":13}', 3)
      expect(await versions()).toEqual([13, 12])
    })

    it('restores a version as a new one, and keeps the one before', async () => {
      await change({ tool: 'xml', title: 'New', tags: ['new'], data: inlineData(fixture, '{"v":2}') })
      const restored = await restore(1)
      expect(restored).toMatchObject({
        version: 3,
        tool: 'csv',
        title: 'A title',
        tags: [],
        digest: snippet.digest,
      })
      expect(await versions()).toEqual([3, 2, 1])
      expect((await list())[0]).toMatchObject({ isCurrent: true, principal: rule })
      expect(await textOf(3)).toBe('{"v":1}')
      expect(await restore(3)).toMatchObject({ version: 4, digest: snippet.digest })
      expect(await versions()).toEqual([4, 2, 1])
      await expect(restore(3)).rejects.toMatchObject({ code: 'not_found' })
      const refuse = () => {
        throw preconditionFailed()
      }
      await expect(restore(2, refuse)).rejects.toMatchObject({ code: 'precondition_failed' })
      expect((await fixture.ports.snippets.findEtags([snippet]))[0]).toMatch(/\.4\./)
    })

    it('adds an event to the outbox for each restore, by whom, and none for a refused one', async () => {
      const { outbox } = fixture.ports
      await change({ title: 'New', data: inlineData(fixture, '{"v":2}') })
      const restored = await restore(1)
      await expect(restore(7)).rejects.toMatchObject({ code: 'not_found' })
      const events = await outbox.claim(10, 15_000)
      expect(events).toEqual([
        {
          ownerId: ann,
          id: `${snippet.id}-restored-3`,
          type: 'snippet.restored',
          principal: { kind: rule.kind, id: rule.id },
          subject: { kind: 'snippet', id: snippet.id },
          detail: { title: 'A title', restored: 1, version: 3 },
          createdAt: restored?.updatedAt,
        },
      ])
    })

    it('completes the request together with the restore, or does neither', async () => {
      await replace('{"v":2}')
      const { idempotency, revisions, ids } = fixture.ports
      const lease = {
        key: { ownerId: ann, operation: 'restore-revision', key: 'k' } as const,
        holder: ids.holder(),
      }
      const wanted = { ownerId: ann, id: snippet.id, version: 1, principal: null, mayApprove: true }
      const completion = { lease, fingerprint: 'f' }
      const lost = revisions.restore(wanted, noCheck, keeping(10), completion)
      await expect(lost).rejects.toMatchObject({ kind: 'unavailable' })
      expect(await versions()).toEqual([2, 1])
      await idempotency.begin(lease)
      const restored = await revisions.restore(wanted, noCheck, keeping(10), completion)
      const state = await idempotency.begin({ ...lease, holder: ids.holder() })
      expect(state).toMatchObject({ state: 'done', fingerprint: 'f' })
      expect(restored?.version).toBe(3)
    })

    it('loses none of a hundred concurrent conditional changes, and keeps their order', async () => {
      const write = async (n: number): Promise<void> => {
        for (;;) {
          const [etag] = await fixture.ports.snippets.findEtags([snippet])
          const check = (now: Snippet): void => checkIfMatch(now, [etag ?? ''])
          const written = change({ title: `${n}`, data: inlineData(fixture, `{"n":${n}}`) }, 200, check)
          if ((await written.catch(() => null)) !== null) return
        }
      }
      await Promise.all(Array.from({ length: 100 }, (_, n) => write(n)))
      const all = (await list()).toReversed()
      expect(all.map(({ version }) => version)).toEqual(Array.from({ length: 101 }, (_, n) => n + 1))
      const written = all.slice(1).map(({ title }) => Number(title))
      expect(written.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n))
      for (const [index, n] of written.entries()) expect(await textOf(index + 2)).toBe(`{"n":${n}}`)
      const times = all.map(({ createdAt }) => createdAt.getTime())
      expect(times).toEqual(times.toSorted((a, b) => a - b))
    })

    it('deletes versions a year after they were replaced', async () => {
      await replace('{"v":2}')
      await fixture.passTime(364 * day)
      await replace('{"v":3}')
      expect(await fixture.ports.revisions.deleteExpired(10)).toBe(0)
      await fixture.passTime(2 * day)
      expect(await fixture.ports.revisions.deleteExpired(10)).toBe(1)
      expect(await versions()).toEqual([3, 2])
    })

    it('of an archive are added below the current one, while the quotas have room', async () => {
      for (let n = 2; n <= 6; n += 1) await replace(`{"v":${n}}`, 2)
      const createdAt = new Date('2020-01-01T00:00:00Z')
      const add = (version: number, data: DigestedData, quotas = keeping(4)) =>
        fixture.ports.revisions.add(
          snippet,
          { version, tool: 'xml', title: 'Old', tags: ['a'], data, createdAt },
          true,
          quotas,
        )
      const document = await documentData(fixture, ann, '{"v":"document"}')
      expect(await add(6, inlineData(fixture, '{}'))).toBe('exists')
      expect(await add(5, inlineData(fixture, '{}'))).toBe('exists')
      expect(await add(7, inlineData(fixture, '{}'))).toBe('not-kept')
      expect(await add(3, document)).toBe('added')
      const tight = { ...keeping(4), storage: storageQuota('free', { storedBytes: 1 }) }
      await expect(add(2, inlineData(fixture, '{}'), tight)).rejects.toMatchObject({
        code: 'storage_limit_reached',
      })
      expect(await add(2, inlineData(fixture, '{"v":1e2}'))).toBe('added')
      expect(await add(1, inlineData(fixture, '{}'))).toBe('not-kept')
      expect(await versions()).toEqual([6, 5, 4, 3, 2])
      expect(await textOf(2)).toBe('{"v":1e2}')
      expect((await list())[4]).toMatchObject({
        tool: 'xml',
        title: 'Old',
        tags: ['a'],
        createdAt,
        principal: null,
      })
      await expect(add(1, document, keeping(9))).rejects.toMatchObject({ code: 'unavailable' })
      const others = { version: 1, tool: 'xml', title: 'Old', tags: [], data: inlineData(fixture), createdAt }
      expect(
        await fixture.ports.revisions.add({ ownerId: bob, id: snippet.id }, others, true, keeping(4)),
      ).toBeNull()
      await fixture.ports.snippets.remove(ann, snippet.id, noCheck, true)
      await fixture.passTime(60_000)
      expect(await fixture.ports.registry.condemn(1_000, 10)).toEqual([document.id])
    })

    it('are deleted with their snippet', async () => {
      await replace('{"v":2}')
      await fixture.ports.snippets.remove(ann, snippet.id, noCheck, true)
      expect([await versions(), await textOf(1)]).toEqual([[], null])
      expect(await fixture.ports.usage.storedBytes(ann)).toBe(0)
    })

    it('change the ETag of the snippet every time, even on a restore', async () => {
      const etags = [etagOf(snippet)]
      await replace('{"v":2}')
      for (const version of [1, 2]) {
        const restored = await restore(version)
        if (restored !== null) etags.push(etagOf(restored))
      }
      expect(new Set(etags).size).toBe(3)
    })
  })
}
