import { createJsonStringDecoder } from '#libs/json-bytes/json-string-decoder.js'
import { textBetween } from '#libs/json-bytes/json-strings.js'
import { wholeCharacters } from '../readable.js'
import { singleValue } from '../single-value.js'

/** The bytes of data that a page shows at most, and the lines. */
export const shownBytesMax = 65_536
const shownLinesMax = 200

/** Data as a page shows it. */
export interface ShownData {
  readonly lines: readonly string[]
  /** What is left out, if anything. */
  readonly cut: 'bytes' | 'lines' | null
  /** The key of the string that is shown as itself; `null` when the JSON text is shown as it was sent. */
  readonly key: string | null
}

interface ShownString {
  readonly key: string
  readonly value: string
}

/** The single value of the document, or its beginning; `null` where there is none, or no JSON at all. */
function shownString(bytes: Uint8Array, isCut: boolean): ShownString | null {
  try {
    const lone = singleValue(bytes, isCut)
    if (lone === null) return null
    const { key, start, end } = lone
    if (!isCut) return { key, value: String(JSON.parse(textBetween(bytes, start, end))) }
    // The decoder leaves out an escape that was cut.
    const decoded = createJsonStringDecoder().push(bytes.subarray(start))
    return { key, value: textBetween(decoded, 0, decoded.length) }
  } catch {
    return null
  }
}

/** What a page shows of data that begins with these bytes and has this many: a single value as itself, else the text as sent. */
export function shownData(head: Uint8Array, sizeBytes: number): ShownData {
  const whole = sizeBytes <= shownBytesMax
  const shown = wholeCharacters(head, shownBytesMax)
  const lone = shownString(shown, !whole)
  const text = textBetween(shown, 0, shown.length)
  const allLines = (lone?.value ?? text).split(/\r\n|[\n\r\u2028\u2029]/)
  const lines = allLines.slice(0, shownLinesMax)
  const cut = lines.length < allLines.length ? 'lines' : whole ? null : 'bytes'
  return { lines, cut, key: lone?.key ?? null }
}
