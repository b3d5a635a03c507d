import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { unavailable } from '#libs/core/domain-error.js'
import type { DocumentStore } from '../document-ports.js'
import type { DocumentId } from '../domain/ids.js'
import { documentGone } from '../domain/stored-data.js'
import { rechunk } from './rechunk.js'
import { attemptsMax, createS3Client, type S3Options, usualAttemptTimeoutMs } from './s3-client.js'
import { isNoSuchObject, s3ErrorCode, toDocumentStoreError } from './s3-errors.js'

/** The maximum chunk for a reader, and the buffer of a writer. */
const chunkBytes = 262_144
/** The size of one ranged request. */
const pageBytes = 2_097_152
/** The minimum size of a multipart upload's part; a smaller document is stored by a single PUT. */
const partBytes = 5_242_880
/** The first request of an upload, the current part, three buffered ones, and the final request. */
const callsAfterSource = 6
/** The maximum objects of one delete request. */
const removedAtOnce = 1_000
const listedAtOnce = 10
/** The limit for all attempts of a read: callers get a response before their own deadline of ten seconds. */
const readTimeoutMs = 8_000

/** Documents in an S3-compatible store; `close` closes its connections. */
export interface S3DocumentStore extends DocumentStore {
  close(): void
}

interface Page {
  readonly bytes: readonly Uint8Array[]
  readonly sizeBytes: number
  /** The size of the whole object. */
  readonly totalBytes: number
}

interface BucketLocation {
  readonly client: S3Client
  readonly bucket: string
  keyOf(id: DocumentId): string
}

async function translateErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw toDocumentStoreError(error)
  }
}

/** The chunks, passed through `take`, so that their errors can be distinguished from the store's. */
function taken(
  chunks: AsyncIterable<Uint8Array>,
  take: (next: Promise<IteratorResult<Uint8Array>>) => Promise<IteratorResult<Uint8Array>>,
): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = chunks[Symbol.asyncIterator]()
      return {
        next: () => take(iterator.next()),
        async return() {
          await iterator.return?.()
          return { done: true, value: undefined }
        },
      }
    },
  }
}

/** Stores all chunks or nothing: S3 shows an object once its multipart upload is completed. */
async function write(
  { client, bucket, keyOf }: BucketLocation,
  id: DocumentId,
  chunks: AsyncIterable<Uint8Array>,
  lateAt: number,
): Promise<void> {
  const own: { error?: unknown } = {}
  const source = taken(chunks, async (next) => {
    try {
      const result = await next
      if (performance.now() > lateAt) throw documentGone()
      return result
    } catch (error) {
      own.error = error
      throw error
    }
  })
  const Body = Readable.from(rechunk(source, chunkBytes), { highWaterMark: partBytes / chunkBytes })
  const params = { Bucket: bucket, Key: keyOf(id), Body, ContentType: 'application/json' }
  try {
    // One part at a time while the next one is collected: an abort never races with a part in flight.
    await new Upload({ client, params, partSize: partBytes, queueSize: 1 }).done()
  } catch (error) {
    if ('error' in own) throw own.error
    if (s3ErrorCode(error) === 'NoSuchUpload') throw documentGone()
    throw toDocumentStoreError(error)
  } finally {
    Body.destroy()
  }
}

function otherRange(): Error {
  return new Error('the document store returned another range than the requested one')
}

async function bodyOf(body: unknown, bytesMax: number, signal: AbortSignal): Promise<readonly Uint8Array[]> {
  if (!(body instanceof Readable)) throw new Error('the document store returned no body')
  const stop = (): void => void body.destroy(new DOMException('the read was abandoned', 'AbortError'))
  signal.addEventListener('abort', stop, { once: true })
  try {
    if (signal.aborted) stop()
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of body) {
      bytes += chunk.length
      // A stream that is longer than allowed may be endless.
      if (bytes > bytesMax) throw otherRange()
      chunks.push(chunk)
    }
    return chunks
  } finally {
    signal.removeEventListener('abort', stop)
    body.destroy()
  }
}

/** The bytes from `from` up to `to`, as far as they exist; `null` for none. */
async function fetchPage(
  { client, bucket, keyOf }: BucketLocation,
  id: DocumentId,
  from: number,
  to: number,
  abandoned: AbortSignal,
): Promise<Page | null> {
  const abortSignal = AbortSignal.any([abandoned, AbortSignal.timeout(readTimeoutMs)])
  try {
    const command = new GetObjectCommand({ Bucket: bucket, Key: keyOf(id), Range: `bytes=${from}-${to - 1}` })
    const { Body, ContentRange } = await client.send(command, { abortSignal })
    const bytes = await bodyOf(Body, to - from, abortSignal)
    const totalBytes = Number(/\/(\d+)$/.exec(ContentRange ?? '')?.[1])
    const sizeBytes = bytes.reduce((sum, { length }) => sum + length, 0)
    if (!(sizeBytes === Math.min(to, totalBytes) - from)) throw otherRange()
    return { bytes, sizeBytes, totalBytes }
  } catch (error) {
    if (isNoSuchObject(error)) return null
    throw toDocumentStoreError(error)
  }
}

function* smallChunks(bytes: readonly Uint8Array[]): Generator<Uint8Array, void, undefined> {
  for (const chunk of bytes)
    for (let at = 0; at < chunk.length; at += chunkBytes) yield chunk.subarray(at, at + chunkBytes)
}

async function* read(
  location: BucketLocation,
  id: DocumentId,
  offset: number,
  end: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const abandoned = new AbortController()
  const pageAt = (from: number): Promise<Page | null> =>
    fetchPage(location, id, from, Math.min(from + pageBytes, end), abandoned.signal)
  let from = offset
  let coming = from < end ? pageAt(from) : null
  try {
    while (coming !== null) {
      const page = await coming
      if (page === null) return
      from += page.sizeBytes
      coming = from < Math.min(end, page.totalBytes) ? pageAt(from) : null
      // A reader that stops early never awaits it.
      coming?.catch(() => {})
      yield* smallChunks(page.bytes)
    }
  } finally {
    abandoned.abort()
  }
}

/** Aborts pending uploads of a document, including those of a crashed process. */
async function abortUploads({ client, bucket, keyOf }: BucketLocation, id: DocumentId): Promise<void> {
  const Key = keyOf(id)
  try {
    const { Uploads = [] } = await client.send(
      new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: Key }),
    )
    for (const upload of Uploads.filter((one) => one.Key === Key))
      await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId: upload.UploadId }))
  } catch (error) {
    const code = s3ErrorCode(error)
    // Just completed or aborted; or the store has no such lists, and a lifecycle rule of the bucket must clean up.
    if (code !== 'NoSuchUpload' && code !== 'NotImplemented') throw error
  }
}

async function removeObjects(
  { client, bucket, keyOf }: BucketLocation,
  ids: readonly DocumentId[],
): Promise<void> {
  const Objects = ids.map((id) => ({ Key: keyOf(id) }))
  const command = new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } })
  const { Errors = [] } = await client.send(command)
  const [first] = Errors
  if (first === undefined) return
  const cause = new Error(`${Errors.length} objects were not removed: ${first.Code} ${first.Message}`)
  throw unavailable('Large documents cannot be deleted right now. Try again.', cause)
}

/**
 * Documents as objects of an S3-compatible store. Slow writers and readers hold no connection: parts of 5 MiB
 * are collected before they are sent, and pages of 2 MiB are fetched whole, one ahead.
 * @param writeMsMax a longer write fails before anything of it is visible, so that a sweep that starts later
 * finds everything.
 */
export function s3DocumentStore(options: S3Options, writeMsMax: number): S3DocumentStore {
  const client = createS3Client(options)
  const { bucket, prefix } = options
  const location: BucketLocation = { client, bucket, keyOf: (id) => (prefix === '' ? id : `${prefix}/${id}`) }
  // Each of these may need all its attempts after the last chunk was taken.
  const callMsMax = (options.attemptTimeoutMs ?? usualAttemptTimeoutMs) * attemptsMax
  const sourceMsMax = Math.max(writeMsMax - callsAfterSource * callMsMax, writeMsMax / 2)
  return {
    write: (id, chunks) => write(location, id, chunks, performance.now() + sourceMsMax),
    read: (id, { offset, length }) =>
      read(location, id, offset, length === null ? Number.MAX_SAFE_INTEGER : offset + length),
    async remove(ids) {
      for (let at = 0; at < ids.length; at += listedAtOnce)
        await translateErrors(
          Promise.all(ids.slice(at, at + listedAtOnce).map((id) => abortUploads(location, id))),
        )
      for (let at = 0; at < ids.length; at += removedAtOnce)
        await translateErrors(removeObjects(location, ids.slice(at, at + removedAtOnce)))
    },
    close: () => client.destroy(),
  }
}
