import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type S3Server, startS3Server } from '#libs/testing/s3-server.js'
import { createTestBucket, type TestBucket } from '#libs/testing/test-bucket.js'
import { type DocumentId, documentId } from '../domain/ids.js'
import { chunksOf, collect } from '../testing/content-fixture.js'
import { s3OptionsOf } from '../testing/s3-fixture.js'
import type { S3Options } from './s3-client.js'
import { s3DocumentStore } from './s3-document-store.js'

const mib = 1_048_576
const unavailable = { kind: 'unavailable', code: 'unavailable' }
const whole = { offset: 0, length: null }

const newId = (): DocumentId => documentId(randomUUID())

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
    expect(await bucket.unfinished(`documents/${id}`)).toEqual([])
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
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' }
    const endpoint = `http://127.0.0.1:${port}`
    await work({
      endpoint,
      region: 'us-east-1',
      bucket: 'b',
      prefix: 'documents',
      credentials,
      forcePathStyle: true,
    })
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
