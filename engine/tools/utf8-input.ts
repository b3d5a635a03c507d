import { likelyEncoding } from '../encoding/find-encoding.js'
import { ToolInputError } from './tool.js'
import { badByte, wholeCharactersEnd } from './whole-input.js'

const byteOrderMark = [0xef, 0xbb, 0xbf]

/** Counts lines, for the place of a mistake. */
class Lines {
  private lines = 0
  private lineStart = 0
  private continuationBytes = 0

  /** Counts a chunk that begins at `offset`, up to `end`. */
  count(chunk: Uint8Array, offset: number, end: number): void {
    let from = 0
    for (let at = chunk.indexOf(0x0a); at >= 0 && at < end; at = chunk.indexOf(0x0a, from)) {
      this.lines += 1
      from = at + 1
      this.lineStart = offset + from
      this.continuationBytes = 0
    }
    for (let at = from; at < end; at += 1)
      if (((chunk[at] as number) & 0xc0) === 0x80) this.continuationBytes += 1
  }

  position(offset: number): { offset: number; line: number; column: number } {
    return { offset, line: this.lines + 1, column: offset - this.lineStart - this.continuationBytes + 1 }
  }
}

/**
 * The input, checked, without a byte order mark unless it is to be kept.
 * @throws ToolInputError `not_utf8` at the first byte that is not UTF-8.
 */
export async function* utf8Input(
  input: AsyncIterable<Uint8Array>,
  keepsMark = false,
): AsyncGenerator<Uint8Array> {
  const lines = new Lines()
  /** The bytes of a character that the end of the last chunk splits. */
  let rest = new Uint8Array(0)
  let offset = 0
  let isFirst = true
  for await (const chunk of input) {
    const joined = rest.length === 0 ? chunk : join(rest, chunk)
    const end = wholeCharactersEnd(joined)
    check(joined, end, offset, lines)
    lines.count(joined, offset, end)
    const from = isFirst && !keepsMark && byteOrderMark.every((byte, at) => joined[at] === byte) ? 3 : 0
    if (end > 0) isFirst = false
    if (end > from) yield joined.subarray(from, end)
    rest = joined.slice(end)
    offset += end
  }
  if (rest.length > 0) throw notUtf8(lines, offset, rest)
}

function join(one: Uint8Array, other: Uint8Array): Uint8Array {
  const joined = new Uint8Array(one.length + other.length)
  joined.set(one)
  joined.set(other, one.length)
  return joined
}

function check(bytes: Uint8Array, end: number, offset: number, lines: Lines): void {
  const whole = bytes.subarray(0, end)
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(whole)
  } catch {
    const bad = badByte(whole)
    lines.count(whole, offset, bad)
    throw notUtf8(lines, offset + bad, whole)
  }
}

function notUtf8(lines: Lines, offset: number, bytes: Uint8Array): ToolInputError {
  const message = `The text is not UTF-8. ${likelyEncoding(bytes)}`
  return new ToolInputError('not_utf8', message, lines.position(offset))
}
