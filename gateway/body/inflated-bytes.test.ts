import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cutAt, cutEvery } from '#libs/testing/cut.js'
import type { ByteSource } from './body-bytes.js'
import { createInflatedBytes } from './inflated-bytes.js'
import { type BodyServer, codeOf, type Outcome, startBodyServer } from './testing/body-server.js'

const body = Buffer.from('{"tool":"csv","data":{"v":[1.0,"é"]}}')

/** A source of these chunks that counts how many were read. */
function sourceOf(chunks: readonly Buffer[]): ByteSource & { readonly fetched: number } {
  let fetched = 0
  return {
    get fetched() {
      return fetched
    },
    next: async () => chunks[fetched++] ?? null,
    stop: () => {},
  }
}

async function inflate(chunks: readonly Buffer[], wireBytesMax = 1_000_000): Promise<Buffer> {
  const source = createInflatedBytes(sourceOf(chunks), wireBytesMax, () => new Error('too large'))
  const pieces: Buffer[] = []
  for (let piece = await source.next(); piece !== null; piece = await source.next()) pieces.push(piece)
  source.stop(new Error('read to its end'))
  return Buffer.concat(pieces)
}

const damaged: readonly (readonly [string, Buffer])[] = [
  ['not gzip', body],
  ['cut short', gzipSync(body).subarray(0, -1)],
  ['cut within its header', gzipSync(body).subarray(0, 5)],
  ['followed by garbage', Buffer.concat([gzipSync(body), Buffer.from('garbage')])],
  ['followed by a zero byte', Buffer.concat([gzipSync(body), Buffer.alloc(1)])],
  ['followed by zeros and garbage', Buffer.concat([gzipSync(body), Buffer.alloc(9), Buffer.from('garbage')])],
  ['followed by half a member', Buffer.concat([gzipSync(body), gzipSync(body).subarray(0, 15)])],
  [
    'damaged in its checksum',
    Buffer.from(gzipSync(body).map((byte, at, all) => (at === all.length - 6 ? byte ^ 1 : byte))),
  ],
  [
    'damaged in its length',
    Buffer.from(gzipSync(body).map((byte, at, all) => (at === all.length - 1 ? byte ^ 1 : byte))),
  ],
]

describe('a gzip stream', () => {
  it('is decompressed unchanged, however it is chunked', async () => {
    const zipped = gzipSync(body)
    for (let at = 0; at <= zipped.length; at++) {
      expect((await inflate(cutAt(zipped, at).filter((chunk) => chunk.length > 0))).equals(body)).toBe(true)
    }
    expect((await inflate(cutEvery(zipped, 1))).equals(body)).toBe(true)
  })

  it('may have several members', async () => {
    const zipped = Buffer.concat([gzipSync(body.subarray(0, 10)), gzipSync(''), gzipSync(body.subarray(10))])
    expect((await inflate([zipped])).equals(body)).toBe(true)
    expect((await inflate(cutEvery(zipped, 7))).equals(body)).toBe(true)
  })

  it.each(damaged)('is rejected when it is %s, however it is chunked', async (_what, zipped) => {
    for (const chunks of [
      [zipped],
      cutEvery(zipped, 1),
      cutEvery(zipped, 20),
      cutAt(zipped, zipped.length - 7),
    ]) {
      await expect(inflate(chunks)).rejects.toMatchObject({ code: 'malformed_json' })
    }
  })

  it('that decompresses to nothing without end is rejected', async () => {
    const members = Array.from({ length: 10_000 }, () => gzipSync(''))
    await expect(inflate(members, 50_000)).rejects.toThrow('too large')
  })

  it('is decompressed no faster than it is read', async () => {
    const wire = sourceOf(cutEvery(gzipSync(Buffer.alloc(50_000_000)), 1_000))
    const source = createInflatedBytes(wire, 1_000_000, () => new Error('too large'))
    const first = await source.next()
    expect(first?.length).toBeLessThanOrEqual(65_536)
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(wire.fetched).toBeLessThan(5)
    source.stop(new Error('enough'))
  })
})

describe('a gzip body', () => {
  let server: BodyServer
  beforeAll(async () => {
    server = await startBodyServer()
  })
  afterAll(() => server.close())

  const send = (bytes: Buffer): Promise<Outcome> => server.send(bytes, { 'Content-Encoding': 'GZIP' })

  it('is read as its content', async () => {
    const { received } = await send(gzipSync(body))
    const value = Buffer.from('{"v":[1.0,"é"]}')
    expect(received?.data).toEqual({ source: { $case: 'inline', value } })
  })

  it.each(damaged)('is malformed when it is %s', async (_what, bytes) =>
    expect(codeOf(await send(bytes))).toBe('malformed_json'),
  )

  it('is malformed when it is empty, or contains nothing', async () => {
    expect(codeOf(await send(Buffer.alloc(0)))).toBe('malformed_json')
    expect(codeOf(await send(gzipSync('')))).toBe('malformed_json')
  })

  it('is malformed when it contains gzip', async () => {
    expect(codeOf(await send(gzipSync(gzipSync(body))))).toBe('malformed_json')
    expect(codeOf(await send(gzipSync(gzipSync(gzipSync(Buffer.alloc(10_000_000))))))).toBe('malformed_json')
  })

  it('that would decompress to 20 MB is stopped at the limit', async () => {
    const bomb = gzipSync(
      Buffer.concat([Buffer.from('{"data":{"v":"'), Buffer.alloc(20_971_520, 'a'), Buffer.from('"}}')]),
    )
    expect(bomb.length).toBeLessThan(22_000)
    expect(codeOf(await send(bomb))).toBe('data_too_large')
    const sink = server.sinks.opened.at(-1)
    expect(sink?.state).toBe('cancelled')
    expect(sink?.chunks.reduce((sum, chunk) => sum + chunk.length, 0)).toBeLessThanOrEqual(5_242_880)
    expect(codeOf(await send(gzipSync(Buffer.alloc(20_971_520, ' '))))).toBe('data_too_large')
  })
})
