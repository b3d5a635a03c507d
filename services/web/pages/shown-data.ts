import {
  afterSpace,
  closeBrace,
  colon,
  isEscaped,
  openBrace,
  quote,
  stringBetween,
  stringEnd,
  textBetween,
} from '#engine/json-bytes/json-bytes.js'
import { createJsonStringDecoder } from '#engine/json-bytes/json-string-decoder.js'

/** The maximum that a page shows, in bytes and in lines. */
export const shownBytesMax = 65_536
const shownLinesMax = 200

/** Data as a page shows it. */
export interface ShownData {
  /** Up to the maximum of bytes. */
  readonly text: string
  /** Its first lines. */
  readonly lines: readonly string[]
  /** Says what is left out, if anything. */
  readonly cut: 'bytes' | 'lines' | null
  /** The key of the string that is shown as text; `null` when the JSON text is shown as sent. */
  readonly key: string | null
}

/** The only string of an object, such as the `csv` of a CSV tool. */
interface SingleValue {
  readonly key: string
  /** Its range, including the quotes. */
  readonly start: number
  readonly end: number
}

/** A longer key would make a link that proxies may refuse. */
const keyLengthMax = 200

/**
 * Whether only the object's end follows the string; in a cut document, whether the string runs to the cut.
 */
function isLast(bytes: Uint8Array, { start, end }: { start: number; end: number }, isCut: boolean): boolean {
  const last = end - 1
  const isClosed = last > start && bytes[last] === quote && !isEscaped(bytes, last)
  if (isCut) return !isClosed
  const brace = afterSpace(bytes, end)
  return isClosed && bytes[brace] === closeBrace && afterSpace(bytes, brace + 1) === bytes.length
}

/**
 * The single value of a JSON document; `null` if it has more than one member, duplicates included. In a cut
 * document, its first string if that is cut too.
 */
function singleValue(bytes: Uint8Array, isCut: boolean): SingleValue | null {
  const root = afterSpace(bytes, 0)
  const keyStart = afterSpace(bytes, root + 1)
  if (bytes[root] !== openBrace || bytes[keyStart] !== quote) return null
  const keyEnd = stringEnd(bytes, keyStart)
  const colonAt = afterSpace(bytes, keyEnd)
  const start = afterSpace(bytes, colonAt + 1)
  if (bytes[colonAt] !== colon || bytes[start] !== quote) return null
  const end = stringEnd(bytes, start)
  if (!isLast(bytes, { start, end }, isCut)) return null
  const key = stringBetween(bytes, keyStart, keyEnd)
  return key.length <= keyLengthMax && key.isWellFormed() ? { key, start, end } : null
}

interface ShownString {
  readonly key: string
  readonly value: string
}

/** The single value of the document, or its beginning; `null` if there is none or it is not JSON. */
function shownString(bytes: Uint8Array, isCut: boolean): ShownString | null {
  try {
    const single = singleValue(bytes, isCut)
    if (single === null) return null
    const { key, start, end } = single
    if (!isCut) return { key, value: String(JSON.parse(textBetween(bytes, start, end))) }
    // The decoder drops an escape that was cut.
    const decoded = createJsonStringDecoder().push(bytes.subarray(start))
    return { key, value: textBetween(decoded, 0, decoded.length) }
  } catch {
    return null
  }
}

/** The longest prefix of UTF-8 bytes that ends with a whole character, at most `limit` bytes. */
export function wholeCharacters(bytes: Uint8Array, limit: number): Uint8Array {
  let end = Math.min(bytes.length, limit)
  // Bytes 10xxxxxx continue a character: go back to its first byte, unless the text ends here anyway.
  while (end < bytes.length && end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.subarray(0, end)
}

/**
 * What a page shows, given the first bytes of the data and its size: a single value as text, else the JSON as
 * sent.
 */
export function shownData(head: Uint8Array, sizeBytes: number): ShownData {
  const whole = sizeBytes <= shownBytesMax
  const shown = wholeCharacters(head, shownBytesMax)
  const single = shownString(shown, !whole)
  const text = single?.value ?? textBetween(shown, 0, shown.length)
  const allLines = text.split(/\r\n|[\n\r\u2028\u2029]/)
  const lines = allLines.slice(0, shownLinesMax)
  const cut = lines.length < allLines.length ? 'lines' : whole ? null : 'bytes'
  return { text, lines, cut, key: single?.key ?? null }
}
