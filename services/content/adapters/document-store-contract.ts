import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { DocumentId } from '../domain/ids.js'
import { ann, type ContentFixture, chunksOf, collect } from '../testing/content-fixture.js'

const kib = 1_024

/** Incompressible bytes, the same in every run. */
function bytesOf(size: number): Buffer {
  const block = createHash('shake256', { outputLength: 65_537 }).update(String(size)).digest()
  const bytes = Buffer.alloc(size)
  for (let at = 0; at < size; at += block.length) block.copy(bytes, at)
  return bytes
}

/** The behaviour of every `DocumentStore`. */
export function documentStoreContract(name: string, open: () => Promise<ContentFixture>): void {
  describe(name, () => {
    let fixture: ContentFixture
    const reserve = async (): Promise<DocumentId> => {
      const id = fixture.ports.ids.document()
      await fixture.ports.registry.reserve(id, ann)
      return id
    }
    const write = async (bytes: Uint8Array, chunkSize?: number): Promise<DocumentId> => {
      const id = await reserve()
      await fixture.ports.documents.write(id, chunksOf(bytes, chunkSize))
      return id
    }
    const read = (id: DocumentId, offset = 0, length: number | null = null) =>
      collect(fixture.ports.documents.read(id, { offset, length }))

    beforeEach(async () => {
      fixture = await open()
    })

    it('returns documents of any size byte for byte, whatever the chunks', async () => {
      const sizes = [
        0,
        1,
        256 * kib - 1,
        256 * kib,
        256 * kib + 1,
        1_024 * kib,
        1_024 * kib + 1,
        2_500_000,
        5_242_880,
      ]
      for (const size of sizes) {
        const bytes = bytesOf(size)
        for (const chunkSize of [99_991, 1_300_000]) {
          const id = await write(bytes, chunkSize)
          expect((await read(id)).equals(bytes), `${size} in chunks of ${chunkSize}`).toBe(true)
        }
      }
    })

    it('returns any range of the bytes', async () => {
      const bytes = bytesOf(2_000_000)
      const id = await write(bytes)
      const ranges: [number, number | null][] = [
        [0, 1],
        [0, 0],
        [1, null],
        [262_143, 2],
        [262_144, 262_144],
        [262_145, 1_048_576],
        [1_999_999, null],
        [1_999_999, 10],
        [2_000_000, null],
        [0, 3_000_000],
        [786_432, 300_000],
      ]
      for (const [offset, length] of ranges) {
        const expected = bytes.subarray(offset, length === null ? undefined : offset + length)
        expect((await read(id, offset, length)).equals(expected), `${offset}+${length}`).toBe(true)
      }
    })

    it('returns chunks of at most 256 KiB', async () => {
      const id = await write(bytesOf(1_100_000), 1_100_000)
      for await (const chunk of fixture.ports.documents.read(id, { offset: 0, length: null })) {
        expect(chunk.length).toBeLessThanOrEqual(256 * kib)
      }
    })

    it('stores the original bytes even if the source reuses its buffer', async () => {
      const id = await reserve()
      async function* reusing(): AsyncGenerator<Uint8Array, void, undefined> {
        const buffer = Buffer.alloc(70_000)
        for (let n = 1; n <= 10; n += 1) yield buffer.fill(n)
      }
      await fixture.ports.documents.write(id, reusing())
      const stored = await read(id)
      for (let n = 1; n <= 10; n += 1)
        expect([stored[(n - 1) * 70_000], stored[n * 70_000 - 1]]).toEqual([n, n])
    })

    it('returns nothing for an unknown document', async () => {
      expect((await read(fixture.ports.ids.document())).length).toBe(0)
    })

    it('lets a reader stop early', async () => {
      const id = await write(bytesOf(3_000_000))
      for await (const chunk of fixture.ports.documents.read(id, { offset: 0, length: null })) {
        expect(chunk.length).toBeGreaterThan(0)
        break
      }
      expect((await read(id, 0, 10)).length).toBe(10)
    })

    it('fails with the error of its source', async () => {
      const id = await reserve()
      async function* failing(): AsyncGenerator<Uint8Array, void, undefined> {
        yield bytesOf(1_500_000)
        throw new Error('the sender is gone')
      }
      await expect(fixture.ports.documents.write(id, failing())).rejects.toThrow('the sender is gone')
    })

    it('removes everything under the given ids, and nothing else', async () => {
      const [one, other, kept] = [
        await write(bytesOf(10)),
        await write(bytesOf(700_000)),
        await write(bytesOf(20)),
      ]
      await fixture.ports.documents.remove([one, other, fixture.ports.ids.document()])
      await fixture.ports.documents.remove([])
      expect([(await read(one)).length, (await read(other)).length, (await read(kept)).length]).toEqual([
        0, 0, 20,
      ])
      expect(await fixture.documentsWithBytes()).toBe(1)
    })
  })
}
