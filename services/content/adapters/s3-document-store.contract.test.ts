import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type S3Server, startS3Server } from '#libs/testing/s3-server.js'
import { createTestBucket, type TestBucket } from '#libs/testing/test-bucket.js'
import { sweep } from '../application/sweep.js'
import { writeDocument } from '../application/write-document.js'
import { type DocumentId, documentId } from '../domain/ids.js'
import { ann, chunksOf, collect } from '../testing/content-fixture.js'
import { openS3Fixture, type S3Fixture, s3OptionsOf } from '../testing/s3-fixture.js'
import type { ProbeReport, ProbeTask } from '../testing/s3-memory-probe.js'
import type { S3Options } from './s3-client.js'
import { s3DocumentStore } from './s3-document-store.js'

const mib = 1_048_576
const unavailable = { kind: 'unavailable', code: 'unavailable' }
const whole = { offset: 0, length: null }
const never = new AbortController().signal

let fixture: S3Fixture
beforeAll(async () => {
  fixture = await openS3Fixture('content-s3-own')
})
afterAll(() => fixture?.close())
beforeEach(() => fixture.reset())

const newId = (): DocumentId => fixture.ports.ids.document()
const keyOf = (id: DocumentId): string => `documents/${id}`
const unfinished = (id: DocumentId, bucket: TestBucket = fixture.bucket) => bucket.unfinished(keyOf(id))

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

describe('an S3 store that goes away', () => {
  let server: S3Server
  let bucket: TestBucket
  let options: S3Options

  beforeAll(async () => {
    server = await startS3Server()
    bucket = await createTestBucket('going', server.access)
    options = s3OptionsOf(bucket)
  })
  afterAll(() => server?.stop())

  it('during a write makes it fail, reads its source no further, and leaves nothing behind', async () => {
    const store = s3DocumentStore(options, 600_000)
    const id = newId()
    let taken = 0
    async function* source(): AsyncGenerator<Uint8Array, void, undefined> {
      for (; taken < 200; taken += 1) {
        if (taken === 30) await server.kill()
        yield Buffer.alloc(mib)
      }
    }
    await expect(store.write(id, source())).rejects.toMatchObject(unavailable)
    expect(taken).toBeLessThan(51)
    await server.restart()
    expect([(await collect(store.read(id, whole))).length, await bucket.keys()]).toEqual([0, []])
    await store.remove([id])
    expect(await unfinished(id, bucket)).toEqual([])
    store.close()
  })

  it('or hangs makes a write take at most 20 MiB more, and time out', async () => {
    const store = s3DocumentStore({ ...options, attemptTimeoutMs: 500 }, 600_000)
    let taken = 0
    async function* source(): AsyncGenerator<Uint8Array, void, undefined> {
      for (; taken < 200; taken += 1) {
        if (taken === 20) server.freeze()
        yield Buffer.alloc(mib)
      }
    }
    const from = performance.now()
    await expect(store.write(newId(), source())).rejects.toMatchObject(unavailable)
    expect(taken).toBeLessThanOrEqual(41)
    expect(performance.now() - from).toBeLessThan(10_000)
    server.thaw()
    store.close()
  })

  it('during a read delivers at most two pages more, and then an error', async () => {
    const store = s3DocumentStore(options, 600_000)
    const id = newId()
    await s3DocumentStore(s3OptionsOf(bucket), 600_000).write(id, chunksOf(Buffer.alloc(20 * mib)))
    let got = 0
    const reading = async (): Promise<void> => {
      for await (const chunk of store.read(id, whole)) {
        if (got === 0) {
          // A slow reader: meanwhile the next page arrives, and nothing more.
          await sleep(300)
          await server.kill()
        }
        got += chunk.length
      }
    }
    await expect(reading()).rejects.toMatchObject(unavailable)
    expect(got).toBeLessThanOrEqual(4 * mib)
    await expect(collect(store.read(id, whole))).rejects.toMatchObject(unavailable)
    await expect(store.remove([id])).rejects.toMatchObject(unavailable)
    await expect(store.write(id, chunksOf(Buffer.alloc(10)))).rejects.toMatchObject(unavailable)
    await server.restart()
    expect((await collect(store.read(id, whole))).length).toBe(20 * mib)
    store.close()
  })

  it('and never responds makes reads fail before their callers time out', async () => {
    const store = s3DocumentStore({ ...options, attemptTimeoutMs: 500 }, 600_000)
    server.freeze()
    const from = performance.now()
    await expect(collect(store.read(newId(), whole))).rejects.toMatchObject(unavailable)
    expect(performance.now() - from).toBeLessThan(8_500)
    server.thaw()
    store.close()
  })
})

/** A store whose responses are scripted. */
async function withResponses(
  listener: RequestListener,
  work: (options: S3Options) => Promise<void>,
): Promise<void> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  try {
    await work({ ...s3OptionsOf(fixture.bucket), endpoint: `http://127.0.0.1:${port}` })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

describe('a response of S3', () => {
  it.each([
    [503, 'SlowDown'],
    [500, 'InternalError'],
    [429, 'TooManyRequests'],
  ])('%i %s is tried three times, and then reported as unavailable', async (status, code) => {
    let asked = 0
    const refuse: RequestListener = (_request, response) => {
      asked += 1
      response.writeHead(status, { 'Content-Type': 'application/xml' })
      response.end(`<Error><Code>${code}</Code><Message>no</Message></Error>`)
    }
    await withResponses(refuse, async (options) => {
      const store = s3DocumentStore(options, 600_000)
      await expect(collect(store.read(newId(), whole))).rejects.toMatchObject(unavailable)
      expect(asked).toBe(3)
      store.close()
    })
  })

  it('that the bucket does not exist is a plain error, to be logged', async () => {
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

  it('that its reader abandons has its connection closed', async () => {
    const closed: string[] = []
    const page =
      (range: string | undefined): RequestListener =>
      (request, response) => {
        response.writeHead(206, { 'Content-Range': `${request.headers.range?.replace('=', ' ')}/10485760` })
        response.on('close', () => closed.push(`${request.headers.range} ${response.writableFinished}`))
        // The second page begins and never ends.
        if (request.headers.range === range) response.end(Buffer.alloc(2 * mib))
        else response.write(Buffer.alloc(1_000))
      }
    await withResponses(page('bytes=0-2097151'), async (options) => {
      const store = s3DocumentStore(options, 600_000)
      for await (const chunk of store.read(documentId('long'), whole)) {
        expect(chunk.length).toBeLessThanOrEqual(262_144)
        await sleep(100)
        break
      }
      await expect.poll(() => closed).toEqual(['bytes=0-2097151 true', 'bytes=2097152-4194303 false'])
      store.close()
    })
  })
})
