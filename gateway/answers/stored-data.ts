import { unavailable } from '#libs/core/domain-error.js'
import { type CallContext, callServerStream } from '#libs/grpc/call.js'
import type { Upstreams } from '../upstreams.js'
import type { Part } from './send-bytes.js'

/** Where content keeps the bytes of `data`: in the message, or in a document; absent when they were not asked for. */
export type StoredData =
  | { readonly $case: 'inline'; readonly value: Uint8Array }
  | { readonly $case: 'documentId'; readonly value: string }
  | undefined

/** A range of bytes: `length` bytes from `offset`. */
export interface ByteRange {
  readonly offset: number
  readonly length: number
}

/**
 * Documents that are sent at once, of the 256 streams that content takes on a connection: the rest is for uploads, and
 * whoever came after all of them would wait for a stream until it is too late.
 */
const readersMax = 160
let readers = 0

async function* readDocument(
  documents: Upstreams['documents'],
  documentId: string,
  range: ByteRange | null,
  context: CallContext,
): AsyncGenerator<Uint8Array, void, undefined> {
  const request = { documentId, offset: range?.offset ?? 0, length: range?.length }
  if (readers === readersMax)
    throw unavailable('Too many large documents are being read at this moment. Please try again.')
  readers += 1
  try {
    for await (const { chunk } of callServerStream(documents, documents.readDocument, request, context))
      yield chunk
  } finally {
    readers -= 1
  }
}

/** The bytes of `data`, or a range of them, ready to be sent. */
export function dataPart(
  documents: Upstreams['documents'],
  data: StoredData,
  context: CallContext,
  range: ByteRange | null = null,
): Part {
  if (data === undefined) throw new Error('content answered without the data that was asked for')
  if (data.$case === 'documentId') return readDocument(documents, data.value, range, context)
  return range === null ? data.value : data.value.subarray(range.offset, range.offset + range.length)
}
