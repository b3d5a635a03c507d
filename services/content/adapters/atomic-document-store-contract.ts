import { beforeEach, describe, expect, it } from 'vitest'
import type { DocumentId } from '../domain/ids.js'
import { ann, type ContentFixture, chunksOf, collect } from '../testing/content-fixture.js'

/** The additional behaviour of every `AtomicDocumentStore`. */
export function atomicDocumentStoreContract(name: string, open: () => Promise<ContentFixture>): void {
  describe(`${name}, all or nothing`, () => {
    let fixture: ContentFixture
    const reserve = async (): Promise<DocumentId> => {
      const id = fixture.ports.ids.document()
      await fixture.ports.registry.reserve(id, ann)
      return id
    }
    const read = (id: DocumentId) => collect(fixture.ports.documents.read(id, { offset: 0, length: null }))

    beforeEach(async () => {
      fixture = await open()
    })

    it.each([1_000, 7_000_000])('shows nothing of %i bytes before the last one is written', async (size) => {
      const id = await reserve()
      const seen: number[] = []
      async function* watched(): AsyncGenerator<Uint8Array, void, undefined> {
        yield* chunksOf(Buffer.alloc(size))
        seen.push((await read(id)).length)
      }
      await fixture.ports.documents.write(id, watched())
      expect([...seen, (await read(id)).length]).toEqual([0, size])
    })

    it.each([1_000, 7_000_000])('shows nothing of %i bytes whose source fails', async (size) => {
      const id = await reserve()
      async function* failing(): AsyncGenerator<Uint8Array, void, undefined> {
        yield* chunksOf(Buffer.alloc(size))
        throw new Error('the sender is gone')
      }
      await expect(fixture.ports.documents.write(id, failing())).rejects.toThrow('the sender is gone')
      expect([(await read(id)).length, await fixture.documentsWithBytes()]).toEqual([0, 0])
    })

    it('keeps the existing document and its readers through a rewrite, failed or not', async () => {
      const id = await reserve()
      const bytes = Buffer.alloc(7_000_000, 'x')
      await fixture.ports.documents.write(id, chunksOf(bytes))
      async function* failing(): AsyncGenerator<Uint8Array, void, undefined> {
        yield* chunksOf(Buffer.alloc(6_000_000))
        throw new Error('the sender is gone')
      }
      await expect(fixture.ports.documents.write(id, failing())).rejects.toThrow('the sender is gone')
      expect((await read(id)).equals(bytes)).toBe(true)
      let got = 0
      for await (const chunk of fixture.ports.documents.read(id, { offset: 0, length: null })) {
        if (got === 0) await fixture.ports.documents.write(id, chunksOf(bytes))
        got += chunk.length
      }
      expect(got).toBe(bytes.length)
    })
  })
}
