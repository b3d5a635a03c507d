import { JsonRewriter } from '#engine/tools/json/json-rewriter.js'

/** More output than this is not indented: deep nesting could blow up a small document. */
const indentedBytesMax = 167_772_160
/** Each byte can become thousands, so a piece is taken before the next one is read. */
const pieceBytes = 4_096

/** Writes the source up to `until` over several lines, and returns the length of the output. */
function print(source: Uint8Array, indent: string, until: number, out: Uint8Array | null): number {
  const rewriter = new JsonRewriter({ indent })
  let size = 0
  for (let at = 0; at < until; at += pieceBytes) {
    rewriter.scan(source.subarray(at, Math.min(until, at + pieceBytes)))
    for (const piece of rewriter.out.takeAll()) {
      out?.set(piece, size)
      size += piece.length
    }
  }
  return size
}

/** JSON over several lines, and where in it each value begins. */
export interface PrettyJson {
  readonly bytes: Uint8Array
  /** Maps the source offset of a token to its offset in the output. */
  offsetOf(offset: number): number
}

/** Prints valid JSON with two spaces per level, or none where that would be too much; every token stays as it was sent. */
export function prettyPrint(source: Uint8Array): PrettyJson {
  const indentedSize = print(source, '  ', source.length, null)
  const indent = indentedSize <= indentedBytesMax ? '  ' : ''
  const size = indent === '' ? print(source, indent, source.length, null) : indentedSize
  const bytes = new Uint8Array(size)
  print(source, indent, source.length, bytes)
  // The break before a token is written with its first byte.
  return { bytes, offsetOf: (offset) => print(source, indent, offset + 1, null) - 1 }
}
