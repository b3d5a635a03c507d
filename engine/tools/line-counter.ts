import type { InputPosition } from './tool.js'

const lineFeed = 0x0a

/** Counts the lines of an input that arrives in chunks, for the position of a mistake. */
export class LineCounter {
  private offset = 0
  private lines = 0
  private lineStart = 0
  private continuationBytes = 0

  /** Counts the bytes before `end` of the next chunk. */
  count(chunk: Uint8Array, end = chunk.length): void {
    let from = 0
    for (let at = chunk.indexOf(lineFeed); at >= 0 && at < end; at = chunk.indexOf(lineFeed, from)) {
      from = at + 1
      this.lines += 1
      this.lineStart = this.offset + from
      this.continuationBytes = 0
    }
    for (let at = from; at < end; at += 1)
      if (((chunk[at] as number) & 0xc0) === 0x80) this.continuationBytes += 1
    this.offset += end
  }

  /** The position of the next byte that is not counted yet. */
  position(): InputPosition {
    const { offset, lines, lineStart, continuationBytes } = this
    return { offset, line: lines + 1, column: offset - lineStart - continuationBytes + 1 }
  }
}
