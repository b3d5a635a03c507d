import { joinBytes } from '../join-bytes.js'
import { backslash, letterU, quote, shortEscapes } from './json-bytes.js'

/** Decodes one JSON string that arrives in chunks. */
export interface JsonStringDecoder {
  /** Takes the next bytes of the string and returns the decoded bytes, in UTF-8. */
  push(chunk: Uint8Array): Uint8Array
  /**
   * Where in the string, from its opening quote, the first bytes of the text end that `push` returned last. Decodes them
   * again, into the array that `push` returned. Not to be called once `push` has been given bytes behind the closing
   * quote: it returns none of them, so this would still count in the chunk before.
   */
  placeAfter(length: number): number
  /** Where what is decoded so far ends: at the closing quote, if that was read. */
  position(): number
}

const encoder = new TextEncoder()
const nothing = new Uint8Array(0)

function unitAt(bytes: Uint8Array, at: number): number {
  let unit = 0
  for (let digit = at; digit < at + 4; digit += 1) {
    const byte = bytes[digit] as number
    unit = unit * 16 + (byte <= 0x39 ? byte - 0x30 : (byte | 0x20) - 0x57)
  }
  return unit
}

/**
 * The code point that the escape at a backslash stands for, with the next escape if both are a pair; half of a pair
 * stands for itself. -1 if the bytes end before that is known.
 */
export function escapedCode(bytes: Uint8Array, at: number): number {
  const letter = bytes[at + 1]
  if (letter === undefined) return -1
  if (letter !== letterU) return shortEscapes.get(letter) ?? letter
  const next = at + 6
  if (next > bytes.length) return -1
  const unit = unitAt(bytes, at + 2)
  if (unit < 0xd800 || unit > 0xdbff) return unit
  const mayBePair = (bytes[next] ?? backslash) === backslash && (bytes[next + 1] ?? letterU) === letterU
  if (!mayBePair) return unit
  if (next + 6 > bytes.length) return -1
  const low = unitAt(bytes, next + 2)
  return low >= 0xdc00 && low <= 0xdfff ? 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00) : unit
}

/** The length of the escape at a backslash that stands for this code point. */
export function escapeLength(bytes: Uint8Array, at: number, code: number): number {
  if (bytes[at + 1] !== letterU) return 2
  return code > 0xffff ? 12 : 6
}

function put(out: Uint8Array, to: number, code: number, keepsHalves: boolean): number {
  if (keepsHalves && code >= 0xd800 && code <= 0xdfff) {
    out.set([0xed, 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)], to)
    return to + 3
  }
  return to + encoder.encodeInto(String.fromCodePoint(code), out.subarray(to)).written
}

/**
 * A decoder of one valid JSON string, from its opening quote to its closing one. Escaped surrogate pairs become one
 * character; a lone surrogate becomes U+FFFD, unless it is to be kept, as three bytes of its own.
 */
export function createJsonStringDecoder(keepsHalves = false): JsonStringDecoder {
  /** The last chunk, behind the escape that the one before cut. */
  let bytes: Uint8Array = nothing
  let out: Uint8Array = nothing
  /** Where the bytes begin in the string, where the text begins in them, and where it ends. */
  let [offset, start, end] = [0, 1, 0]
  let length = 0

  /** Decodes until so many bytes are written, and returns where it stopped. */
  function decode(source: Uint8Array, out: Uint8Array, until: number): number {
    const size = source.length
    let [at, to] = [start, 0]
    while (at < size && to < until) {
      const from = at
      const plainMax = Math.min(size, at + until - to)
      while (at < plainMax && source[at] !== quote && source[at] !== backslash) at += 1
      if (at - from > 64) out.set(source.subarray(from, at), to)
      else for (let next = from; next < at; next += 1) out[to + next - from] = source[next] as number
      to += at - from
      if (source[at] !== backslash || to >= until) break
      const code = escapedCode(source, at)
      if (code < 0) break
      if (code < 0x80) out[to++] = code
      else to = put(out, to, code, keepsHalves)
      at += escapeLength(source, at, code)
    }
    length = to
    return at
  }

  return {
    push(chunk) {
      if (bytes[end] === quote && end >= start) return nothing
      const rest = bytes.subarray(end)
      offset += end
      bytes = rest.length === 0 ? chunk : joinBytes(rest, chunk)
      start = offset === 0 ? 1 : 0
      // Whatever is written is not longer than its escape.
      out = new Uint8Array(bytes.length)
      end = Math.min(decode(bytes, out, Number.MAX_SAFE_INTEGER), bytes.length)
      return out.subarray(0, length)
    },
    placeAfter: (count) => offset + decode(bytes, out, count),
    position: () => offset + end,
  }
}
