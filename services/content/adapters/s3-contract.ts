import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { S3Access } from '#libs/testing/s3-server.js'
import { sweep } from '../application/sweep.js'
import { writeDocument } from '../application/write-document.js'
import type { DocumentId } from '../domain/ids.js'
import { ann, chunksOf, collect } from '../testing/content-fixture.js'
import { openS3Fixture, type S3Fixture, s3OptionsOf } from '../testing/s3-fixture.js'
import type { ProbeReport, ProbeTask } from '../testing/s3-memory-probe.js'
import { atomicDocumentStoreContract } from './atomic-document-store-contract.js'
import { documentRegistryContract } from './document-registry-contract.js'
import { documentStoreContract } from './document-store-contract.js'
import { ownerErasureContract } from './owner-erasure-contract.js'
import { revisionDocumentsContract } from './revision-documents-contract.js'
import { s3DocumentStore } from './s3-document-store.js'

const mib = 1_048_576
const unavailable = { kind: 'unavailable', code: 'unavailable' }
const whole = { offset: 0, length: null }
const never = new AbortController().signal

function startProbe(task: ProbeTask): ChildProcess {
  const probe = fork(resolve('services/content/testing/s3-memory-probe.ts'), {
    execArgv: ['--conditions=snipkeep-source', '--import', 'tsx', '--expose-gc'],
  })
  probe.send(task)
  return probe
}

function reportOf(probe: ChildProcess): Promise<ProbeReport> {
  return new Promise((done, fail) => {
    probe.on('message', (message: { report?: ProbeReport }) => {
      if (message.report !== undefined) done(message.report)
    })
    probe.once('exit', (code) => fail(new Error(`the probe ended with ${code}`)))
  })
}

/** What no other store has: parts of an upload, requests for many objects, a bucket that may be missing. */
function bucketContract(open: () => Promise<S3Fixture>): void {
  let fixture: S3Fixture
  const newId = (): DocumentId => fixture.ports.ids.document()
  const keyOf = (id: DocumentId): string => `documents/${id}`
  const unfinished = (id: DocumentId) => fixture.bucket.unfinished(keyOf(id))

  beforeEach(async () => {
    fixture = await open()
  })

  describe('a document of 50 MB in S3', () => {
    it("is written and read within a few parts' worth of memory", async () => {
      const task = { options: s3OptionsOf(fixture.bucket), id: newId(), chunks: 50, pauseMs: 0 }
      const report = await reportOf(startProbe(task))
      expect(report.bytesRead).toBe(50 * mib)
      expect(report.writePeakBytes).toBeLessThan(70 * mib)
      expect(report.readPeakBytes).toBeLessThan(45 * mib)
      const large = await reportOf(startProbe({ ...task, id: newId(), chunks: 200 }))
      // Four times the bytes, and no more memory.
      expect(large.bytesRead).toBe(200 * mib)
      expect(large.writePeakBytes).toBeLessThan(70 * mib)
      expect(large.readPeakBytes).toBeLessThan(45 * mib)
    })

    it('whose writer is killed halfway is never visible, and its removal deletes the uploaded parts too', async () => {
      const id = newId()
      const probe = startProbe({ options: s3OptionsOf(fixture.bucket), id, chunks: 50, pauseMs: 20 })
      await new Promise<void>((done) => {
        probe.on('message', ({ taken }: { taken?: number }) => (taken === 25 ? done() : undefined))
      })
      expect(await unfinished(id)).toEqual([keyOf(id)])
      probe.kill('SIGKILL')
      await once(probe, 'exit')
      expect((await collect(fixture.store.read(id, whole))).length).toBe(0)
      expect(await unfinished(id)).toEqual([keyOf(id)])
      await fixture.store.remove([id])
      expect([await unfinished(id), await fixture.bucket.keys()]).toEqual([[], []])
    })

    it('is abandoned if it takes longer than the sweep waits, leaving nothing behind', async () => {
      const hasty = s3DocumentStore(s3OptionsOf(fixture.bucket), 400)
      async function* slow(): AsyncGenerator<Uint8Array, void, undefined> {
        yield Buffer.alloc(6 * mib)
        await sleep(500)
        yield Buffer.alloc(1)
      }
      const id = newId()
      await expect(hasty.write(id, slow())).rejects.toMatchObject(unavailable)
      expect([await unfinished(id), await fixture.bucket.keys()]).toEqual([[], []])
      hasty.close()
    })
  })

  describe('an upload to S3 whose document was swept meanwhile', () => {
    it.each([1_000, 12 * mib])('leaves none of its %i bytes behind', async (size) => {
      const limits = {
        dataBytes: 50 * mib,
        snippets: null,
        contracts: null,
        shares: null,
        storedBytes: null,
        shareTtlDays: 30,
        history: 20,
        ...{ apiKeys: 0, trustedPublishers: 0, revisions: 0 },
      }
      async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
        yield* chunksOf(Buffer.alloc(size))
        await fixture.passTime(60_000)
        await sweep(fixture.ports, 1_000, never)
        yield* chunksOf(Buffer.alloc(size))
      }
      const upload = writeDocument(fixture.ports, {
        ownerId: ann,
        plan: 'pro',
        limits,
        key: null,
        chunks: chunks(),
      })
      await expect(upload).rejects.toMatchObject(unavailable)
      // The removal follows the response.
      await expect.poll(() => fixture.bucket.keys()).toEqual([])
      // Its registry entry stays, in case more arrives.
      const rows = async () => (await fixture.postgres.pool.query('SELECT FROM document')).rows
      await expect.poll(rows).toHaveLength(1)
      await fixture.passTime(60_000)
      await sweep(fixture.ports, 1_000, never)
      expect(await rows()).toHaveLength(0)
    })
  })

  describe('many documents in S3', () => {
    it('are removed in one call, even if there are more than one S3 request can take', async () => {
      const ids = Array.from({ length: 1_050 }, newId)
      const [first = newId(), ...others] = ids
      const last = others.at(-1) ?? first
      for (const id of [first, last]) await fixture.store.write(id, chunksOf(Buffer.from('{}')))
      await fixture.store.remove(ids)
      expect(await fixture.bucket.keys()).toEqual([])
    })
  })

  it('a bucket that does not exist is a plain error, to be logged', async () => {
    const store = s3DocumentStore({ ...s3OptionsOf(fixture.bucket), bucket: 'no-such-bucket' }, 600_000)
    const works = [
      () => collect(store.read(newId(), whole)),
      () => store.write(newId(), chunksOf(Buffer.alloc(10))),
      () => store.remove([newId()]),
    ]
    for (const work of works) {
      const error: unknown = await Promise.resolve(work()).catch((reason: unknown) => reason)
      expect(String(error)).toMatch(/^Error: document store: NoSuchBucket \(404\)/)
      expect(error).not.toHaveProperty('$response')
    }
    store.close()
  })
}

/**
 * What documents in S3 do, whatever the store.
 * @param access the store; it must be running when tests begin.
 */
export function s3Contract(access: () => S3Access): void {
  let alone: S3Fixture
  let moving: S3Fixture

  beforeAll(async () => {
    alone = await openS3Fixture('content-s3', access())
    moving = await openS3Fixture('content-moving', access(), 'two')
  })
  afterAll(async () => {
    await alone?.close()
    await moving?.close()
  })

  documentStoreContract('documents in S3', () => alone.reset())
  atomicDocumentStoreContract('documents in S3', () => alone.reset())
  documentRegistryContract('the registry of documents in S3', () => alone.reset())
  documentStoreContract('documents moving from Postgres to S3', () => moving.reset())
  documentRegistryContract('the registry of documents moving to S3', () => moving.reset())
  revisionDocumentsContract('documents of revisions in S3', () => alone.reset())
  ownerErasureContract('erased owners with documents in S3', () => alone.reset())
  describe('the bucket', () => bucketContract(() => alone.reset()))
}
