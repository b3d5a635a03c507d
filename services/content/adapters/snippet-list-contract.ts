import { beforeEach, describe, expect, it } from 'vitest'
import { textErrors } from '#libs/core/field-rules.js'
import { hostileStrings } from '#libs/testing/hostile-strings.js'
import { inlineBytesMax } from '#shared/core/data-size.js'
import type { SnippetId } from '../domain/ids.js'
import { searchWords } from '../domain/snippet.js'
import { type SnippetFilter, wantedWords } from '../domain/snippet-reads.js'
import { pageInlineBytesMax } from '../domain/stored-data.js'

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

/** How every `SnippetStore` lists. */
export function snippetListContract(name: string, open: () => Promise<ContentFixture>): void {
  describe(name, () => {
    let fixture: ContentFixture
    const add = (fields = {}) => fixture.ports.snippets.add(snippetDraft(fixture, fields), null, null)
    const titles = async (fields: Partial<SnippetFilter>): Promise<string[]> => {
      const { items } = await fixture.ports.snippets.list(snippetFilter(fields))
      return items.map(({ record }) => record.title).sort()
    }

    /** All pages, in order. */
    const pages = async (fields: Partial<SnippetFilter>): Promise<string[][]> => {
      const found: string[][] = []
      let after: SnippetFilter['after'] = null
      do {
        const page = await fixture.ports.snippets.list(snippetFilter({ ...fields, after }))
        found.push(page.items.map(({ record }) => record.id))
        after = page.next
      } while (after !== null && found.length < 1_000)
      return found
    }

    beforeEach(async () => {
      fixture = await open()
    })

    it('lists every snippet once, page by page, even if all were created in the same millisecond', async () => {
      const made: string[] = []
      for (let n = 0; n < 23; n += 1) made.push((await add())?.id ?? '')
      await add({ ownerId: bob })
      for (const align of [false, true]) {
        if (align) await fixture.alignCreations()
        const found = await pages({ itemsMax: 5 })
        expect(found.map((page) => page.length)).toEqual([5, 5, 5, 5, 3])
        expect(new Set(found.flat())).toEqual(new Set(made))
      }
      const ordered = (await pages({ itemsMax: 5 })).flat()
      expect(ordered).toEqual([...ordered].sort().reverse())
      expect((await pages({ itemsMax: 23 })).map((page) => page.length)).toEqual([23])
    })

    it('lists the newest first', async () => {
      for (const title of ['first', 'second', 'third']) {
        await add({ title })
        await fixture.passTime(1_000)
      }
      const { items } = await fixture.ports.snippets.list(snippetFilter())
      expect(items.map(({ record }) => record.title)).toEqual(['third', 'second', 'first'])
    })

    it('filters by tool, by several tags at once, and by whole words of title and tags', async () => {
      await add({ title: 'Sales March', tool: 'csv', tags: ['north', 'Monthly report'] })
      await add({ title: 'Sales April', tool: 'csv', tags: ['north'] })
      await add({ title: 'ＵＭＳÄTZE ﬁnal', tool: 'csv.2', tags: [] })
      await add({ title: "North's", ownerId: bob, tags: ['north'] })
      expect(await titles({ tool: 'csv' })).toEqual(['Sales April', 'Sales March'])
      expect(await titles({ tool: 'CSV' })).toEqual([])
      expect(await titles({ tags: ['north'] })).toEqual(['Sales April', 'Sales March'])
      expect(await titles({ tags: ['north', 'Monthly report'] })).toEqual(['Sales March'])
      expect(await titles({ tags: ['monthly report'] })).toEqual([])
      expect(await titles({ words: searchWords('SALES report') })).toEqual(['Sales March'])
      expect(await titles({ words: searchWords('sale') })).toEqual([])
      expect(await titles({ words: wantedWords('--') })).toEqual([])
      expect(await titles({ words: searchWords('umsätze FINAL') })).toEqual(['ＵＭＳÄTZE ﬁnal'])
      expect(await titles({ tool: 'csv', tags: ['north'], words: ['april'] })).toEqual(['Sales April'])
      expect(await pages({ tool: 'csv', tags: ['north'], words: ['sales'], itemsMax: 1 })).toHaveLength(2)
    })

    it('takes quotes, braces and backslashes in tags and words literally', async () => {
      const strange = ['"', '{a,b}', 'a\\b', "'; --", '%', 'NULL', ',']
      for (const tag of strange) await add({ title: `<${tag}>`, tags: [tag] })
      for (const tag of strange) expect(await titles({ tags: [tag] })).toEqual([`<${tag}>`])
    })

    it('stores hostile texts as titles and tags, finds them by tag, and searches for any text', async () => {
      for (const text of hostileStrings) {
        await titles({ words: wantedWords(text) })
        // Invalid tags never get here: the handler refuses them.
        if (textErrors('/tags/0', text, 50).length > 0) continue
        await add({ title: text, tags: [text] })
        expect(await titles({ tags: [text] }), JSON.stringify(text)).toContain(text)
      }
    })

    it('returns the ETags of a page without its data, and different ones after any change on it', async () => {
      const { snippets } = fixture.ports
      const made = await Promise.all(
        Array.from({ length: 25 }, (_, n) => add({ tags: [`t${n % 2}`], title: `word${n % 3}` })),
      )
      const ids = made.map((one) => one?.id ?? snippetDraft(fixture).id)
      const { next } = await snippets.list(snippetFilter({ itemsMax: 3 }))
      const filters: readonly Partial<SnippetFilter>[] = [
        { itemsMax: 20 },
        { itemsMax: 100 },
        { itemsMax: 20, includeData: false },
        { itemsMax: 20, tool: 'csv' },
        { itemsMax: 20, after: next },
        { itemsMax: 20, tags: ['t1'] },
        { itemsMax: 20, tags: ['t0'], words: ['word1'] },
      ]
      const etags = () => Promise.all(filters.map((fields) => snippets.listEtags(snippetFilter(fields))))
      const read = await Promise.all(filters.map((fields) => snippets.list(snippetFilter(fields))))
      const known = await etags()
      expect(known).toEqual(read.map((page) => page.etags))
      expect(new Set(known).size).toBeGreaterThan(4)
      await add({ ownerId: bob, tags: ['t1'] })
      expect(await etags()).toEqual(known)

      const newest = (await snippets.list(snippetFilter({ itemsMax: 1 }))).items[0]?.record.id ?? ids[0]
      const changes: readonly (() => Promise<unknown>)[] = [
        () => add(),
        () => snippets.change(ann, newest as SnippetId, { title: 'Another' }, noCheck, true),
        () => snippets.change(ann, newest as SnippetId, { tags: ['t1'] }, noCheck, true),
        () => snippets.change(ann, newest as SnippetId, { data: inlineData(fixture, '[1]') }, noCheck, true),
        () => snippets.remove(ann, newest as SnippetId, noCheck, true),
      ]
      for (const change of changes) {
        await fixture.passTime(1_000)
        const [before] = await etags()
        await change()
        const [now] = await etags()
        expect(now).not.toBe(before)
        expect((await snippets.list(snippetFilter({ itemsMax: 20 }))).etags).toBe(now)
      }
      expect(await snippets.listEtags(snippetFilter({ tool: 'none' }))).toBe('')
    })

    it('returns different ETags when the last page gains or loses a next one', async () => {
      const { snippets } = fixture.ports
      const [first] = [await add(), await add()]
      await fixture.passTime(1_000)
      for (let n = 0; n < 3; n += 1) await add()
      const filter = snippetFilter({ itemsMax: 4 })
      const full = await snippets.listEtags(filter)
      await snippets.remove(ann, first?.id as SnippetId, noCheck, true)
      const { next, etags } = await snippets.list(filter)
      expect([next, etags === full]).toEqual([null, false])
    })

    describe.each([20, 100])('on pages of %i', (itemsMax) => {
      it('ends a page with the item by which its data exceeds the limit, and says that there are more', async () => {
        for (let n = 0; n < 6; n += 1) await add({ data: inlineData(fixture, 'x'.repeat(100)) })
        const sizes = async (dataBytesMax: number) =>
          (await pages({ itemsMax, dataBytesMax })).map((page) => page.length)
        expect(await sizes(99)).toEqual([1, 1, 1, 1, 1, 1])
        expect(await sizes(100)).toEqual([2, 2, 2])
        expect(await sizes(250)).toEqual([3, 3])
        expect(await sizes(0)).toEqual([1, 1, 1, 1, 1, 1])
        expect(await sizes(1_000)).toEqual([6])
      })

      it('keeps the inline data of a page within its bound', async () => {
        const text = 'x'.repeat(inlineBytesMax)
        for (let n = 0; n < 14; n += 1) await add({ data: inlineData(fixture, text) })
        const limit = pageInlineBytesMax / inlineBytesMax
        expect((await pages({ itemsMax })).map((page) => page.length)).toEqual([limit, 14 - limit])
      })

      it('counts documents towards the data limit of a page, but not towards its inline data', async () => {
        const text = 'x'.repeat(pageInlineBytesMax / 3)
        for (let n = 0; n < 4; n += 1) await add({ data: await documentData(fixture, ann, text) })
        expect((await pages({ itemsMax })).map((page) => page.length)).toEqual([4])
        expect((await pages({ itemsMax, dataBytesMax: text.length })).map((page) => page.length)).toEqual([
          2, 2,
        ])
      })
    })

    it('returns data only if requested, and then of every item', async () => {
      for (const text of ['{"n":1}', '{"n":2}']) await add({ data: inlineData(fixture, text) })
      const { items } = await fixture.ports.snippets.list(snippetFilter())
      const texts = items.map(({ data }) =>
        data?.kind === 'inline' ? Buffer.from(data.bytes).toString() : data?.kind,
      )
      expect(texts.sort()).toEqual(['{"n":1}', '{"n":2}'])
      const light = await fixture.ports.snippets.list(snippetFilter({ includeData: false, dataBytesMax: 0 }))
      expect(light.items.map(({ data }) => data?.kind ?? 'none')).toEqual(['none', 'none'])
    })
  })
}
