import type { ServerResponse } from 'node:http'
import contentDisposition from 'content-disposition'
import { textExtension } from '#libs/core/text-extension.js'
import { type JsonPointer, parseJsonPointer } from '../body/json-pointer.js'
import { createJsonStringDecoder } from '../body/json-string-decoder.js'
import { createPointerLocator, type LocatedValue } from '../body/pointer-locator.js'
import { documentCall } from '../call-context.js'
import type { Exchange } from '../exchange.js'
import { notFound } from '../problem.js'
import type { Upstreams } from '../upstreams.js'
import { type Part, sendBytes } from './send-bytes.js'
import { dataPart, type StoredData } from './stored-data.js'

/** What a raw form is made of. */
export interface RawSource {
  readonly tool: string
  readonly title: string
  readonly sizeBytes: number
  readonly data: StoredData
}

/** How the caller wants it. */
export interface RawWishes {
  readonly pointer?: string | undefined
  readonly download: boolean
}

async function* chunksOf(part: Part): AsyncGenerator<Uint8Array, void, undefined> {
  if (part instanceof Uint8Array) yield part
  else yield* part
}

async function locate(part: Part, pointer: JsonPointer): Promise<LocatedValue> {
  const locator = createPointerLocator(pointer)
  for await (const chunk of chunksOf(part)) locator.push(chunk)
  const value = locator.finish()
  if (value === null) throw notFound('A value at this pointer')
  return value
}

async function* decodeString(part: Part): AsyncGenerator<Uint8Array, void, undefined> {
  const decoder = createJsonStringDecoder()
  for await (const chunk of chunksOf(part)) yield decoder.push(chunk)
}

/** A name for what is saved: that of the document, and what its text is by its key or its tool. */
function fileName({ title, tool }: RawSource, pointer: string | undefined, isText: boolean): string {
  const name = title.replaceAll(/[\p{C}/\\:*?"<>|]+/gu, '_').replace(/^\.+/, '_')
  return `${name}.${isText ? textExtension(pointer?.split('/').at(-1) ?? '', tool) : 'json'}`
}

function setHeaders(response: ServerResponse, source: RawSource, wishes: RawWishes, isText: boolean): void {
  response.setHeader('Content-Type', isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8')
  response.setHeader('Content-Security-Policy', "sandbox; default-src 'none'")
  if (wishes.download)
    response.setHeader('Content-Disposition', contentDisposition(fileName(source, wishes.pointer, isText)))
}

/**
 * Sends `data` alone, byte for byte, or with a pointer the value that it names: a string decoded as text, anything
 * else as it stands.
 * @throws DomainError `not_found` when the pointer names nothing, `validation_failed` when it is none.
 */
export async function sendRaw(
  exchange: Exchange,
  documents: Upstreams['documents'],
  source: RawSource,
  wishes: RawWishes,
): Promise<void> {
  const { response } = exchange
  const context = documentCall(exchange)
  const part = (range: LocatedValue | null): Part => dataPart(documents, source.data, context, range)
  if (wishes.pointer === undefined || wishes.pointer === '') {
    setHeaders(response, source, wishes, false)
    await sendBytes(response, { 'Content-Length': source.sizeBytes }, [part(null)])
    return
  }
  const value = await locate(part(null), parseJsonPointer(wishes.pointer))
  const isText = value.kind === 'string'
  setHeaders(response, source, wishes, isText)
  const located = part(value)
  const length = isText ? {} : { 'Content-Length': value.length }
  await sendBytes(response, length, [isText ? decodeString(located) : located])
}
