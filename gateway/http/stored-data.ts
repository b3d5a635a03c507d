import type { CallContext } from '#libs/grpc/call.js'
import { callServerStream } from '#libs/grpc/call.js'
import type { Snippet } from '#proto/snipkeep/content/v1/snippet_service.js'
import type { DocumentReader } from '../rate-limits/document-reader.js'
import { createPointerBudget, type PointerBudget } from '../rate-limits/pointer-budget.js'
import { createSlots, type Slots } from '../rate-limits/slots.js'
import type { Upstreams } from '../upstreams.js'
import type { Part } from './send-bytes.js'

/** A range of bytes: `length` bytes from `offset`. */
export interface ByteRange {
  readonly offset: number
  readonly length: number
}

/** What documents are read with. */
export interface DocumentReads {
  readonly documents: Upstreams['documents']
  /** For everybody to whom documents are sent. */
  readonly readers: Slots
  /** For those of them for whom a document is searched. */
  readonly searches: Slots
  readonly pointerBudget: PointerBudget
}

/** The request that a document is read for. */
export interface DocumentRequest {
  readonly context: CallContext
  readonly reader: DocumentReader
  /** The slot of a reader is taken already. */
  readonly hasSlot?: boolean
}

/**
 * Documents that are sent at once, of the 256 streams that content takes on a connection: the rest is for uploads, and
 * whoever came after all of them would wait for a stream until it is too late. Strangers never hold all of them.
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

/** Searching is work of the event loop, which one at a time would keep busy by itself. */
const searchRules = {
  activity: 'searching large documents by pointer',
  max: 2,
  anonymousMax: 1,
  perReaderMax: 1,
  waitMs: 5_000,
  waitersMax: 64,
  waitersPerReaderMax: 8,
}

/** Reads of documents, with the limits of this process. */
export function createDocumentReads(
  documents: Upstreams['documents'],
  ...budget: Parameters<typeof createPointerBudget>
): DocumentReads {
  return {
    documents,
    readers: createSlots(readerRules),
    searches: createSlots(searchRules),
    pointerBudget: createPointerBudget(...budget),
  }
}

async function* readDocument(
  { documents, readers }: DocumentReads,
  documentId: string,
  range: ByteRange | null,
  { context, reader, hasSlot = false }: DocumentRequest,
): AsyncGenerator<Uint8Array, void, undefined> {
  const request = { documentId, offset: range?.offset ?? 0, length: range?.length }
  const release = hasSlot ? null : await readers.take(reader, context.signal)
  try {
    for await (const { chunk } of callServerStream(documents, documents.readDocument, request, context))
      yield chunk
  } finally {
    release?.()
  }
}

/** The bytes of `data`, or a range of them, ready to be sent. */
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
