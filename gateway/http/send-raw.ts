import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import contentDisposition from 'content-disposition'
import { createJsonStringDecoder } from '#libs/json-bytes/json-string-decoder.js'
import type { Snippet } from '#proto/snipkeep/content/v1/snippet_service.js'
import { textExtension } from '#shared/core/text-extension.js'
import { type JsonPointer, parseJsonPointer } from '../body/json-pointer.js'
import type { LocatedValue, PointerLocator } from '../body/pointer-locator.js'
import type { DocumentReader } from '../rate-limits/document-reader.js'
import { notFound } from './problem.js'
import { documentCall, type RequestContext, searchCall } from './request-context.js'
import { type Part, sendBytes } from './send-bytes.js'
import { type DocumentReads, dataPart } from './stored-data.js'

/** The source of a raw response. */
export type RawSource = Pick<Snippet, 'tool' | 'title' | 'sizeBytes' | 'data'>

/** The caller's options. */
export interface RawOptions {
  readonly pointer?: string | undefined
  readonly download: boolean
}

/** The maximum size of a value that is not read twice. */
const keptBytesMax = 262_144
/** The event loop gets its turn after so many bytes of a document. */
const bytesPerTurn = 524_288

/** A value, and its bytes if they are few. */
interface FoundValue {
  readonly value: LocatedValue
  readonly bytes: Uint8Array | null
}

function finish(locator: PointerLocator): FoundValue {
  const value = locator.finish()
  if (value === null) throw notFound('The value that pointer names')
  return { value, bytes: locator.bytes() }
}

/** The reader, and the budget and reads on its behalf. */
interface Read {
  readonly context: RequestContext
  readonly reads: DocumentReads
  readonly reader: DocumentReader
  readonly source: RawSource
}

/** Searches a large document within the reader's budget. */
async function search({ context, reads, reader, source }: Read, pointer: JsonPointer): Promise<FoundValue> {
  const takeBack = await reads.pointerBudget.spend(reader, source.sizeBytes)
  const release = await reads.searches.take(reader, context.signal).catch((error: unknown) => {
    takeBack()
    throw error
  })
  try {
    const locator = reads.createPointerLocator(pointer, keptBytesMax)
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
    return finish(locator)
  } finally {
    release()
  }
}

async function locate(read: Read, pointer: JsonPointer): Promise<FoundValue> {
  const { data } = read.source
  if (data?.$case !== 'inline') return search(read, pointer)
  const locator = read.reads.createPointerLocator(pointer, data.value.length)
  locator.push(data.value)
  return finish(locator)
}

async function* chunksOf(part: Part): AsyncGenerator<Uint8Array, void, undefined> {
  if (part instanceof Uint8Array) yield part
  else yield* part
}

async function* decodeString(part: Part): AsyncGenerator<Uint8Array, void, undefined> {
  const decoder = createJsonStringDecoder()
  for await (const chunk of chunksOf(part)) yield decoder.push(chunk)
}

/** A file name for a download: that of the document, and an extension by its key or its tool. */
function fileName({ title, tool }: RawSource, pointer: string | undefined, isText: boolean): string {
  const name = title.replaceAll(/[\p{C}/\\:*?"<>|]+/gu, '_').replace(/^\.+/, '_')
  return `${name}.${isText ? textExtension(pointer?.split('/').at(-1) ?? '', tool) : 'json'}`
}

function setHeaders(response: ServerResponse, source: RawSource, options: RawOptions, isText: boolean): void {
  response.setHeader('Content-Type', isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8')
  response.setHeader('Content-Security-Policy', "sandbox; default-src 'none'")
  if (options.download)
    response.setHeader('Content-Disposition', contentDisposition(fileName(source, options.pointer, isText)))
}

/**
 * Sends `data` byte for byte, or with a pointer the value that it names: a string decoded as text, anything else as
 * it is.
 * @throws DomainError `not_found` if the pointer names nothing, `validation_failed` if it is invalid, `rate_limited`
 *   if the reader's budget is used up.
 */
export async function sendRaw(read: Read, options: RawOptions): Promise<void> {
  const { context, reads, reader, source } = read
  const { response } = context
  if (options.pointer === undefined || options.pointer === '') {
    setHeaders(response, source, options, false)
    const request = { context: documentCall(context), reader }
    await sendBytes(response, { 'Content-Length': source.sizeBytes }, [dataPart(reads, source.data, request)])
    return
  }
  const { value, bytes } = await locate(read, parseJsonPointer(options.pointer))
  const isText = value.kind === 'string'
  setHeaders(response, source, options, isText)
  if (bytes !== null) {
    const sent = isText ? createJsonStringDecoder().push(bytes) : bytes
    await sendBytes(response, { 'Content-Length': sent.length }, [sent])
    return
  }
  const located = dataPart(reads, source.data, { context: documentCall(context), reader }, value)
  const length = isText ? {} : { 'Content-Length': value.length }
  await sendBytes(response, length, [isText ? decodeString(located) : located])
}
