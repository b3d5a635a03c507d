/** How many lines above a table can be left out. */
export const skippedLinesMax = 1_000

/** What can begin comments: a character of ASCII that is no letter, digit, blank or quote. */
export const commentPattern = /^[!#-/:-@[-`{-~]$/

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Leaves out the first lines of a text that arrives in chunks. */
export class LineSkipper {
  /** The bytes that were left out. */
  offset = 0
  private remaining: number
  /** Whether a carriage return has ended a chunk, which a line feed may still follow. */
  private isReturned = false

  constructor(lines: number) {
    this.remaining = lines
  }

  /** The bytes of the next chunk that are left out. */
  take(chunk: Uint8Array): number {
    if (chunk.length === 0) return 0
    let at = this.isReturned && chunk[0] === lineFeed ? 1 : 0
    this.isReturned = false
    while (this.remaining > 0 && at < chunk.length) {
      const byte = chunk[at++]
      if (byte !== lineFeed && byte !== carriageReturn) continue
      this.remaining -= 1
      if (byte === lineFeed) continue
      if (at === chunk.length) this.isReturned = true
      else if (chunk[at] === lineFeed) at += 1
    }
    this.offset += at
    return at
  }
}
