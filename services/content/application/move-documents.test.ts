import { beforeEach, describe, expect, it } from 'vitest'
import { fallbackDocumentStore } from '../adapters/document-stores.js'
import type { DocumentStore } from '../document-ports.js'
import type { DocumentId } from '../domain/ids.js'
import { ann, chunksOf, collect, documentData, noCheck, snippetDraft } from '../testing/content-fixture.js'
import { type MemoryFixture, memoryFixture } from '../testing/memory-fixture.js'
import { type MovePorts, type MoveProgress, moveDocuments } from './move-documents.js'
import { sweep } from './sweep.js'

const grace = 60_000
const never = new AbortController().signal

let fixture: MemoryFixture
let failures: string[]
beforeEach(() => {
  fixture = memoryFixture()
  failures = []
})

/** A document that a snippet names: its id, and how to delete the snippet. */
async function named(text: string) {
  const data = await documentData(fixture, ann, text)
  const snippet = await fixture.ports.snippets.add(snippetDraft(fixture, { data }), null, null)
  const id = snippet?.id ?? fixture.ports.ids.snippet()
  return { id: data.id, remove: () => fixture.ports.snippets.remove(ann, id, noCheck, true) }
}

const ports = (fields: Partial<MovePorts> = {}): MovePorts => ({
  ...fixture.ports,
  from: fixture.listed,
  to: fixture.elsewhere,
  wait: (ms) => fixture.passTime(ms),
  ...fields,
})

function move(fields: Partial<MovePorts> = {}, stop: AbortSignal = never): Promise<MoveProgress> {
  const failed = (_id: DocumentId, error: unknown): void => void failures.push(String(error))
  return moveDocuments(ports(fields), { graceMs: grace, stop, report: () => {}, failed })
}

const readAnywhere = (id: DocumentId): Promise<string> =>
  collect(
    fallbackDocumentStore(fixture.elsewhere, fixture.listed).read(id, { offset: 0, length: null }),
  ).then(String)
const readElsewhere = (id: DocumentId): Promise<string> =>
  collect(fixture.elsewhere.read(id, { offset: 0, length: null })).then(String)

describe('moving documents', () => {
  it('moves every document byte for byte, and reports how many', async () => {
    const texts = Array.from({ length: 250 }, (_, n) => `{"n":${n}}`)
    const ids: DocumentId[] = []
    for (const text of texts) ids.push((await named(text)).id)
    const bytes = texts.join('').length
    expect(await move()).toEqual({ moved: 250, bytes, waiting: 0, unnamed: 0, failed: 0 })
    expect(fixture.bytes.size).toBe(0)
    expect(await Promise.all(ids.map(readElsewhere))).toEqual(texts)
    expect((await move()).moved).toBe(0)
  })

  it('keeps an original until reads that began before its copy existed have had the grace period', async () => {
    await named('one')
    const kept: [number, number][] = []
    const began = fixture.ports.monotonicMs()
    const wait = async (ms: number): Promise<void> => {
      for (let passed = 0; passed < ms; passed += 1_000) {
        kept.push([fixture.ports.monotonicMs() - began, fixture.bytes.size])
        await fixture.passTime(Math.min(1_000, ms - passed))
      }
    }
    await move({ wait })
    expect(kept.length).toBeGreaterThanOrEqual(60)
    for (const [, originals] of kept) expect(originals).toBe(1)
    expect(fixture.bytes.size).toBe(0)
  })

  it('leaves orphaned documents to the sweep, or until something names them', async () => {
    const later = await documentData(fixture, ann, 'named later')
    await documentData(fixture, ann, 'never named')
    expect(await move()).toMatchObject({ moved: 0, unnamed: 2 })
    await fixture.ports.snippets.add(snippetDraft(fixture, { data: later }), null, null)
    expect(await move()).toMatchObject({ moved: 1, unnamed: 1 })
    await fixture.passTime(grace + 1)
    await sweep(
      { ...fixture.ports, documents: fallbackDocumentStore(fixture.elsewhere, fixture.listed) },
      grace,
      never,
    )
    expect([fixture.bytes.size, fixture.bytesElsewhere.size]).toEqual([0, 1])
  })

  it('does not bring back a document that is deleted and swept during the copy, at whatever moment', async () => {
    for (let moment = 0; moment < 12; moment += 1) {
      fixture = memoryFixture()
      const document = await named('deleted')
      const documents = fallbackDocumentStore(fixture.elsewhere, fixture.listed)
      let calls = 0
      const strike = async (): Promise<void> => {
        calls += 1
        if (calls !== moment + 1) return
        await document.remove()
        await fixture.passTime(grace + 1)
        await sweep({ ...fixture.ports, documents }, grace, never)
      }
      const { from, to, registry } = everyCall(ports(), strike)
      await move({ from, to, registry })
      expect([fixture.bytes.size, fixture.bytesElsewhere.size, failures], `at call ${moment}`).toEqual([
        0,
        0,
        [],
      ])
    }
  })

  it('refuses to move corrupt documents, and moves the rest', async () => {
    const bad = await named('damaged')
    const good = await named('good')
    await fixture.damageDocument(bad.id)
    expect(await move()).toMatchObject({ moved: 1, failed: 1 })
    expect([...fixture.bytesElsewhere.keys()]).toEqual([good.id])
    expect([...fixture.bytes.keys()]).toEqual([bad.id])
    expect(failures[0]).toContain('not those that were uploaded')
  })

  it('removes a copy that does not read as it was written, and overwrites a bad one', async () => {
    const { id } = await named('text')
    const to: DocumentStore = {
      ...fixture.elsewhere,
      write: (document) => fixture.elsewhere.write(document, chunksOf(Buffer.from('tex'))),
    }
    expect(await move({ to })).toMatchObject({ moved: 0, failed: 1 })
    expect([await readAnywhere(id), fixture.bytesElsewhere.size]).toEqual(['text', 0])
    await to.write(id, chunksOf(Buffer.from('')))
    expect(await move()).toMatchObject({ moved: 1, failed: 0 })
    expect(await readElsewhere(id)).toBe('text')
  })

  it('keeps the original of a copy that vanished, and copies it again', async () => {
    const { id } = await named('text')
    const vanish = async (ms: number): Promise<void> => {
      fixture.bytesElsewhere.clear()
      await fixture.passTime(ms)
    }
    expect(await move({ wait: vanish })).toMatchObject({ moved: 0, failed: 1 })
    expect(await readAnywhere(id)).toBe('text')
    expect(await move()).toMatchObject({ moved: 1, failed: 0 })
  })

  it('gives up soon on a store that accepts nothing', async () => {
    for (let n = 0; n < 300; n += 1) await named(`${n}`)
    const down = () => Promise.reject(new Error('down'))
    expect(await move({ to: { ...fixture.elsewhere, write: down } })).toMatchObject({ moved: 0 })
    expect(failures.length).toBeLessThan(30)
    expect(fixture.bytes.size).toBe(300)
  })

  it('stops on request, and continues in the next run', async () => {
    for (let n = 0; n < 10; n += 1) await named(`${n}`)
    const stop = new AbortController()
    const wait = async (): Promise<void> => stop.abort()
    expect(await move({ wait }, stop.signal)).toMatchObject({ moved: 0, waiting: 10 })
    expect(fixture.bytes.size).toBe(10)
    expect(await move()).toMatchObject({ moved: 10 })
  })
})

/** The same ports, with a callback before every store or registry call, and before the end of a write. */
function everyCall(given: MovePorts, before: () => Promise<void>): MovePorts {
  const { registry, from, to } = given
  async function* reading(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    await before()
    yield* chunks
  }
  async function* writing(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    yield* chunks
    await before()
  }
  const store = (one: DocumentStore): DocumentStore => ({
    write: (id, chunks) => before().then(() => one.write(id, writing(chunks))),
    read: (id, range) => reading(one.read(id, range)),
    remove: (ids) => before().then(() => one.remove(ids)),
  })
  return {
    ...given,
    to: store(to),
    from: { ...store(from), list: (after, limit) => before().then(() => from.list(after, limit)) },
    registry: {
      ...registry,
      find: (id) => before().then(() => registry.find(id)),
      findNamed: (id) => before().then(() => registry.findNamed(id)),
    },
  }
}

describe('a move that is killed', () => {
  const texts = ['one', 'two', 'three']

  async function everythingReads(ids: readonly DocumentId[]): Promise<void> {
    expect(await Promise.all(ids.map(readAnywhere))).toEqual(texts)
  }

  /** Three documents to move, and ports through which the move fails after this many steps. */
  async function fixtureOf(
    stepsMax: number,
  ): Promise<{ readonly ids: readonly DocumentId[]; readonly doomed: MovePorts }> {
    fixture = memoryFixture()
    const ids: DocumentId[] = []
    for (const text of texts) ids.push((await named(text)).id)
    let steps = 0
    const alive = async (): Promise<void> => {
      steps += 1
      if (steps > stepsMax) throw new Error('killed')
    }
    return { ids, doomed: everyCall(ports(), alive) }
  }

  it('loses nothing, whatever the step, and the next one completes the work', async () => {
    let kills = 0
    for (let killedAt = 0, ended = false; !ended; killedAt += 1) {
      const { ids, doomed } = await fixtureOf(killedAt)
      const end = await move(doomed).catch(() => null)
      ended = end?.moved === texts.length
      kills += 1
      await everythingReads(ids)
      await move()
      expect([fixture.bytes.size, await Promise.all(ids.map(readElsewhere))]).toEqual([0, texts])
    }
    expect(kills).toBeGreaterThan(20)
  })

  it('disturbs other moves no more than they disturb each other', async () => {
    for (let killedAt = 0; killedAt < 40; killedAt += 1) {
      const { ids, doomed } = await fixtureOf(killedAt)
      await Promise.allSettled([move(), move(doomed), move()])
      expect([fixture.bytes.size, await Promise.all(ids.map(readElsewhere))]).toEqual([0, texts])
    }
  })
})
