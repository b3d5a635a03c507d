import { beforeEach, describe, expect, it } from 'vitest'
import { unavailable } from '#libs/core/domain-error.js'
import { testPlanLimits } from '#shared/testing/plan-limits.js'
import type { DocumentStore } from '../document-ports.js'
import {
  ann,
  bob,
  type ContentFixture,
  chunksOf,
  collect,
  documentData,
  getSnippet,
  inlineData,
  shareDraft,
  snippetDraft,
} from '../testing/content-fixture.js'
import { type MemoryFixture, memoryFixture } from '../testing/memory-fixture.js'
import { discardDocument } from './discard-document.js'
import { readDocument } from './read-document.js'
import { getShare } from './read-share.js'
import { purgeExpired, sweep } from './sweep.js'
import { writeDocument } from './write-document.js'

const limits = testPlanLimits
const never = new AbortController().signal
const hour = 3_600_000

let fixture: ContentFixture
beforeEach(() => {
  fixture = memoryFixture()
})

const write = (chunks: AsyncIterable<Uint8Array>) =>
  writeDocument(fixture.ports, { ownerId: ann, plan: 'free', limits, key: null, chunks })

describe('an upload', () => {
  it('may be exactly as large as the plan allows, and is cut off one byte later', async () => {
    const { digest } = await write(chunksOf(Buffer.alloc(1_000, 'x'), 999))
    expect(digest).toEqual({ sizeBytes: 1_000, sha256: fixture.ports.hashing.sha256('x'.repeat(1_000)) })
    let taken = 0
    async function* endless(): AsyncGenerator<Uint8Array, void, undefined> {
      for (;;) {
        taken += 1
        yield Buffer.alloc(600)
      }
    }
    await expect(write(endless())).rejects.toMatchObject({
      code: 'data_too_large',
      details: { limit: 1_000, plan: 'free' },
    })
    expect([taken, await fixture.documentsWithBytes()]).toEqual([2, 1])
  })

  it('that breaks off leaves nothing behind', async () => {
    async function* failing(): AsyncGenerator<Uint8Array, void, undefined> {
      yield Buffer.alloc(10)
      throw new Error('gone')
    }
    await expect(write(failing())).rejects.toThrow('gone')
    await fixture.passTime(1)
    expect([await fixture.documentsWithBytes(), await fixture.ports.registry.condemn(0, 10)]).toEqual([0, []])
  })
})

describe('an upload that is discarded', () => {
  it('does not count any more, and its key is free for a retry', async () => {
    const key = { ownerId: ann, operation: 'create-snippet', key: 'again' } as const
    const upload = { ownerId: ann, plan: 'free', limits, key } as const
    const first = await writeDocument(fixture.ports, { ...upload, chunks: chunksOf(Buffer.alloc(900), 900) })
    await discardDocument(fixture.ports, { id: first.id, ownerId: bob, key: { ...key, ownerId: bob } })
    expect(await fixture.ports.usage.storedBytes(ann)).toBe(900)
    await discardDocument(fixture.ports, { id: first.id, ownerId: ann, key })
    expect([await fixture.ports.usage.storedBytes(ann), await fixture.documentsWithBytes()]).toEqual([0, 0])
    const second = await writeDocument(fixture.ports, { ...upload, chunks: chunksOf(Buffer.alloc(900), 900) })
    expect(second.compared).toBe(false)
  })
})

describe('an upload with a key that fails because the store does not respond', () => {
  it('frees the key for a retry, even while its bytes cannot be removed', async () => {
    const { documents } = fixture.ports
    const hanging: DocumentStore = {
      ...documents,
      write: () => Promise.reject(unavailable('Down.')),
      remove: () => new Promise(() => {}),
    }
    const request = { ownerId: ann, plan: 'free', limits } as const
    const key = { ownerId: ann, operation: 'create-share', key: 'k' } as const
    const upload = (ports: typeof fixture.ports) =>
      writeDocument(ports, { ...request, key, chunks: chunksOf(Buffer.alloc(10, 'x'), 5) })
    await expect(upload({ ...fixture.ports, documents: hanging })).rejects.toMatchObject({
      kind: 'unavailable',
    })
    expect((await upload(fixture.ports)).digest.sizeBytes).toBe(10)
  })
})

describe('an upload to a store that does not respond', () => {
  it('stays registered, so that the sweep removes bytes that arrive late', async () => {
    const memory = memoryFixture()
    const { elsewhere } = memory
    let arrive = async (): Promise<void> => {}
    const documents: DocumentStore = {
      ...elsewhere,
      write: async (id) => {
        arrive = () => elsewhere.write(id, chunksOf(Buffer.alloc(10)))
        throw unavailable('Down.')
      },
    }
    const ports = { ...memory.ports, documents }
    const request = { ownerId: ann, plan: 'free', limits, key: null } as const
    const upload = writeDocument(ports, { ...request, chunks: chunksOf(Buffer.alloc(10)) })
    await expect(upload).rejects.toMatchObject({ kind: 'unavailable' })
    // The cleanup runs after the response.
    await new Promise((resolve) => setImmediate(resolve))
    await arrive()
    await memory.passTime(hour)
    expect((await sweep(ports, hour - 1, never)).documents).toBe(1)
    expect(memory.bytesElsewhere.size).toBe(0)
  })
})

describe('an upload whose document was swept meanwhile', () => {
  /** Halfway through these chunks, the document is swept because it has been orphaned for too long. */
  async function* overtaken(): AsyncGenerator<Uint8Array, void, undefined> {
    yield Buffer.from('[1,')
    await fixture.passTime(hour)
    expect((await sweep({ ...fixture.ports, documents: elsewhere() }, hour - 1, never)).documents).toBe(1)
    yield Buffer.from('2]')
  }
  const elsewhere = () => memory.elsewhere
  let memory: MemoryFixture
  beforeEach(() => {
    memory = memoryFixture()
    fixture = memory
  })
  const request = { ownerId: ann, plan: 'free', limits, key: null } as const

  it('removes what it wrote to a store that did not notice', async () => {
    const ports = { ...fixture.ports, documents: elsewhere() }
    const upload = writeDocument(ports, { ...request, chunks: overtaken() })
    await expect(upload).rejects.toMatchObject({ kind: 'unavailable' })
    expect(memory.bytesElsewhere.size).toBe(0)
  })

  it('is registered again when its bytes cannot be removed, so that the next sweep finds it', async () => {
    let removals = 0
    const documents: DocumentStore = {
      ...elsewhere(),
      async remove(ids) {
        removals += 1
        if (removals > 1) throw new Error('the store is gone')
        await elsewhere().remove(ids)
      },
    }
    const sweptFirst = { ...fixture.ports, documents }
    async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
      yield Buffer.from('[1,')
      await fixture.passTime(hour)
      await sweep(sweptFirst, hour - 1, never)
      yield Buffer.from('2]')
    }
    await expect(writeDocument(sweptFirst, { ...request, chunks: chunks() })).rejects.toMatchObject({
      kind: 'unavailable',
    })
    expect(memory.bytesElsewhere.size).toBe(1)
    await fixture.passTime(hour)
    await sweep({ ...fixture.ports, documents: elsewhere() }, hour - 1, never)
    expect(memory.bytesElsewhere.size).toBe(0)
  })
})

describe('reading', () => {
  const read = (id: Parameters<typeof readDocument>[1], offset = 0, length: number | null = null) =>
    collect(readDocument(fixture.ports, id, { offset, length }))

  it('returns a whole document or any part of it', async () => {
    const { id } = await documentData(fixture, ann, '0123456789')
    const parts = [
      await read(id),
      await read(id, 3),
      await read(id, 3, 4),
      await read(id, 8, 10),
      await read(id, 11),
      await read(id, -5, 2),
    ]
    expect(parts.map(String)).toEqual(['0123456789', '3456789', '3456', '89', '', '01'])
  })

  it('fails when bytes differ from those that were stored, or are missing', async () => {
    const { id } = await documentData(fixture, ann, 'good')
    await fixture.damageDocument(id)
    await expect(read(id)).rejects.toThrow(id)
    await fixture.ports.documents.remove([id])
    await expect(read(id)).rejects.toThrow(id)
    await expect(read(id, 1, 2)).rejects.toThrow(id)
    const snippet = await fixture.ports.snippets.add(
      snippetDraft(fixture, { data: inlineData(fixture, 'good') }),
      null,
      null,
    )
    if (snippet === null) throw new Error('no snippet')
    await fixture.damageSnippet(snippet.id)
    await expect(getSnippet(fixture, ann, snippet.id, true)).rejects.toThrow(snippet.id)
    expect((await getSnippet(fixture, ann, snippet.id, false)).record.id).toBe(snippet.id)
  })

  it('finds no document that was never complete', async () => {
    await expect(read(fixture.ports.ids.document())).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('an expired share', () => {
  it('is gone at the exact millisecond: its title and time remain, its data does not', async () => {
    const share = await fixture.ports.shares.add(
      shareDraft(fixture, { title: 'Q1' }),
      (now) => new Date(now.getTime() + hour),
      null,
    )
    await fixture.passTime(hour - 1)
    expect(await getShare(fixture.ports, share.id, true)).toMatchObject({
      timeLeftMs: 1,
      data: { kind: 'inline' },
    })
    await fixture.passTime(1)
    const gone = {
      kind: 'gone',
      code: 'share_expired',
      details: { title: 'Q1', expired_at: share.expiresAt?.toISOString() },
    }
    await expect(getShare(fixture.ports, share.id, true)).rejects.toMatchObject(gone)
    expect(await purgeExpired(fixture.ports, never)).toBe(1)
    await expect(getShare(fixture.ports, share.id, true)).rejects.toMatchObject(gone)
  })

  it('loses its document to the purge and the sweep after it', async () => {
    const data = await documentData(fixture, ann)
    await fixture.ports.shares.add(
      shareDraft(fixture, { data }),
      (now) => new Date(now.getTime() + hour),
      null,
    )
    await fixture.passTime(hour)
    expect((await sweep(fixture.ports, 0, never)).documents).toBe(0)
    await purgeExpired(fixture.ports, never)
    await fixture.passTime(1)
    expect((await sweep(fixture.ports, 0, never)).documents).toBe(1)
    expect(await fixture.documentsWithBytes()).toBe(0)
  })
})
