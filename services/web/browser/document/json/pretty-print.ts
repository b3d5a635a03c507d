import {
  afterSpace,
  closeBrace,
  closeBracket,
  colon,
  comma,
  isSpace,
  openBrace,
  openBracket,
  quote,
  stringEnd,
} from '#engine/json-bytes/json-bytes.js'

const lineFeed = 0x0a
const space = 0x20

/** More output than this is not indented: deep nesting could blow up a small document. */
const indentedBytesMax = 167_772_160

/**
 * Prints valid JSON over several lines, keeping every token as sent: numbers, escapes, order and duplicates.
 * Writes into `out` if given, and returns the length of the output up to the source offset `until`.
 */
function print(bytes: Uint8Array, indent: number, out: Uint8Array | null, until: number): number {
  let size = 0
  let depth = 0
  const put = (byte: number): void => {
    if (out !== null) out[size] = byte
    size += 1
  }
  const breakLine = (): void => {
    put(lineFeed)
    const blanks = depth * indent
    out?.fill(space, size, size + blanks)
    size += blanks
  }
  for (let at = 0; at < until; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === quote) {
      const end = stringEnd(bytes, at)
      for (let from = at; out !== null && from < end; from += 1) out[size + from - at] = bytes[from] ?? 0
      size += end - at
      at = end - 1
    } else if (byte === openBrace || byte === openBracket) {
      put(byte)
      const inner = afterSpace(bytes, at + 1)
      if (bytes[inner] === closeBrace || bytes[inner] === closeBracket) {
        put(bytes[inner] ?? 0)
        at = inner
      } else {
        depth += 1
        breakLine()
      }
    } else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1
      breakLine()
      put(byte)
    } else if (byte === comma) {
      put(byte)
      breakLine()
    } else if (byte === colon) {
      put(byte)
      put(space)
    } else if (!isSpace(byte)) put(byte)
  }
  return size
}

/** JSON over several lines, and where in it each value begins. */
export interface PrettyJson {
  readonly bytes: Uint8Array
  /** Maps the source offset of a token to its offset in the output. */
  placeOf(offset: number): number
}

/** Prints valid JSON with two spaces per level, or none where that would be too much. */
export function prettyPrint(source: Uint8Array): PrettyJson {
  const indentedSize = print(source, 2, null, source.length)
  const indent = indentedSize <= indentedBytesMax ? 2 : 0
  const size = indent === 2 ? indentedSize : print(source, 0, null, source.length)
  const bytes = new Uint8Array(size)
  print(source, indent, bytes, source.length)
  return { bytes, placeOf: (offset) => print(source, indent, null, offset) }
}
