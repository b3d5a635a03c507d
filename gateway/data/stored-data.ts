import type { ServerResponse } from 'node:http'
import { isUnavailability } from '#libs/core/domain-error.js'
import { type CallContext, callServerStream } from '#libs/grpc/call.js'
import type { Snippet } from '#proto/snipkeep/content/v1/snippet_service.js'
import type { ByteRange } from '../http/byte-range.js'
import { type Part, sendBytes } from '../http/send-bytes.js'
import type { DocumentReader } from '../rate-limits/rate-limits.js'
import { createSlots, type Slots } from '../rate-limits/slots.js'
import type { Upstreams } from '../upstreams.js'
import { createPointerBudget, type PointerBudget } from './pointer-budget.js'
import { type CreatePointerLocator, createPointerLocators } from './pointer-locator.js'

/** The dependencies for reading documents. */
export interface DocumentReads {
  readonly documents: Upstreams['documents']
  /** Limits concurrent reads. */
  readonly readers: Slots
  /** Limits concurrent searches. */
  readonly searches: Slots
  readonly pointerBudget: PointerBudget
  readonly createPointerLocator: CreatePointerLocator
}

export interface DocumentRequest {
  readonly context: CallContext
  readonly reader: DocumentReader
  /** Whether the reader already holds a slot. */
  readonly hasSlot?: boolean
}

/**
 * Content accepts 256 streams on a connection, and calls beyond that would wait until they time out. Reads leave some
 * of them for uploads, and anonymous reads leave some for accounts.
 */
const readerRules = {
  activity: 'reading large documents',
  max: 160,
  anonymousMax: 128,
  perReaderMax: 8,
  waitMs: 0,
  waitersMax: 0,
  waitersPerReaderMax: 0,
}

/** Searches run on the event loop, and a single one can keep it busy. */
const searchRules = {
  activity: 'searching large documents by pointer',
  max: 2,
  anonymousMax: 1,
  perReaderMax: 1,
  waitMs: 5_000,
  waitersMax: 64,
  waitersPerReaderMax: 8,
}

/** The limits apply to this process. */
export function createDocumentReads(
  documents: Upstreams['documents'],
  ...budget: Parameters<typeof createPointerBudget>
): DocumentReads {
  return {
    documents,
    readers: createSlots(readerRules),
    searches: createSlots(searchRules),
    pointerBudget: createPointerBudget(...budget),
    createPointerLocator: createPointerLocators(),
  }
}

/**
 * Goes on where it was if its connection breaks. Content renews connections every minute, and gRPC drops what it has
 * received and its reader has not taken yet. As for a range, only the length of the rest is checked then.
 */
async function* readDocument(
  { documents, readers }: DocumentReads,
  documentId: string,
  range: ByteRange | null,
  { context, reader, hasSlot = false }: DocumentRequest,
): AsyncGenerator<Uint8Array, void, undefined> {
  const release = hasSlot ? null : await readers.take(reader, context.signal)
  const start = range?.offset ?? 0
  let read = 0
  try {
    for (;;) {
      const before = read
      const length = range === null ? undefined : range.length - read
      const request = { documentId, offset: start + read, length }
      try {
        for await (const { chunk } of callServerStream(documents, documents.readDocument, request, context)) {
          read += chunk.length
          yield chunk
        }
        return
      } catch (error) {
        if (read === before || !isUnavailability(error)) throw error
      }
    }
  } finally {
    release?.()
  }
}

/** The bytes of `data`, or a range of them: from the message, or streamed from the document. */
export function dataPart(
  reads: DocumentReads,
  data: Snippet['data'],
  request: DocumentRequest,
  range: ByteRange | null = null,
): Part {
  if (data === undefined) throw new Error('content returned no data')
  if (data.$case === 'documentId') return readDocument(reads, data.value, range, request)
  return range === null ? data.value : data.value.subarray(range.offset, range.offset + range.length)
}

/** Sends JSON that holds `data`: the text before it, its bytes, and the text after it. */
export async function sendEnvelope(
  response: ServerResponse,
  [before, after]: readonly [Buffer, Buffer],
  { data, sizeBytes }: Pick<Snippet, 'data' | 'sizeBytes'>,
  reads: DocumentReads,
  request: DocumentRequest,
): Promise<void> {
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': before.length + sizeBytes + after.length,
  }
  await sendBytes(response, headers, [before, dataPart(reads, data, request), after])
}
