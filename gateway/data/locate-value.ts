import { setImmediate as nextTurn } from 'node:timers/promises'
import { ToolInputError } from '#engine/tools/tool-input-error.js'
import { validationFailed } from '#libs/core/domain-error.js'
import type { Snippet } from '#proto/snipkeep/content/v1/snippet_service.js'
import type { ByteSource } from '../body/body-bytes.js'
import type { Part } from '../http/send-bytes.js'
import type { DocumentReader } from '../rate-limits/rate-limits.js'
import { notFound } from '../request/problem.js'
import { type RequestContext, searchCall } from '../request/request-context.js'
import type { JsonPointer } from './json-pointer.js'
import type { LocatedRows, RowRange } from './located-rows.js'
import type { LocatedValue, PointerLocator } from './pointer-locator.js'
import { createRowLocator, type RowLocator } from './row-locator.js'
import { type DocumentReads, dataPart } from './stored-data.js'

/** The fields of a snippet or share that a raw response needs. */
export type RawSource = Pick<Snippet, 'tool' | 'title' | 'sizeBytes' | 'data'>

export interface RawRead {
  readonly context: RequestContext
  readonly reads: DocumentReads
  readonly reader: DocumentReader
  readonly source: RawSource
}

export interface FoundValue {
  readonly value: LocatedValue
  /** `null` if there are too many to keep. */
  readonly bytes: Uint8Array | null
  /** `null` for a value without rows, and if none were asked for. */
  readonly rows: LocatedRows | null
}

/** A larger value is read again when it is sent. */
const keptBytesMax = 262_144
/** After this many bytes, the search yields to the event loop. */
const bytesPerTurn = 524_288

export async function* chunksOf(part: Part): AsyncGenerator<Uint8Array, void, undefined> {
  if (part instanceof Uint8Array) yield part
  else yield* part
}

/** The bytes of a part, for what reads them chunk by chunk. */
export function sourceOf(part: Part): ByteSource {
  const chunks = chunksOf(part)
  return {
    async next() {
      const { done, value } = await chunks.next()
      return done === true ? null : Buffer.from(value.buffer, value.byteOffset, value.length)
    },
    stop: () => void chunks.return(),
  }
}

function finish(locator: PointerLocator, rows: RowLocator | null): FoundValue {
  const value = locator.finish()
  if (value === null) throw notFound('The value that pointer names')
  return { value, bytes: locator.bytes(), rows: rows === null ? null : rowsOf(rows) }
}

function rowsOf(rows: RowLocator): LocatedRows | null {
  try {
    return rows.finish()
  } catch (error) {
    if (!(error instanceof ToolInputError)) throw error
    const { position, message } = error
    const place = position === null ? '' : ` (line ${position.line}, column ${position.column})`
    const detail = `The value is not CSV: ${message.replace(/\.$/, '')}${place}.`
    throw validationFailed([{ pointer: 'rows', code: 'invalid_csv', detail }])
  }
}

/** Searches a large document within the reader's budget. */
async function search(
  { context, reads, reader, source }: RawRead,
  pointer: JsonPointer,
  rows: RowLocator | null,
): Promise<FoundValue> {
  const refund = await reads.pointerBudget.spend(reader, source.sizeBytes)
  const release = await reads.searches.take(reader, context.signal).catch((error: unknown) => {
    refund()
    throw error
  })
  try {
    const locator = reads.createPointerLocator(pointer, keptBytesMax, rows)
    let inTurn = 0
    for await (const chunk of chunksOf(
      dataPart(reads, source.data, { context: searchCall(context), reader }),
    )) {
      locator.push(chunk)
      inTurn += chunk.length
      if (inTurn < bytesPerTurn) continue
      await nextTurn()
      inTurn = 0
    }
    return finish(locator, rows)
  } finally {
    release()
  }
}

/**
 * Finds the value that a pointer names, and the requested rows of it, in one pass over the document.
 * @throws DomainError `not_found` if the pointer names nothing, `validation_failed` if its rows are wanted and it is a
 *   string, but not CSV, `rate_limited` if the reader's budget is used up.
 */
export async function locateValue(
  read: RawRead,
  pointer: JsonPointer,
  range: RowRange | undefined,
): Promise<FoundValue> {
  const { data } = read.source
  const rows = range === undefined ? null : createRowLocator(range)
  if (data?.$case !== 'inline') return search(read, pointer, rows)
  const locator = read.reads.createPointerLocator(pointer, data.value.length, rows)
  locator.push(data.value)
  return finish(locator, rows)
}
