import { backslash, letterU, quote, shortEscapes } from './json-bytes.js'

/** Decodes one JSON string that arrives in chunks. */
export interface JsonStringDecoder {
  /** Takes the next bytes of the string and returns the decoded bytes, in UTF-8. */
  push(chunk: Uint8Array): Uint8Array
}

const encoder = new TextEncoder()

function hexValue(byte: number): number {
  return byte <= 0x39 ? byte - 0x30 : (byte | 0x20) - 0x61 + 10
}

/** Output for one chunk. */
interface Writer {
  readonly bytes: Uint8Array
  length: number
}

function writeCodePoint(writer: Writer, codePoint: number): void {
  const { bytes, length } = writer
  writer.length += encoder.encodeInto(String.fromCodePoint(codePoint), bytes.subarray(length)).written
}

/**
 * A decoder of one valid JSON string, from its opening quote to its closing one. Escaped surrogate pairs become one
 * character; a lone surrogate becomes U+FFFD.
 */
export function createJsonStringDecoder(): JsonStringDecoder {
  let mode: 'before' | 'plain' | 'escape' | 'hex' | 'done' = 'before'
  let unit = 0
  let hexDigits = 0
  /** The first half of a pair whose second half may follow, or 0. */
  let high = 0

  /** Writes U+FFFD if the first half of a pair was not followed by the second. */
  function giveUpHigh(writer: Writer): void {
    if (high !== 0) writeCodePoint(writer, 0xfffd)
    high = 0
  }

  function endUnit(writer: Writer): void {
    const isLow = unit >= 0xdc00 && unit <= 0xdfff
    if (high !== 0 && isLow) {
      writeCodePoint(writer, 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00))
      high = 0
      return
    }
    giveUpHigh(writer)
    if (unit >= 0xd800 && unit <= 0xdbff) high = unit
    else writeCodePoint(writer, isLow ? 0xfffd : unit)
  }

  function readEscape(writer: Writer, byte: number): void {
    if (mode === 'hex') {
      unit = unit * 16 + hexValue(byte)
      hexDigits++
      if (hexDigits < 4) return
      mode = 'plain'
      endUnit(writer)
    } else if (byte === letterU) {
      mode = 'hex'
      unit = 0
      hexDigits = 0
    } else {
      giveUpHigh(writer)
      writer.bytes[writer.length++] = shortEscapes.get(byte) ?? byte
      mode = 'plain'
    }
  }

  /** Copies unescaped bytes, consumes the next byte, and returns where it stopped. */
  function readPlain(writer: Writer, chunk: Uint8Array, from: number): number {
    let at = from
    while (at < chunk.length && chunk[at] !== backslash && chunk[at] !== quote) at++
    if (at > from) {
      giveUpHigh(writer)
      writer.bytes.set(chunk.subarray(from, at), writer.length)
      writer.length += at - from
    }
    if (chunk[at] === backslash) mode = 'escape'
    else if (chunk[at] === quote) {
      giveUpHigh(writer)
      mode = 'done'
    }
    return at + 1
  }

  return {
    push(chunk) {
      // An escape is longer than its result; the previous chunk may have left one unfinished, and half a pair.
      const writer: Writer = { bytes: new Uint8Array(chunk.length + 8), length: 0 }
      let at = 0
      while (at < chunk.length && mode !== 'done') {
        if (mode === 'before') {
          mode = 'plain'
          at++
        } else if (mode === 'plain') at = readPlain(writer, chunk, at)
        else readEscape(writer, chunk[at++] ?? 0)
      }
      return writer.bytes.subarray(0, writer.length)
    },
  }
}
