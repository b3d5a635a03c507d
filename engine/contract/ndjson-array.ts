import { afterSpace, closeBracket, comma, isSpace, openBrace, openBracket } from '../json-bytes/json-bytes.js'
import { isJson } from '../json-bytes/json-scanner.js'
import { markLength } from '../mark-length.js'

const lineFeed = 0x0a

/** Whether a text has several lines that are objects or arrays, each by itself. */
export function isNdjson(bytes: Uint8Array): boolean {
  const first = afterSpace(bytes, 0)
  const end = bytes.indexOf(lineFeed, first)
  return end >= 0 && afterSpace(bytes, end) < bytes.length && ndjsonArray(bytes, false) !== null
}

/** Whether a text is one array of JSON, while the lines of `array` begin with something else. */
export function isArrayForLines(marked: Uint8Array, array: Uint8Array): boolean {
  const bytes = marked.subarray(markLength(marked))
  const isArray = bytes[afterSpace(bytes, 0)] === openBracket
  return isArray && array[afterSpace(array, 1)] !== openBracket && isJson(bytes)
}

/**
 * The lines of a text as one array of JSON: each that is not blank is a value, of which `any` may be, or an object or an
 * array. `null` if one is something else.
 */
export function ndjsonArray(marked: Uint8Array, any: boolean): Uint8Array | null {
  const bytes = marked.subarray(markLength(marked))
  const array = new Uint8Array(bytes.length + 2)
  array[0] = openBracket
  let [length, lines] = [1, 0]
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(lineFeed, start)
    const end = found < 0 ? bytes.length : found
    let first = start
    while (first < end && isSpace(bytes[first])) first += 1
    if (first < end) {
      if (!any && bytes[first] !== openBrace && bytes[first] !== openBracket) return null
      // By itself: brackets of one line must not be closed in another.
      if (!isJson(bytes.subarray(start, end))) return null
      if (lines > 0) array[length++] = comma
      array.set(bytes.subarray(start, end), length)
      length += end - start
      lines += 1
    }
    start = end + 1
  }
  array[length] = closeBracket
  return array.subarray(0, length + 1)
}
