import {
  afterSpace,
  closeBracket,
  comma,
  openBracket,
  quote,
  stringEnd,
} from '#engine/json-bytes/json-bytes.js'
import { states } from '#engine/json-bytes/json-grammar.js'
import { isJson, JsonScanner } from '#engine/json-bytes/json-scanner.js'
import { createJsonStringDecoder } from '#engine/json-bytes/json-string-decoder.js'
import { markLength } from '#engine/mark-length.js'
import { isContainer } from '../json/structure.js'

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

/** Reads a JSON value on each line. */
class LineReader extends JsonScanner {
  /** Where each value begins and ends. */
  readonly values: [start: number, end: number][] = []

  /** Whether each line holds one value, or nothing. */
  read(bytes: Uint8Array): boolean {
    return (this.scanAll(bytes) || this.isBetween()) && !this.isStopped
  }

  protected override begin(_byte: number, at: number): void {
    if (this.depth === 0) this.values.push([at, at])
  }

  protected override open(_isObject: boolean, at: number): void {
    this.begin(0, at)
  }

  protected override scalar(_bytes: Uint8Array, _start: number, end: number): void {
    if (this.depth === 0) this.endLast(end)
  }

  protected override close(_isObject: boolean, at: number): void {
    if (this.depth === 1) this.endLast(at + 1)
  }

  protected override endLine(): void {
    if (!this.isBetween() && this.state !== states.done) this.isStopped = true
    this.state = states.value
  }

  private isBetween(): boolean {
    return this.depth === 0 && this.state === states.value
  }

  private endLast(end: number): void {
    const last = this.values.at(-1)
    if (last !== undefined) last[1] = end
  }
}

/** The lines of NDJSON as one array, each value as sent; `null` if a line is not JSON. */
export function ndjsonText(
  bytes: Uint8Array,
): { readonly json: Uint8Array; readonly areContainers: boolean } | null {
  const reader = new LineReader()
  if (!reader.read(bytes) || reader.values.length === 0) return null
  const { values: lines } = reader
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
