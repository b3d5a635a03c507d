import {
  afterSpace,
  closeBracket,
  comma,
  openBracket,
  quote,
  stringEnd,
} from '#engine/json-bytes/json-bytes.js'
import { createJsonStringDecoder } from '#engine/json-bytes/json-string-decoder.js'
import { markLength } from '#engine/mark-length.js'
import { isContainer } from '../json/structure.js'
import { isJson, jsonLines } from '../json/validate-json.js'

/** JSON is unwrapped from nested strings this many times. */
const unwrapsMax = 8

/**
 * The object or array that a text holds, also as JSON within JSON strings; `null` for any other text,
 * including a bare number.
 */
export function jsonText(bytes: Uint8Array): Uint8Array | null {
  let text = bytes
  for (let unwrapped = 0; unwrapped <= unwrapsMax; unwrapped += 1) {
    const start = afterSpace(text, markLength(text))
    if (isContainer(text[start])) {
      const json = text.subarray(start)
      return isJson(json) ? json : null
    }
    if (text[start] !== quote || !isJson(text)) return null
    text = createJsonStringDecoder().push(text.subarray(start, stringEnd(text, start)))
  }
  return null
}

/** The lines of NDJSON as one array, each value as sent; `null` if a line is not JSON. */
export function ndjsonText(
  bytes: Uint8Array,
): { readonly json: Uint8Array; readonly areContainers: boolean } | null {
  const lines = jsonLines(bytes)
  if (lines === null || lines.length === 0) return null
  const json = new Uint8Array(lines.reduce((size, [start, end]) => size + end - start + 1, 1))
  json[0] = openBracket
  let at = 1
  let areContainers = lines.length > 1
  for (const [start, end] of lines) {
    json.set(bytes.subarray(start, end), at)
    at += end - start
    json[at] = comma
    at += 1
    if (!isContainer(bytes[start])) areContainers = false
  }
  json[at - 1] = closeBracket
  return { json, areContainers }
}
