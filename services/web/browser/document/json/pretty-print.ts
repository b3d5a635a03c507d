import { JsonRewriter } from '#engine/tools/json/json-rewriter.js'
import { GrowingBytes } from '#engine/tools/whole-input.js'

/** More output than this is not indented: deep nesting could blow up a small document. */
const indentedBytesMax = 167_772_160
/** Each byte can become thousands, so a piece is taken before the next one is read. */
const pieceBytes = 4_096

/** Writes the source up to `until` over several lines; yields the output, which is the reader's until it asks for more. */
function* printed(source: Uint8Array, indent: string, until = source.length): Generator<Uint8Array> {
  const rewriter = new JsonRewriter({ indent })
  for (let at = 0; at < until; at += pieceBytes) {
    rewriter.scan(source.subarray(at, Math.min(until, at + pieceBytes)))
    yield* rewriter.out.takeFull()
  }
  yield* rewriter.out.takeAll()
}

/** All of the output; `null` if it is larger than allowed. */
function whole(source: Uint8Array, indent: string, bytesMax: number): Uint8Array | null {
  const bytes = new GrowingBytes(Math.ceil(source.length * 1.5))
  for (const piece of printed(source, indent)) {
    if (bytes.length + piece.length > bytesMax) return null
    bytes.append(piece)
  }
  return bytes.whole()
}

/** JSON over several lines, and where in it each value begins. */
export interface PrettyJson {
  readonly bytes: Uint8Array
  /** Maps the source offset of a token to its offset in the output. */
  offsetOf(offset: number): number
}

/** Prints valid JSON with two spaces per level, or none where that would be too much; every token stays as it was sent. */
export function prettyPrint(source: Uint8Array): PrettyJson {
  const indented = whole(source, '  ', indentedBytesMax)
  const bytes = indented ?? whole(source, '', Number.POSITIVE_INFINITY) ?? source
  const indent = indented === null ? '' : '  '
  const sizeUpTo = (until: number): number => {
    let size = 0
    for (const piece of printed(source, indent, until)) size += piece.length
    return size
  }
  // The break before a token is written with its first byte.
  return { bytes, offsetOf: (offset) => sizeUpTo(offset + 1) - 1 }
}
