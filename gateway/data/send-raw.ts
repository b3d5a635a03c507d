import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import contentDisposition from 'content-disposition'
import { createJsonStringDecoder } from '#engine/json-bytes/json-string-decoder.js'
import { validationFailed } from '#libs/core/domain-error.js'
import { textExtension, withExtension } from '#shared/core/text-extension.js'
import { type ByteRange, requestedRange } from '../http/byte-range.js'
import { type Part, sendBytes } from '../http/send-bytes.js'
import { documentCall } from '../request/request-context.js'
import { parseJsonPointer } from './json-pointer.js'
import { chunksOf, type FoundValue, locateValue, type RawRead, type RawSource } from './locate-value.js'
import type { LocatedRows, RowRange, Span } from './located-rows.js'
import { dataPart } from './stored-data.js'

/** The options of a raw read. */
export interface RawOptions {
  readonly pointer?: string | undefined
  readonly rows?: RowRange | undefined
  readonly download: boolean
}

/** Decodes one JSON string whose bytes are spread over parts. */
export async function* decodeString(parts: readonly Part[]): AsyncGenerator<Uint8Array, void, undefined> {
  const decoder = createJsonStringDecoder()
  for (const part of parts) for await (const chunk of chunksOf(part)) yield decoder.push(chunk)
}

/** The title of the document, with an extension, unless it has it, by the last key of the pointer or by the tool. */
function fileName({ title, tool }: RawSource, pointer: string | undefined, isText: boolean): string {
  const name = title.replaceAll(/[\p{C}/\\:*?"<>|]+/gu, '_').replace(/^\.+/, '_')
  const extension = isText ? textExtension(pointer?.split('/').at(-1) ?? '', tool) : 'json'
  return withExtension(name, extension)
}

function setHeaders(response: ServerResponse, source: RawSource, options: RawOptions, isText: boolean): void {
  response.setHeader('Content-Type', isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8')
  response.setHeader('Content-Security-Policy', "sandbox; default-src 'none'")
  if (options.download)
    response.setHeader('Content-Disposition', contentDisposition(fileName(source, options.pointer, isText)))
}

/** Bytes that support range requests. */
interface Seekable {
  readonly length: number
  open(range: ByteRange | null): Part
}

async function sendSeekable({ request, response }: RawRead['context'], bytes: Seekable): Promise<void> {
  const range = requestedRange(request, response.getHeader('ETag'), bytes.length)
  const headers: OutgoingHttpHeaders = { 'Accept-Ranges': 'bytes', 'Content-Length': bytes.length }
  if (range !== null) {
    const { offset, length } = range
    response.statusCode = 206
    headers['Content-Range'] = `bytes ${offset}-${offset + length - 1}/${bytes.length}`
    headers['Content-Length'] = length
  }
  await sendBytes(response, headers, [bytes.open(range)])
}

const seekable = (bytes: Uint8Array): Seekable => ({
  length: bytes.length,
  open: (range) => (range === null ? bytes : bytes.subarray(range.offset, range.offset + range.length)),
})

/** Opens a range of a value's bytes, from memory or by reading the document again. */
type OpenValue = (range: ByteRange) => Part

/** Sends a string as decoded text, and any other value as JSON. */
async function sendValue(read: RawRead, { value, bytes }: FoundValue, open: OpenValue): Promise<void> {
  if (value.kind !== 'string') {
    const whole = { offset: 0, length: value.length }
    await sendSeekable(read.context, { length: value.length, open: (range) => open(range ?? whole) })
  } else if (bytes !== null) await sendSeekable(read.context, seekable(createJsonStringDecoder().push(bytes)))
  else await sendBytes(read.context.response, {}, [decodeString([open({ offset: 0, length: value.length })])])
}

/** Sends rows of an array as an array, and rows of CSV as text under its header. */
async function sendRows(read: RawRead, { kind, header, rows, total }: LocatedRows, open: OpenValue) {
  const at = ({ start, end }: Span): readonly Part[] =>
    end === start ? [] : [open({ offset: start, length: end - start })]
  const headers = { 'X-Total-Rows': total }
  if (kind === 'array') {
    const parts = [Buffer.from('['), ...at(rows), Buffer.from(']')]
    await sendBytes(read.context.response, { ...headers, 'Content-Length': rows.end - rows.start + 2 }, parts)
  } else {
    const text = decodeString([Buffer.from('"'), ...at(header), ...at(rows)])
    await sendBytes(read.context.response, headers, [text])
  }
}

function withoutRows(kind: string): Error {
  const detail = `rows needs an array or a string that contains CSV; pointer names ${/^[ao]/.test(kind) ? 'an' : 'a'} ${kind}.`
  return validationFailed([{ pointer: 'rows', code: 'invalid_type', detail }])
}

/**
 * Sends `data` byte for byte, or the value that a pointer names: a string as decoded text, anything else unchanged.
 * With `rows`, sends only those rows of the value.
 * @throws DomainError `not_found` if the pointer names nothing, `validation_failed` if it is invalid or its value has
 *   no rows, `rate_limited` if the reader's budget is used up, `range_not_satisfiable` if the range starts beyond the
 *   end.
 */
export async function sendRaw(read: RawRead, options: RawOptions): Promise<void> {
  const { context, reads, reader, source } = read
  const request = { context: documentCall(context), reader }
  if (options.pointer === undefined || options.pointer === '') {
    setHeaders(context.response, source, options, false)
    const open = (range: ByteRange | null): Part => dataPart(reads, source.data, request, range)
    await sendSeekable(context, { length: source.sizeBytes, open })
    return
  }
  const found = await locateValue(read, parseJsonPointer(options.pointer), options.rows)
  const { value, bytes, rows } = found
  if (options.rows !== undefined && rows === null) throw withoutRows(value.kind)
  setHeaders(context.response, source, options, value.kind === 'string')
  const open = ({ offset, length }: ByteRange): Part =>
    bytes === null
      ? dataPart(reads, source.data, request, { offset: value.offset + offset, length })
      : bytes.subarray(offset, offset + length)
  if (rows === null) await sendValue(read, found, open)
  else await sendRows(read, rows, open)
}
