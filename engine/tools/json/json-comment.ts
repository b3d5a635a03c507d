import { type InputPosition, ToolInputError } from '../tool.js'

const lineFeed = 0x0a
const carriageReturn = 0x0d
const slash = 0x2f
const star = 0x2a
const bytesMax = 65_536

/** A comment in JSON that arrives byte by byte: to the end of its line, or between slashes and stars. */
export class JsonComment {
  isOpen = false
  start: InputPosition = { offset: 0, line: 1, column: 1 }
  private bytes: number[] = []

  begin(start: InputPosition): void {
    this.start = start
    this.isOpen = true
    this.bytes = []
  }

  /** Takes a byte, and returns whether it is part of the comment; the end of a line is not. */
  take(byte: number): boolean {
    const { bytes } = this
    const isLine = bytes[1] === slash
    if (bytes.length === 1 && byte !== slash && byte !== star) this.isOpen = false
    else if (isLine && byte === lineFeed) this.isOpen = false
    else if (bytes.length > 2 && !isLine && byte === slash && bytes.at(-1) === star) this.isOpen = false
    if (!this.isOpen && !(byte === slash && bytes.length > 1 && !isLine)) return false
    bytes.push(byte)
    if (bytes.length > bytesMax)
      throw new ToolInputError('comment_too_long', 'A comment has more than 65,536 bytes.', this.start)
    return true
  }

  /**
   * Ends it, also at the end of the input; `null` if it is not closed, or is none.
   * @throws ToolInputError `not_utf8`.
   */
  end(): Uint8Array | null {
    const { bytes } = this
    this.isOpen = false
    const isLine = bytes[1] === slash
    const isBlock = bytes[1] === star && bytes.length > 3 && bytes.at(-1) === slash && bytes.at(-2) === star
    if (!isLine && !isBlock) return null
    while (isLine && (bytes.at(-1) === 0x20 || bytes.at(-1) === 0x09 || bytes.at(-1) === carriageReturn))
      bytes.pop()
    const text = Uint8Array.from(bytes)
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(text)
    } catch {
      throw new ToolInputError('not_utf8', 'A comment is not UTF-8.', this.start)
    }
    return text
  }
}
