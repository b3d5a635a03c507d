import { likelyEncoding } from '../encoding/find-encoding.js'
import { joinBytes } from '../join-bytes.js'
import { LineCounter } from '../line-counter.js'
import { markLength } from '../mark-length.js'
import { ToolInputError } from './tool-input-error.js'
import { badByte, isUtf8, wholeCharactersEnd } from './whole-input.js'

/**
 * The input, checked, without a byte order mark unless it is to be kept.
 * @throws ToolInputError `not_utf8` at the first byte that is not UTF-8.
 */
export async function* utf8Input(
  input: AsyncIterable<Uint8Array>,
  keepsMark = false,
): AsyncGenerator<Uint8Array> {
  const lines = new LineCounter()
  /** The bytes of a character that the end of the last chunk splits. */
  let rest = new Uint8Array(0)
  let isFirst = true
  for await (const chunk of input) {
    const joined = rest.length === 0 ? chunk : joinBytes(rest, chunk)
    const end = wholeCharactersEnd(joined)
    check(joined, end, lines)
    lines.count(joined, end)
    const from = isFirst && !keepsMark ? markLength(joined) : 0
    if (end > 0) isFirst = false
    if (end > from) yield joined.subarray(from, end)
    rest = joined.slice(end)
  }
  if (rest.length > 0) throw notUtf8(lines, rest)
}

function check(bytes: Uint8Array, end: number, lines: LineCounter): void {
  const whole = bytes.subarray(0, end)
  if (isUtf8(whole)) return
  lines.count(whole, badByte(whole))
  throw notUtf8(lines, whole)
}

function notUtf8(lines: LineCounter, bytes: Uint8Array): ToolInputError {
  const message = `The text is not UTF-8. ${likelyEncoding(bytes)}`
  return new ToolInputError('not_utf8', message, lines.position())
}
