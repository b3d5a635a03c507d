import type { EncodingName } from '#engine/encoding/encodings.js'
import { utf8Of } from '#engine/encoding/utf8-of.js'
import type { InputPosition } from '#engine/tools/tool-input-error.js'
import { blobChunks } from '../blob-chunks.js'

/** How the tool reads a file. */
export interface FileReading {
  readonly encoding: 'auto' | EncodingName
  readonly isXml: boolean
}

/** Some lines of a file. */
export interface FileLines {
  /** The number of the first. */
  readonly first: number
  readonly lines: readonly string[]
}

const aroundBytes = 2_048
const linesBefore = 100
const linesMax = 200
const lineFeed = 0x0a
/** Small, because the piece with a character that is not in the encoding is lost as a whole. */
const pieceBytes = 256

async function* piecesOf(file: Blob): AsyncGenerator<Uint8Array> {
  for await (const chunk of blobChunks(file))
    for (let at = 0; at < chunk.length; at += pieceBytes) yield chunk.subarray(at, at + pieceBytes)
}

function lineFeedsIn(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) count += 1
  return count
}

/**
 * The lines around a place of a file in any encoding: places count in its text as UTF-8, as the tool has read it. A
 * character that the window cuts is shown as U+FFFD.
 * @throws ToolInputError if the file cannot be read up to there.
 */
export async function linesAround(
  file: Blob,
  { offset, line }: Pick<InputPosition, 'offset' | 'line'>,
  reading: FileReading,
): Promise<FileLines> {
  const from = Math.max(0, offset - aroundBytes)
  const window = new Uint8Array(offset + aroundBytes - from)
  let length = 0
  let at = 0
  let first = 1
  try {
    for await (const piece of utf8Of(piecesOf(file), reading)) {
      const start = Math.min(piece.length, Math.max(0, from - at))
      first += lineFeedsIn(piece.subarray(0, start))
      const part = piece.subarray(start, start + window.length - length)
      window.set(part, length)
      length += part.length
      at += piece.length
      if (length === window.length) break
    }
  } catch (error) {
    // The text ends where it is not in its encoding, which may be what is wrong there.
    if (length === 0) throw error
  }
  const lines = new TextDecoder().decode(window.subarray(0, length)).split('\n')
  const skipped = Math.max(0, line - first - linesBefore)
  return { first: first + skipped, lines: lines.slice(skipped, skipped + linesMax) }
}
