import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type TarFile, writeTar } from '#libs/tar/write-tar.js'
import { type ArchiveSource, archiveBytesMax, openArchive } from './import-handler.js'

async function archiveOf(sizes: readonly number[]): Promise<Buffer> {
  async function* files(): AsyncGenerator<TarFile> {
    for (const [n, sizeBytes] of sizes.entries())
      yield { path: `f${n}`, sizeBytes, content: [Buffer.alloc(sizeBytes)] }
  }
  const chunks: Uint8Array[] = []
  for await (const chunk of writeTar(files(), new Date())) chunks.push(chunk)
  return gzipSync(Buffer.concat(chunks))
}

function open(body: Buffer, bytesMax: number): ArchiveSource {
  const request = Object.assign(Readable.from([body]), { complete: true }) as unknown as IncomingMessage
  const response = new EventEmitter() as unknown as ServerResponse
  return openArchive({ request, response }, bytesMax)
}

/** Reads everything; returns how many bytes. */
async function readAll({ tar, stop }: ArchiveSource): Promise<number> {
  let bytes = 0
  try {
    for (let entry = await tar.next(); entry !== null; entry = await tar.next())
      for (let chunk = await entry.next(); chunk !== null; chunk = await entry.next()) bytes += chunk.length
    return bytes
  } finally {
    stop()
  }
}

describe('an archive', () => {
  it('is unpacked up to the limit', async () => {
    expect(await readAll(open(await archiveOf([1_000, 2_000]), 1_000_000))).toBe(3_000)
  })

  it('that unpacks to more than allowed is refused, wherever its bytes are', async () => {
    const bomb = { code: 'archive_too_large', details: { limit: 1_000_000 } }
    for (const sizes of [[50_000_000], Array.from({ length: 3_000 }, () => 0)])
      await expect(readAll(open(await archiveOf(sizes), 1_000_000))).rejects.toMatchObject(bomb)
  })

  it('that is cut or damaged is told apart', async () => {
    const whole = await archiveOf([1_000])
    await expect(readAll(open(whole.subarray(0, 50), 1_000_000))).rejects.toMatchObject({
      reason: 'truncated',
    })
    await expect(readAll(open(Buffer.from('no gzip'), 1_000_000))).rejects.toMatchObject({
      reason: 'malformed',
    })
  })

  it('may unpack to twice what its account may store', () => {
    const plans = { free: { storedBytes: 1_000 }, pro: { storedBytes: null } } as unknown as Parameters<
      typeof archiveBytesMax
    >[0]
    expect(archiveBytesMax(plans, { plan: 'free' })).toBe(2_000 + 268_435_456)
    expect(archiveBytesMax(plans, { plan: 'pro' })).toBe(1_099_511_627_776)
  })
})
