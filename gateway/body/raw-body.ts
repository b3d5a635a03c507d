import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { MIMEType } from 'node:util'
import type { EncodingName } from '#engine/encoding/encodings.js'
import { utf8Writer } from '#engine/encoding/utf8-of.js'
import { ToolInputError } from '#engine/tools/tool-input-error.js'
import { DomainError } from '#libs/core/domain-error.js'
import type { ByteSource } from './body-bytes.js'
import { malformedText } from './body-errors.js'

/** A raw upload is a text that becomes one member of `data`, or `data` itself as JSON. */
export type RawKind = 'text' | 'data'

const dataType = 'application/vnd.snipkeep.data+json'

/** Media types other than `text/*` whose bodies are text. */
const textTypes =
  /^application\/(octet-stream|csv|ecmascript|javascript|jsonl|jwt|sql|toml|typescript|x-javascript|x-ndjson|x-yaml|(.+\+)?(xml|yaml))$/

/** For messages and docs. */
export const rawMediaTypes = ['text/*', 'application/octet-stream', dataType] as const

/**
 * The kind of a raw upload by its `Content-Type`. Without one, as `curl -T` sends it, the body is text.
 * @param encoding what `?encoding=` names: unless that is UTF-8, it prevails over the charset of a text.
 * @returns `null` for other types, and for charsets other than UTF-8 and its subset US-ASCII.
 */
export function rawKindOf(request: IncomingMessage, encoding: string | null): RawKind | null {
  const types = request.headersDistinct['content-type'] ?? []
  const [first] = types
  if (first === undefined) return 'text'
  if (types.length > 1) return null
  const type = mimeType(first)
  if (type === null) return null
  const isUtf8Text = /^(utf-?8|us-ascii)$/i.test(type.params.get('charset') ?? 'utf-8')
  if (type.essence === dataType) return isUtf8Text ? 'data' : null
  const isNamed = encoding !== null && encoding !== 'utf-8'
  return (isUtf8Text || isNamed) && (type.type === 'text' || textTypes.test(type.essence)) ? 'text' : null
}

function mimeType(text: string): MIMEType | null {
  try {
    return new MIMEType(text)
  } catch {
    return null
  }
}

const shortEscapes: Readonly<Record<number, string>> = {
  8: '\\b',
  9: '\\t',
  10: '\\n',
  12: '\\f',
  13: '\\r',
  34: '\\"',
  92: '\\\\',
}

/**
 * The JSON escape of each byte that must be escaped in a string; `undefined` for all others (RFC 8259, section 7).
 */
const escapes: readonly (Buffer | undefined)[] = Array.from({ length: 256 }, (_none, byte) => {
  const text = shortEscapes[byte] ?? (byte < 32 ? `\\u00${byte.toString(16).padStart(2, '0')}` : null)
  return text === null ? undefined : Buffer.from(text)
})
const lengths = Uint8Array.from(escapes, (written) => written?.length ?? 1)

/** The text as the content of a JSON string, with as few escapes as possible. */
function escaped(text: Uint8Array): Buffer {
  let length = 0
  for (const byte of text) length += lengths[byte] ?? 1
  const json = Buffer.allocUnsafe(length)
  let at = 0
  for (const byte of text) {
    const written = escapes[byte]
    if (written === undefined) json[at++] = byte
    else {
      json.set(written, at)
      at += written.length
    }
  }
  return json
}

/** How many bytes at the end belong to an incomplete character. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte < 0xc0) continue
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return needed > back ? back : 0
  }
  return 0
}

/** The length of the longest valid UTF-8 prefix. */
function validLength(bytes: Uint8Array): number {
  let [valid, invalid] = [0, bytes.length + 1]
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >>> 1
    const start = bytes.subarray(0, middle)
    if (isUtf8(start.subarray(0, middle - unfinished(start)))) valid = middle
    else invalid = middle
  }
  return valid - unfinished(bytes.subarray(0, valid))
}

/**
 * A text in UTF-8 that arrives in another encoding. `next` throws `malformed_text` at the first character that is not
 * of it.
 */
export function textIn(text: ByteSource, encoding: 'auto' | EncodingName): ByteSource {
  if (encoding === 'utf-8') return text
  const writer = utf8Writer({ encoding, isXml: false })
  let isOver = false

  async function written(): Promise<Uint8Array | null> {
    if (isOver) return null
    const chunk = await text.next()
    isOver = chunk === null
    try {
      return chunk === null ? writer.end() : writer.take(chunk)
    } catch (error) {
      if (!(error instanceof ToolInputError)) throw error
      throw new DomainError(
        'invalid',
        'malformed_text',
        error.message,
        { ...error.position },
        { cause: error },
      )
    }
  }

  return {
    async next() {
      let bytes = await written()
      while (bytes !== null && bytes.length === 0) bytes = await written()
      return bytes === null ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    },
    stop: (reason) => text.stop(reason),
  }
}

/**
 * Wraps a text that arrives in chunks as `{"key":"…"}`. Escaping makes a chunk at most six times as long. `next` throws
 * `malformed_text` at the first byte that is not UTF-8.
 */
export function textAsData(text: ByteSource, key: string): ByteSource {
  let part: 'before' | 'inside' | 'over' = 'before'
  let offset = 0
  let rest: Buffer = Buffer.alloc(0)

  function take(chunk: Buffer): Buffer {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const whole = bytes.subarray(0, bytes.length - unfinished(bytes))
    if (!isUtf8(whole)) throw malformedText(offset + validLength(whole))
    rest = bytes.subarray(whole.length)
    offset += whole.length
    return escaped(whole)
  }

  return {
    async next() {
      if (part === 'over') return null
      if (part === 'before') {
        part = 'inside'
        return Buffer.from(`{${JSON.stringify(key)}:"`)
      }
      const chunk = await text.next()
      if (chunk !== null) return take(chunk)
      if (rest.length > 0) throw malformedText(offset)
      part = 'over'
      return Buffer.from('"}')
    },
    stop: (reason) => text.stop(reason),
  }
}
