import type { ServerResponse } from 'node:http'
import contentDisposition from 'content-disposition'
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

function setHeaders(response: ServerResponse, title: string, wishes: RawWishes, isText: boolean): void {
  response.setHeader('Content-Type', isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8')
  response.setHeader('Content-Security-Policy', "sandbox; default-src 'none'")
  if (wishes.download) {
    const name = title.replaceAll(/[\p{C}/\\:*?"<>|]+/gu, '_').replace(/^\.+/, '_')
    response.setHeader('Content-Disposition', contentDisposition(`${name}${isText ? '.txt' : '.json'}`))
  }
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
    setHeaders(response, source.title, wishes, false)
    await sendBytes(response, { 'Content-Length': source.sizeBytes }, [part(null)])
    return
  }
  const value = await locate(part(null), parseJsonPointer(wishes.pointer))
  const isText = value.kind === 'string'
  setHeaders(response, source.title, wishes, isText)
  const located = part(value)
  const length = isText ? {} : { 'Content-Length': value.length }
  await sendBytes(response, length, [isText ? decodeString(located) : located])
}
