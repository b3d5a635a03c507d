import type { CsvPosition } from './csv-error.js'

const carriageReturn = 0x0d

function charactersIn(bytes: Uint8Array, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at += 1) if (((bytes[at] as number) & 0xc0) !== 0x80) count += 1
  return count
}

/** Counts the lines of a text that arrives in chunks, for the places of mistakes. Positions are those in the chunk. */
export class LineCounter {
  /** How many bytes of the input came before this chunk. */
  offset: number
  /** The place marked last, once its chunk has ended. */
  marked: CsvPosition | null = null

  private line: number
  private lineStart: number
  /** The characters of this line that came before this chunk. */
  private charactersBefore = 0
  /** The end of the last carriage return. */
  private returnEnd = -1
  private markedAt = -1
  private markedLine = 1
  private markedLineStart = 0

  constructor(offset: number, line: number) {
    this.offset = offset
    this.line = line
    this.lineStart = offset
  }

  /** Takes a line feed, a carriage return, or both in turn. */
  lineBreak(byte: number, at: number): void {
    const end = this.offset + at + 1
    if (byte === carriageReturn) this.returnEnd = end
    if (byte === carriageReturn || this.returnEnd !== end - 1) this.line += 1
    this.lineStart = end
  }

  /** Marks a place, at no cost. */
  mark(at: number): void {
    this.markedAt = this.offset + at
    this.markedLine = this.line
    this.markedLineStart = this.lineStart
  }

  position(chunk: Uint8Array, at: number): CsvPosition {
    const column = this.charactersUpTo(chunk, this.lineStart, at) + 1
    return { offset: this.offset + at, line: this.line, column }
  }

  endChunk(chunk: Uint8Array): void {
    const { markedAt, markedLine, markedLineStart } = this
    if (markedAt >= this.offset) {
      const column = this.charactersUpTo(chunk, markedLineStart, markedAt - this.offset) + 1
      this.marked = { offset: markedAt, line: markedLine, column }
    }
    this.charactersBefore = this.charactersUpTo(chunk, this.lineStart, chunk.length)
    this.offset += chunk.length
  }

  private charactersUpTo(chunk: Uint8Array, lineStart: number, at: number): number {
    const before = lineStart < this.offset ? this.charactersBefore : 0
    return before + charactersIn(chunk, Math.max(0, lineStart - this.offset), at)
  }
}
