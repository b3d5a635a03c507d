import { createGunzip, type Gunzip } from 'node:zlib'
import type { ByteSource } from './body-bytes.js'
import { malformedGzip } from './body-errors.js'

const chunkBytes = 65_536

/** Resolves once the whole chunk has been inflated and its output has been read. */
function feed(gunzip: Gunzip, chunk: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    gunzip.write(chunk, (error) => (error ? reject(error) : resolve()))
  })
}

function isGzipError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}

/**
 * Inflates a gzip stream (RFC 1952) only as fast as it is read and at most 64 KiB at a time, so that a decompression
 * bomb costs no more than what is read of it. `next` throws `malformed_json` if the stream is damaged, truncated or
 * followed by other bytes, and `tooLarge()` after more than `wireBytesMax` input bytes: an endless series of empty
 * members inflates to nothing.
 */
export function createInflatedBytes(
  wire: ByteSource,
  wireBytesMax: number,
  tooLarge: () => Error,
): ByteSource {
  const gunzip = createGunzip({ chunkSize: chunkBytes })
  const inflated = gunzip[Symbol.asyncIterator]()
  let wireBytes = 0
  let wireEnded = false

  async function pump(): Promise<void> {
    for (let chunk = await wire.next(); chunk !== null; chunk = await wire.next()) {
      wireBytes += chunk.length
      if (wireBytes > wireBytesMax) throw tooLarge()
      await feed(gunzip, chunk)
    }
    wireEnded = true
    gunzip.end()
  }

  pump().catch((error: Error) => gunzip.destroy(error))
  // The iterator reports errors, but without a listener an error after the last read would crash the process.
  gunzip.on('error', () => {})
  return {
    async next() {
      try {
        const { value, done } = await inflated.next()
        if (done !== true) return value
      } catch (error) {
        throw isGzipError(error) ? malformedGzip(error) : error
      }
      // Zlib stops before bytes that do not begin another member, and leaves them unread.
      if (!wireEnded || gunzip.bytesWritten !== wireBytes) throw malformedGzip()
      return null
    },
    stop(reason) {
      gunzip.destroy(reason)
      wire.stop(reason)
    },
  }
}
