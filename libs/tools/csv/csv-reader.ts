import { ToolInputError } from '../tool.js'

const doubleQuote = 0x22
const lineFeed = 0x0a
const carriageReturn = 0x0d

/** How the parts of a cell follow one another. */
const cellStart = 0
const plain = 1
const quoted = 2
/** A quote within a quoted cell: its end, or the first of two. */
const quoteSeen = 3

/**
 * Reads CSV (RFC 4180) that arrives in chunks, row by row. Rows end with any line break; lines without anything are no
 * rows. What follows a closing quote belongs to its cell, as does a quote within a cell that does not begin with one.
 */
export class CsvReader {
  /** The texts of the row's cells, concatenated. */
  bytes: Uint8Array = new Uint8Array(4_096)
  /** Where each cell ends in `bytes`. */
  ends: Uint32Array = new Uint32Array(64)
  /** 1 for each cell that is in quotes. */
  inQuotes: Uint8Array = new Uint8Array(64)
  /** The cells of the row. */
  cellCount = 0

  private readonly separator: number
  private length = 0
  private state = cellStart
  private isRowDone = false
  private line = 1
  private openedInLine = 1
  private afterReturn = false
  private isQuoted = false

  constructor(separator: number) {
    this.separator = separator
  }

  /** Reads a chunk from `from` on, and returns where it stopped: behind a row if `hasRow`, else at its end. */
  read(chunk: Uint8Array, from: number): number {
    if (this.isRowDone) this.startRow()
    let at = from
    while (at < chunk.length) {
      if (this.state === quoted) at = this.readQuoted(chunk, at)
      else at = this.readPlain(chunk, at)
      if (this.isRowDone) return at
    }
    return at
  }

  /** Whether a row is complete. */
  get hasRow(): boolean {
    return this.isRowDone
  }

  /**
   * Ends the input, which may complete a row.
   * @throws ToolInputError `csv_quote_open` when a quote is never closed.
   */
  end(): void {
    if (this.isRowDone) this.startRow()
    if (this.state === quoted)
      throw new ToolInputError(
        'csv_quote_open',
        `The quote that opens a cell in line ${this.openedInLine} is never closed.`,
      )
    if (this.state !== cellStart || this.cellCount > 0) {
      this.endCell()
      this.isRowDone = true
    }
  }

  private startRow(): void {
    this.isRowDone = false
    this.cellCount = 0
    this.length = 0
  }

  private copy(chunk: Uint8Array, start: number, end: number): void {
    const needed = this.length + end - start
    if (needed > this.bytes.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.bytes.length))
      larger.set(this.bytes.subarray(0, this.length))
      this.bytes = larger
    }
    const { bytes, length } = this
    if (end - start > 64) bytes.set(chunk.subarray(start, end), length)
    else for (let at = start; at < end; at += 1) bytes[length + at - start] = chunk[at] as number
    this.length = needed
  }

  private readQuoted(chunk: Uint8Array, from: number): number {
    const found = chunk.indexOf(doubleQuote, from)
    const end = found < 0 ? chunk.length : found
    for (let at = from; at < end; at += 1) if (chunk[at] === lineFeed) this.line += 1
    this.copy(chunk, from, end)
    if (found < 0) return end
    this.state = quoteSeen
    return end + 1
  }

  /** Reads what is not in quotes: up to a quote that matters, the end of a row, or the end of the chunk. */
  private readPlain(chunk: Uint8Array, from: number): number {
    const { separator } = this
    let start = from
    let at = from
    for (; at < chunk.length; at += 1) {
      const byte = chunk[at] as number
      if (byte === separator) {
        this.copy(chunk, start, at)
        this.endCell()
        start = at + 1
      } else if (
        byte === doubleQuote &&
        (this.state === quoteSeen || (this.state === cellStart && at === start))
      ) {
        return this.takeQuote(chunk, at)
      } else if (byte === lineFeed || byte === carriageReturn) {
        this.copy(chunk, start, at)
        if (this.takeLineBreak(byte)) return at + 1
        start = at + 1
      } else if (this.state !== plain) {
        this.state = plain
        this.afterReturn = false
      }
    }
    this.copy(chunk, start, at)
    return at
  }

  private takeQuote(chunk: Uint8Array, at: number): number {
    if (this.state === quoteSeen) this.copy(chunk, at, at + 1)
    else this.openedInLine = this.line
    this.isQuoted = true
    this.afterReturn = false
    this.state = quoted
    return at + 1
  }

  /** Takes a line break, and returns whether it ends a row. */
  private takeLineBreak(byte: number): boolean {
    const isSecond = byte === lineFeed && this.afterReturn
    const isRow = this.state !== cellStart || this.cellCount > 0
    if (isRow) this.endCell()
    this.afterReturn = byte === carriageReturn
    if (!isSecond) this.line += 1
    this.isRowDone = isRow
    return isRow
  }

  private endCell(): void {
    const { cellCount } = this
    if (cellCount === this.ends.length) {
      const ends = new Uint32Array(2 * cellCount)
      ends.set(this.ends)
      this.ends = ends
      const inQuotes = new Uint8Array(2 * cellCount)
      inQuotes.set(this.inQuotes)
      this.inQuotes = inQuotes
    }
    this.ends[cellCount] = this.length
    this.inQuotes[cellCount] = this.isQuoted ? 1 : 0
    this.cellCount = cellCount + 1
    this.isQuoted = false
    this.afterReturn = false
    this.state = cellStart
  }
}
