import { afterSpace, quote, stringEnd } from '#engine/json-bytes/json-bytes.js'
import { isJson } from '#engine/json-bytes/json-scanner.js'
import { createJsonStringDecoder } from '#engine/json-bytes/json-string-decoder.js'
import { isContainer } from '#engine/json-bytes/json-walk.js'
import { markLength } from '#engine/mark-length.js'

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
