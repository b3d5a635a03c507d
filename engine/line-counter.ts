/** A place in a text: its offset in bytes of UTF-8, and its line and column, which count from 1; columns are characters. */
export interface TextPosition {
  readonly offset: number
  readonly line: number
  readonly column: number
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Counts the lines of UTF-8 that arrives in chunks, for the places of mistakes. */
export class LineCounter {
  /** How many bytes are counted. */
  offset: number
  private line: number
  private lineStart: number
  private continuationBytes = 0
  private readonly countsReturns: boolean
  private isReturned = false

  /** @param countsReturns whether a carriage return ends a line, too; with a line feed behind it, they end one together. */
  constructor(countsReturns = false, offset = 0, line = 1) {
    this.countsReturns = countsReturns
    this.offset = offset
    this.line = line
    this.lineStart = offset
  }

  /** Counts the bytes before `end` of the next chunk. */
  count(chunk: Uint8Array, end = chunk.length): void {
    let from = 0
    const hasReturns = this.countsReturns && chunk.includes(carriageReturn)
    const nextBreak = (at: number): number =>
      hasReturns ? breakFrom(chunk, at) : chunk.indexOf(lineFeed, at)
    for (let at = nextBreak(0); at >= 0 && at < end; at = nextBreak(from)) {
      const isBehindReturn = at === 0 ? this.isReturned : hasReturns && chunk[at - 1] === carriageReturn
      from = at + 1
      if (!(isBehindReturn && chunk[at] === lineFeed)) this.line += 1
      this.lineStart = this.offset + from
      this.continuationBytes = 0
    }
    for (let at = from; at < end; at += 1)
      if (((chunk[at] as number) & 0xc0) === 0x80) this.continuationBytes += 1
    if (end > 0) this.isReturned = this.countsReturns && chunk[end - 1] === carriageReturn
    this.offset += end
  }

  /** Counts a chunk, and returns the position of one of its bytes; `null` if `at` is none. */
  countAround(chunk: Uint8Array, at: number): TextPosition | null {
    if (at >= 0) this.count(chunk, at)
    const position = at >= 0 ? this.position() : null
    this.count(chunk.subarray(Math.max(0, at)))
    return position
  }

  /** The position of the next byte that is not counted yet. */
  position(): TextPosition {
    const { offset, line, lineStart, continuationBytes } = this
    return { offset, line, column: offset - lineStart - continuationBytes + 1 }
  }
}

function breakFrom(chunk: Uint8Array, from: number): number {
  for (let at = from; at < chunk.length; at += 1)
    if (chunk[at] === lineFeed || chunk[at] === carriageReturn) return at
  return -1
}
