import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { DomainError } from '#libs/core/domain-error.js'
import { testPlanLimits } from '#shared/testing/plan-limits.js'
import { type MovePorts, type MoveProgress, moveDocuments } from '../application/move-documents.js'
import { readDocument } from '../application/read-document.js'
import { sweep } from '../application/sweep.js'
import { writeDocument } from '../application/write-document.js'
import type { DocumentStore } from '../document-ports.js'
import type { DocumentId, SnippetId } from '../domain/ids.js'
import type { ContentPorts } from '../ports.js'
import { ann, chunksOf, collect, noCheck, snippetDraft } from '../testing/content-fixture.js'
import { openS3Fixture, type S3Fixture, s3OptionsOf } from '../testing/s3-fixture.js'
import { s3DocumentStore } from './s3-document-store.js'

const mib = 1_048_576
const graceMs = 4_000
const limits = { ...testPlanLimits, dataBytes: 50 * mib, snippets: null }
const never = new AbortController().signal
const sizes = [70_000, 262_144, 900_000, 3_000_000, 6 * mib, 12 * mib]

let fixture: S3Fixture
beforeAll(async () => {
  fixture = await openS3Fixture('content-move', inject('s3'), 'two')
})
afterAll(() => fixture?.close())
beforeEach(() => fixture.reset())

/** The documents that must be readable: the SHA-256 of each, by its snippet. */
type Live = Map<SnippetId, { readonly document: DocumentId; readonly sha256: string }>

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Uploads random bytes and creates a snippet for them. */
async function create(ports: ContentPorts, live: Live, size = anyOf(sizes) ?? 1): Promise<void> {
  const bytes = randomBytes(size)
  const { id, digest } = await writeDocument(ports, {
    ownerId: ann,
    plan: 'pro',
    limits,
    key: null,
    chunks: chunksOf(bytes),
  })
  const data = { kind: 'document' as const, id, digest }
  const snippet = await ports.snippets.add(snippetDraft(fixture, { data }), null, null)
  if (snippet === null) throw new Error('no snippet')
  live.set(snippet.id, { document: id, sha256: sha256(bytes) })
}

/** An upload that takes longer than this test's grace period is rightly refused. */
function unlessRefused(error: unknown): void {
  if (!isRefusal(error)) throw error
}

function isRefusal(error: unknown): boolean {
  return error instanceof DomainError && error.kind === 'unavailable'
}

function anyOf<T>(values: Iterable<T>): T | undefined {
  const all = [...values]
  return all[Math.floor(Math.random() * all.length)]
}

/** A move that can be killed: from then on no call returns, and its connections break. */
function startMove(): { readonly ended: Promise<MoveProgress>; kill(): void } {
  const store = s3DocumentStore(s3OptionsOf(fixture.bucket), graceMs)
  let dead = false
  const alive = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work.catch((error: unknown) =>
      dead ? new Promise<never>(() => {}) : Promise.reject(error),
    )
    return dead ? new Promise<never>(() => {}) : result
  }
  const mortal = (one: DocumentStore): DocumentStore => ({
    write: (id, chunks) => alive(one.write(id, chunks)),
    async *read(id, range) {
      const chunks = one.read(id, range)[Symbol.asyncIterator]()
      for (;;) {
        const next = await alive(chunks.next())
        if (next.done === true) return
        yield next.value
      }
    },
    remove: (ids) => alive(dead ? new Promise(() => {}) : one.remove(ids)),
  })
  const { registry, hashing, monotonicMs } = fixture.ports
  const ports: MovePorts = {
    registry: {
      ...registry,
      find: (id) => alive(registry.find(id)),
      findNamed: (id) => alive(registry.findNamed(id)),
    },
    hashing,
    monotonicMs,
    to: mortal(store),
    from: {
      ...mortal(fixture.postgres.listed),
      list: (after, limit) => alive(fixture.postgres.listed.list(after, limit)),
    },
    wait: (ms, signal) => alive(sleep(ms, undefined, { signal }).catch(() => {})),
  }
  const failed = (id: DocumentId, error: unknown): void => {
    // A copy that takes too long is given up; the next move retries it.
    if (!dead && !isRefusal(error)) throw new Error(`${id} was not moved: ${String(error)}`)
  }
  const ended = moveDocuments(ports, { graceMs, stop: never, report: () => {}, failed })
  return {
    ended: ended.finally(() => store.close()),
    kill() {
      dead = true
      store.close()
    },
  }
}

/** Writes, reads, deletes and sweeps until stopped, and checks every promise on the way. */
async function live(documents: Live, stopped: () => boolean): Promise<void> {
  const ports = fixture.ports
  const work = [
    () => create(ports, documents).catch(unlessRefused),
    async () => {
      const [id, one] = anyOf(documents) ?? []
      if (id === undefined || one === undefined) return
      const bytes = await collect(readDocument(ports, one.document, { offset: 0, length: null }))
      expect(sha256(bytes)).toBe(one.sha256)
    },
    async () => {
      if (documents.size < 10) return
      const [id] = anyOf(documents) ?? []
      if (id === undefined) return
      documents.delete(id)
      await ports.snippets.remove(ann, id, noCheck, true)
    },
    () => sweep(ports, graceMs, never),
  ]
  while (!stopped()) {
    for (const step of work) await step()
    await sleep(Math.random() * 30)
  }
}

async function expectMoved(documents: Live): Promise<void> {
  expect(await fixture.postgres.documentsWithBytes()).toBe(0)
  for (const { document, sha256: expected } of documents.values())
    expect(sha256(await collect(fixture.store.read(document, { offset: 0, length: null })))).toBe(expected)
  const named = [...documents.values()].map(({ document }) => `documents/${document}`)
  expect(await fixture.bucket.keys()).toEqual(named.sort())
}

/** Starts moves, some of them concurrent, and kills each within half a second. */
async function killMany(rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const moves = [startMove(), ...(round % 3 === 0 ? [startMove()] : [])]
    await sleep(Math.random() * 500)
    // Errors caused by the kill are expected.
    for (const move of moves) void move.ended.catch(() => {})
    for (const move of moves) move.kill()
  }
}

/** Runs two concurrent moves, again and again, until none fails. */
async function moveAll(): Promise<void> {
  for (let left = 1; left > 0; ) {
    const ends = await Promise.all([startMove().ended, startMove().ended])
    left = Math.max(...ends.map(({ failed }) => failed))
  }
}

describe('documents that move from Postgres to S3', () => {
  it('can be read, deleted and created all the while, however often the move is killed', async () => {
    const documents: Live = new Map()
    const before = { ...fixture.ports, documents: fixture.postgres.listed }
    for (let n = 0; n < 25; n += 1) await create(before, documents)
    let done = false
    const lives = Promise.all([1, 2].map(() => live(documents, () => done)))
    try {
      await Promise.race([lives, killMany(10)])
      // Processes with the old setting still write to Postgres.
      for (let n = 0; n < 3; n += 1) await create(before, documents)
      await Promise.race([lives, moveAll()])
    } finally {
      done = true
    }
    await lives
    await fixture.passTime(graceMs + 1)
    await sweep(fixture.ports, graceMs, never)
    await expectMoved(documents)
    expect(documents.size).toBeGreaterThan(9)
  })

  it('stay readable for readers who began before the copy existed', async () => {
    const documents: Live = new Map()
    const before = { ...fixture.ports, documents: fixture.postgres.listed }
    for (let n = 0; n < 5; n += 1) await create(before, documents, 8 * mib)
    const slow = [...documents.values()].map(async ({ document, sha256: expected }) => {
      const hash = createHash('sha256')
      let stopped = false
      for await (const chunk of readDocument(fixture.ports, document, { offset: 0, length: null })) {
        hash.update(chunk)
        if (stopped) continue
        stopped = true
        // Slower than the move, but within the grace period.
        await expect.poll(async () => (await fixture.bucket.keys()).length).toBe(5)
        await sleep(1_000)
      }
      expect(hash.digest('hex')).toBe(expected)
    })
    expect((await startMove().ended).moved).toBe(5)
    await Promise.all(slow)
    await expectMoved(documents)
  })
})
