import { beforeEach, describe, expect, it } from 'vitest'
import { IdTaken, type OwnerId, type SnippetId } from '../domain/ids.js'
import { etagOf, preconditionFailed } from '../domain/stored-data.js'
import {
  ann,
  bob,
  type ContentFixture,
  documentData,
  inlineData,
  noCheck,
  snippetDraft,
  snippetFilter,
} from '../testing/content-fixture.js'

/** How every `SnippetStore` handles single snippets and their count. */
export function snippetStoreContract(name: string, open: () => Promise<ContentFixture>): void {
  describe(name, () => {
    let fixture: ContentFixture
    const add = (fields = {}, limit: number | null = null) =>
      fixture.ports.snippets.add(snippetDraft(fixture, fields), limit, null)
    const find = async (ownerId: OwnerId, id: SnippetId, includeData: boolean) =>
      (await fixture.ports.snippets.findAll([{ ownerId, id, includeData }]))[0] ?? null

    beforeEach(async () => {
      fixture = await open()
    })

    it('returns what was stored: inline data, the id of a document, or no data', async () => {
      const { snippets } = fixture.ports
      const draft = snippetDraft(fixture, {
        title: 'Ünï "x"',
        tags: ['b', 'a'],
        data: inlineData(fixture, '{"\\u0000":1e400}'),
      })
      const made = await snippets.add(draft, null, null)
      expect(made).toMatchObject({ id: draft.id, title: 'Ünï "x"', tags: ['b', 'a'], version: 1 })
      expect((made?.createdAt.getTime() ?? 0.5) % 1).toBe(0)
      expect(made?.updatedAt).toEqual(made?.createdAt)
      const found = await find(ann, draft.id, true)
      expect(found?.record).toEqual(made)
      expect(found?.data?.kind === 'inline' && Buffer.from(found.data.bytes).toString()).toBe(
        '{"\\u0000":1e400}',
      )
      expect((await find(ann, draft.id, false))?.data).toBeNull()
      const data = await documentData(fixture, ann)
      const large = await add({ data })
      expect(large !== null && (await find(ann, large.id, true))?.data).toEqual({
        kind: 'document',
        id: data.id,
      })
    })

    it('stores a snippet with its past, but never over another or in the future', async () => {
      const [createdAt, updatedAt] = [new Date('2020-01-01T00:00:00.123Z'), new Date('2990-01-01T00:00:00Z')]
      const past = { version: 7, createdAt, updatedAt }
      const made = await add({ name: 'old', past })
      if (made === null) throw new Error('no snippet')
      expect(made).toMatchObject({ version: 7, createdAt: past.createdAt })
      expect(made.updatedAt.getUTCFullYear()).toBeLessThan(2990)
      expect((await find(ann, made.id, false))?.record).toEqual(made)
      await expect(add({ id: made.id, name: 'new', past })).rejects.toThrow(IdTaken)
      expect(await fixture.ports.snippets.count(ann)).toBe(1)
    })

    it('finds snippets by name, unique per owner', async () => {
      const { snippets } = fixture.ports
      const taken = { kind: 'conflict', code: 'name_taken' }
      const named = snippetDraft(fixture, { name: 'nightly' })
      expect(await snippets.add(named, null, null)).toMatchObject({ name: 'nightly' })
      const other = await add({ ownerId: bob, name: 'nightly' })
      const plain = await add()
      const keys = [
        { ownerId: bob, name: 'nightly' },
        { ownerId: ann, name: 'none' },
        { ownerId: ann, name: 'nightly' },
      ]
      expect(await snippets.findIds(keys)).toEqual([other?.id, null, named.id])
      expect((await find(ann, named.id, false))?.record.name).toBe('nightly')
      const names = new Set((await snippets.list(snippetFilter())).items.map(({ record }) => record.name))
      expect(names).toEqual(new Set([null, 'nightly']))
      await expect(add({ name: 'nightly' })).rejects.toMatchObject(taken)
      await expect(add({ name: 'nightly', data: await documentData(fixture, ann) })).rejects.toMatchObject(
        taken,
      )
      expect(await snippets.count(ann)).toBe(2)
      const rename = (name: string | null) =>
        snippets.change(ann, plain?.id ?? named.id, { name }, noCheck, true)
      await expect(rename('nightly')).rejects.toMatchObject(taken)
      expect(await rename('weekly')).toMatchObject({ name: 'weekly', title: 'A title', version: 2 })
      expect(await rename('weekly')).toMatchObject({ version: 3 })
      expect(await rename(null)).toMatchObject({ name: null })
      await snippets.remove(ann, named.id, noCheck, true)
      expect(await rename('nightly')).toMatchObject({ name: 'nightly' })
    })

    it("stores concurrent creates correctly, within each owner's limit", async () => {
      const { snippets } = fixture.ports
      for (const ownerId of [ann, bob]) await add({ ownerId })
      const drafts = Array.from({ length: 40 }, (_, n) =>
        snippetDraft(fixture, {
          ownerId: n % 4 === 0 ? bob : ann,
          title: `${n}: "ünï" \\ {😀}, NULL`,
          tags: [`t${n}`, 'b "c" \\', '{}'].slice(n % 4),
          data: inlineData(fixture, JSON.stringify('ü'.repeat(n * 40))),
        }),
      )
      const made = await Promise.all(drafts.map((draft) => snippets.add(draft, 15, null)))
      expect([await snippets.count(ann), await snippets.count(bob)]).toEqual([15, 11])
      expect(made.filter((one) => one === null)).toHaveLength(16)
      for (const [index, one] of made.entries()) {
        const draft = drafts[index]
        if (one === null || draft === undefined) continue
        const { id, ownerId, title, tags, data } = draft
        expect(one).toMatchObject({ id, ownerId, title, tags, digest: data.digest, version: 1 })
        const found = await find(ownerId, id, true)
        expect(found?.record).toEqual(one)
        expect(found?.data?.kind === 'inline' && Buffer.from(found.data.bytes)).toEqual(
          data.kind === 'inline' && data.bytes,
        )
      }
    })

    it('finds snippets of several owners in one call, in the requested order, with or without data', async () => {
      const { snippets, ids } = fixture.ports
      const mine = snippetDraft(fixture, { title: 'Mine', data: inlineData(fixture, '"mine"') })
      const theirs = snippetDraft(fixture, {
        ownerId: bob,
        title: 'Theirs',
        data: inlineData(fixture, '"theirs"'),
      })
      const large = snippetDraft(fixture, { title: 'Large', data: await documentData(fixture, ann) })
      for (const draft of [mine, theirs, large]) await snippets.add(draft, null, null)
      const requests = [
        { ownerId: bob, id: theirs.id, includeData: true },
        { ownerId: bob, id: mine.id, includeData: true },
        { ownerId: ann, id: large.id, includeData: true },
        { ownerId: ann, id: ids.snippet(), includeData: true },
        { ownerId: ann, id: mine.id, includeData: false },
        { ownerId: ann, id: mine.id, includeData: true },
      ]
      const found = await snippets.findAll(requests)
      expect(found).toEqual(
        await Promise.all(requests.map(({ ownerId, id, includeData }) => find(ownerId, id, includeData))),
      )
      expect(found.map((one) => one?.record.title)).toEqual([
        'Theirs',
        undefined,
        'Large',
        undefined,
        'Mine',
        'Mine',
      ])
      expect(found.map((one) => (one?.data === null ? 'none' : one?.data.kind))).toEqual([
        'inline',
        undefined,
        'document',
        undefined,
        'none',
        'inline',
      ])
      expect(await snippets.findAll([])).toEqual([])
    })

    it('returns the ETags of many snippets, and `null` for those an owner does not have', async () => {
      const { snippets, ids } = fixture.ports
      const made = await Promise.all(Array.from({ length: 5 }, () => add()))
      const before = made.flatMap((one) => (one === null ? [] : [one]))
      const keys = before.map(({ id }) => ({ ownerId: ann, id }))
      expect(await snippets.findEtags(keys)).toEqual(before.map(etagOf))
      const [same, renamed, rewritten, removed, others] = keys
      if (!same || !renamed || !rewritten || !removed || !others) throw new Error('five were made')
      await fixture.passTime(0)
      await snippets.change(ann, renamed.id, { title: 'New' }, noCheck, true)
      await snippets.change(ann, rewritten.id, { data: inlineData(fixture, '{"new":1}') }, noCheck, true)
      await snippets.remove(ann, removed.id, noCheck, true)
      const asked = [
        { ...others, ownerId: bob },
        { ...same, id: ids.snippet() },
        same,
        renamed,
        rewritten,
        removed,
        same,
      ]
      const etags = await snippets.findEtags(asked)
      const [etag] = before.map(etagOf)
      expect(etags).toEqual([null, null, etag, expect.any(String), expect.any(String), null, etag])
      const now = [await find(ann, renamed.id, false), await find(ann, rewritten.id, false)]
      expect(etags.slice(3, 5)).toEqual(now.map((one) => (one === null ? null : etagOf(one.record))))
      for (const changed of etags.slice(3, 5)) expect(before.map(etagOf)).not.toContain(changed)
      expect(await snippets.findEtags([])).toEqual([])
    })

    it('hides a snippet from everyone else, but reports that it exists', async () => {
      const { snippets } = fixture.ports
      const draft = snippetDraft(fixture)
      await snippets.add(draft, null, null)
      const unknown = fixture.ports.ids.snippet()
      expect(await find(bob, draft.id, true)).toBeNull()
      expect(await snippets.change(bob, draft.id, { title: 'Mine' }, noCheck, true)).toBeNull()
      expect(await snippets.remove(bob, draft.id, noCheck, true)).toBe(false)
      expect([await snippets.exists(draft.id), await snippets.exists(unknown)]).toEqual([true, false])
      expect((await find(ann, draft.id, false))?.record.title).toBe('A title')
    })

    it('stores exactly as many snippets as the limit allows, even in concurrent requests', async () => {
      const made = await Promise.all(Array.from({ length: 100 }, () => add({}, 15)))
      expect(made.filter((snippet) => snippet !== null)).toHaveLength(15)
      expect(await fixture.ports.snippets.count(ann)).toBe(15)
      expect((await fixture.ports.snippets.list(snippetFilter())).items).toHaveLength(15)
      expect(await add({}, 0)).toBeNull()
      expect(await add({ ownerId: bob }, 15)).not.toBeNull()
      expect(await add({}, null)).not.toBeNull()
    })

    it('refuses the first snippet if the limit is 0', async () => {
      expect(await add({}, 0)).toBeNull()
      expect(await fixture.ports.snippets.count(ann)).toBe(0)
    })

    it('does not claim the document of a snippet beyond the limit', async () => {
      const data = await documentData(fixture, ann)
      expect(await add({ data }, 0)).toBeNull()
      expect(await add({ data }, 1)).not.toBeNull()
    })

    it('keeps the count exact after concurrent creates and deletes', async () => {
      const { snippets } = fixture.ports
      const ids = await Promise.all(Array.from({ length: 40 }, async () => (await add())?.id))
      await Promise.all(
        ids.flatMap((id, index) => [
          id !== undefined && index % 2 === 0 ? snippets.remove(ann, id, noCheck, true) : add({}, 60),
          id === undefined ? null : snippets.remove(ann, id, noCheck, true),
        ]),
      )
      const { items } = await snippets.list(snippetFilter())
      expect(await snippets.count(ann)).toBe(items.length)
      expect(items).toHaveLength(20)
    })

    it('changes the given fields, increments the version and keeps the rest', async () => {
      const { snippets } = fixture.ports
      const draft = snippetDraft(fixture, { tags: ['old'] })
      const made = await snippets.add(draft, null, null)
      await fixture.passTime(0)
      const changed = await snippets.change(ann, draft.id, { title: 'New' }, noCheck, true)
      expect(changed).toEqual({ ...made, title: 'New', version: 2, updatedAt: changed?.updatedAt })
      const data = inlineData(fixture, '{"v":2}')
      const again = await snippets.change(ann, draft.id, { tool: 'xml', tags: ['new'], data }, noCheck, true)
      expect(again).toMatchObject({
        tool: 'xml',
        tags: ['new'],
        title: 'New',
        version: 3,
        digest: data.digest,
      })
      const found = await find(ann, draft.id, true)
      expect(found?.record).toEqual(again)
      expect(found?.data?.kind === 'inline' && Buffer.from(found.data.bytes).toString()).toBe('{"v":2}')
      expect((await snippets.list(snippetFilter({ words: ['new'], tags: ['new'] }))).items).toHaveLength(1)
      expect((await snippets.list(snippetFilter({ words: ['old'] }))).items).toHaveLength(0)
    })

    it('counts each of many concurrent changes', async () => {
      const { snippets } = fixture.ports
      const { id } = (await add()) ?? snippetDraft(fixture)
      await Promise.all(
        Array.from({ length: 20 }, (_, n) => snippets.change(ann, id, { title: `T${n}` }, noCheck, true)),
      )
      expect((await find(ann, id, false))?.record.version).toBe(21)
    })

    it('changes and deletes nothing that the check refuses', async () => {
      const { snippets } = fixture.ports
      const draft = snippetDraft(fixture)
      await snippets.add(draft, null, null)
      const refuse = (): never => {
        throw preconditionFailed()
      }
      const refused = { code: 'precondition_failed' }
      const change = snippets.change(ann, draft.id, { title: 'New' }, refuse, true)
      await expect(change).rejects.toMatchObject(refused)
      await expect(snippets.remove(ann, draft.id, refuse, true)).rejects.toMatchObject(refused)
      expect((await find(ann, draft.id, false))?.record).toMatchObject({ title: 'A title', version: 1 })
      expect(await snippets.count(ann)).toBe(1)
    })

    it('forgets a removed snippet completely', async () => {
      const { snippets } = fixture.ports
      const draft = snippetDraft(fixture)
      await snippets.add(draft, null, null)
      expect(await snippets.remove(ann, draft.id, noCheck, true)).toBe(true)
      expect(await snippets.remove(ann, draft.id, noCheck, true)).toBe(false)
      expect([await find(ann, draft.id, true), await snippets.exists(draft.id)]).toEqual([null, false])
      expect([await snippets.count(ann), (await snippets.list(snippetFilter())).items]).toEqual([0, []])
    })
  })
}
