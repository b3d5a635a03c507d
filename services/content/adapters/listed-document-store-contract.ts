import { beforeEach, describe, expect, it } from 'vitest'
import type { ListedDocumentStore } from '../document-ports.js'
import type { DocumentId } from '../domain/ids.js'
import { ann, type ContentFixture, documentData } from '../testing/content-fixture.js'

/** The additional behaviour of every `ListedDocumentStore`. */
export function listedDocumentStoreContract(
  name: string,
  open: () => Promise<ContentFixture & { readonly listed: ListedDocumentStore }>,
): void {
  describe(`${name}, in a list`, () => {
    let fixture: ContentFixture & { readonly listed: ListedDocumentStore }

    beforeEach(async () => {
      fixture = await open()
    })

    it('lists every document with bytes once, page by page, and no other', async () => {
      const made: DocumentId[] = []
      for (let n = 0; n < 7; n += 1) made.push((await documentData(fixture, ann, `{"n":${n}}`)).id)
      const [removed = fixture.ports.ids.document()] = made.splice(3, 1)
      await fixture.listed.remove([removed])
      await fixture.ports.registry.reserve(fixture.ports.ids.document(), ann)
      const listed: DocumentId[] = []
      for (let page = await fixture.listed.list(null, 4); page.length > 0; ) {
        expect(page.length).toBeLessThanOrEqual(4)
        listed.push(...page)
        page = await fixture.listed.list(page.at(-1) ?? null, 4)
      }
      expect(listed).toEqual([...listed].sort())
      expect(new Set(listed)).toEqual(new Set(made))
      expect(listed).toHaveLength(6)
    })
  })
}
