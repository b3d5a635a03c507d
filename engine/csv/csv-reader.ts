import { LineCounter, type TextPosition } from '../line-counter.js'
import { ToolInputError } from '../tools/tool-input-error.js'
import type { CsvReading } from './csv-reading.js'

const doubleQuote = 0x22
const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const tab = 0x09

/** Where the next byte stands. */
const cellStart = 0
const plain = 1
const quoted = 2
/** Behind a quote in a quoted cell: its end, or the first of two. */
const quoteSeen = 3
/** Behind blanks that begin a cell. */
const leadingBlank = 4
/** Behind blanks that follow a quoted cell. */
const trailingBlank = 5
/** In a line that is a comment. */
const comment = 6

/**
 * Reads CSV (RFC 4180) that arrives in chunks, row by row: the only reader of it. Rows end with any line break; lines
 * without any character are no rows. A quote in a cell that begins without one is a character like others.
 * @throws ToolInputError `csv_quote_open`, `csv_after_quote` and `csv_quote_after_blank` unless it is lenient.
 */
export class CsvReader {
  /** The texts of the row's cells, concatenated. */
  bytes: Uint8Array = new Uint8Array(4_096)
  /** Where each cell ends in `bytes`; with offsets, in the input, quotes included. */
  ends: Uint32Array = new Uint32Array(64)
  /** With offsets: where each cell begins in the input. */
  starts: Uint32Array = new Uint32Array(64)
  /** 1 for each cell that is in quotes. */
  inQuotes: Uint8Array = new Uint8Array(64)
  /** The cells of the row. */
  cellCount = 0
  /** Where the row begins in the input. */
  rowStart: number
  /** How many cells were kept to the letter. */
  mistakes = 0

  private readonly separator: number
  private readonly keeps: CsvReading['keeps']
  private readonly isLenient: boolean
  private readonly trims: boolean
  private readonly comment: number | undefined
  private length = 0
  private state = cellStart
  private isRowDone = false
  private isQuoted = false
  private cellFrom: number
  /** Where the text of a quoted cell ends that blanks follow. */
  private quotedEnd = 0
  private readonly lines: LineCounter
  /** Where the last quote that opens a cell is in this chunk; its position, once the chunk has ended. */
  private openAt = -1
  private opened: TextPosition | null = null

  /** @throws ToolInputError if what begins comments also separates cells: rows that begin with an empty cell would be lost. */
  constructor({ separator, keeps, isLenient = false, trims = false, ...rest }: CsvReading) {
    if (rest.comment === separator)
      throw new ToolInputError(
        'csv_comment_unclear',
        'The character that begins comments separates cells, too.',
      )
    this.separator = separator
    this.keeps = keeps
    this.isLenient = isLenient
    this.trims = trims
    this.comment = rest.comment
    this.lines = new LineCounter(true, rest.start?.offset, rest.start?.line)
    this.rowStart = this.lines.offset
    this.cellFrom = this.lines.offset
  }

  /** Reads a chunk from `from` on, and returns where it stopped: behind a row if `hasRow`, else at its end. */
  read(chunk: Uint8Array, from: number): number {
    if (this.isRowDone) this.startRow(from)
    let at = from
    while (at < chunk.length && !this.isRowDone) {
      if (this.state === plain) at = this.readPlain(chunk, at)
      else if (this.state === quoted) at = this.readQuoted(chunk, at)
      else if (this.state === comment) at = this.readComment(chunk, at)
      else at = this.readByte(chunk, at)
    }
    if (at === chunk.length) {
      this.opened = this.lines.countAround(chunk, this.openAt) ?? this.opened
      this.openAt = -1
    }
    return at
  }

  /** Whether a row is complete. */
  get hasRow(): boolean {
    return this.isRowDone
  }

  /** Ends the input, which may complete a row. */
  end(): void {
    if (this.isRowDone) this.startRow(0)
    if (this.state === quoted) {
      const message = 'The quote that opens this cell is never closed.'
      if (!this.isLenient) throw new ToolInputError('csv_quote_open', message, this.opened)
      this.mistakes += 1
      this.restoreQuotes(this.length, false)
    }
    if (this.state === trailingBlank) this.length = this.quotedEnd
    if (this.state === comment || (this.state === cellStart && this.cellCount === 0)) return
    this.endCell(0)
    this.isRowDone = true
  }

  private startRow(at: number): void {
    this.isRowDone = false
    this.cellCount = 0
    this.length = 0
    this.rowStart = this.lines.offset + at
    this.cellFrom = this.rowStart
  }

  /** Takes a cell whose quotes are wrong. */
  private mistake(code: string, message: string, chunk: Uint8Array, at: number): void {
    this.mistakes += 1
    if (this.isLenient) return
    this.lines.count(chunk, at)
    throw new ToolInputError(code, message, this.lines.position())
  }

  private copy(chunk: Uint8Array, start: number, end: number): void {
    if (this.keeps !== 'texts') return
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
    this.copy(chunk, from, end)
    if (found < 0) return end
    this.state = quoteSeen
    return end + 1
  }

  /** Reads the rest of a cell that does not begin with a quote. */
  private readPlain(chunk: Uint8Array, from: number): number {
    const { separator } = this
    const { length } = chunk
    let at = from
    for (; at < length; at += 1) {
      const byte = chunk[at] as number
      if (byte === separator || byte === lineFeed || byte === carriageReturn) break
    }
    this.copy(chunk, from, at)
    return at < length ? this.readEnd(chunk, at) : at
  }

  /** Takes the separator or line break that ends a cell. */
  private readEnd(chunk: Uint8Array, at: number): number {
    const byte = chunk[at] as number
    if (byte === this.separator) {
      this.endCell(at)
      return at + 1
    }
    this.isRowDone = this.state !== cellStart || this.cellCount > 0
    if (this.isRowDone) this.endCell(at)
    return this.endLine(at)
  }

  /** Takes a line break, behind which a row may begin. */
  private endLine(at: number): number {
    if (!this.isRowDone) {
      this.rowStart = this.lines.offset + at + 1
      this.cellFrom = this.rowStart
    }
    return at + 1
  }

  private readComment(chunk: Uint8Array, from: number): number {
    let at = from
    while (at < chunk.length && chunk[at] !== lineFeed && chunk[at] !== carriageReturn) at += 1
    if (at === chunk.length) return at
    this.state = cellStart
    return this.endLine(at)
  }

  /** Reads a byte where cells begin, behind a quote in quotes, or between blanks. */
  private readByte(chunk: Uint8Array, at: number): number {
    const byte = chunk[at] as number
    if (byte === this.comment && this.state === cellStart && this.cellCount === 0) {
      this.state = comment
      return at + 1
    }
    if (byte === doubleQuote) return this.takeQuote(chunk, at)
    if (byte === this.separator || byte === lineFeed || byte === carriageReturn) {
      if (this.state === trailingBlank) this.length = this.quotedEnd
      return this.readEnd(chunk, at)
    }
    const isBlank = byte === space || byte === tab
    if (this.state === quoteSeen && isBlank && this.trims) {
      this.quotedEnd = this.length
      this.state = trailingBlank
    } else if (this.state === cellStart && isBlank) this.state = leadingBlank
    else if (!isBlank || this.state === quoteSeen) {
      this.endQuotes(chunk, at)
      this.state = plain
      return at
    }
    if (this.state === trailingBlank || !this.trims) this.copy(chunk, at, at + 1)
    return at + 1
  }

  private takeQuote(chunk: Uint8Array, at: number): number {
    const { state } = this
    if (state === quoteSeen) this.copy(chunk, at, at + 1)
    else if (state === cellStart || (state === leadingBlank && this.trims)) {
      this.openAt = at
      this.isQuoted = true
    } else {
      if (state === trailingBlank) this.endQuotes(chunk, at)
      else this.mistake('csv_quote_after_blank', 'A blank precedes the quote of a cell.', chunk, at)
      this.state = plain
      return at
    }
    this.state = quoted
    return at + 1
  }

  /** A character follows the closing quote of a cell, if the cell has one. */
  private endQuotes(chunk: Uint8Array, at: number): void {
    if (!this.isQuoted) return
    const message =
      'A character follows the closing quote of a cell, where only a separator or line break may.'
    this.mistake('csv_after_quote', message, chunk, at)
    this.restoreQuotes(this.state === trailingBlank ? this.quotedEnd : this.length, true)
  }

  /** Puts the quotes of a cell back, whose quoted text ends at `end`. */
  private restoreQuotes(end: number, isClosed: boolean): void {
    this.isQuoted = false
    const start = this.cellCount === 0 ? 0 : (this.ends[this.cellCount - 1] as number)
    const text = this.bytes.slice(start, end)
    const rest = this.bytes.slice(end, this.length)
    const mark = Uint8Array.of(doubleQuote)
    this.length = start
    this.copy(mark, 0, 1)
    for (let at = 0; at < text.length; at += 1) {
      if (text[at] === doubleQuote) this.copy(mark, 0, 1)
      this.copy(text, at, at + 1)
    }
    if (isClosed) this.copy(mark, 0, 1)
    this.copy(rest, 0, rest.length)
  }

  private endCell(at: number): void {
    const { cellCount, keeps } = this
    if (keeps !== 'nothing') {
      if (cellCount === this.ends.length) this.growCells()
      if (keeps === 'offsets') {
        this.starts[cellCount] = this.cellFrom
        this.ends[cellCount] = this.lines.offset + at
        this.cellFrom = this.lines.offset + at + 1
      } else {
        if (this.trims && !this.isQuoted) this.trimEnd()
        this.ends[cellCount] = this.length
        this.inQuotes[cellCount] = this.isQuoted ? 1 : 0
      }
    }
    this.cellCount = cellCount + 1
    this.isQuoted = false
    this.state = cellStart
  }

  private trimEnd(): void {
    const start = this.cellCount === 0 ? 0 : (this.ends[this.cellCount - 1] as number)
    for (; this.length > start; this.length -= 1) {
      const last = this.bytes[this.length - 1]
      if (last !== space && last !== tab) return
    }
  }

  private growCells(): void {
    const [ends, starts] = [new Uint32Array(2 * this.cellCount), new Uint32Array(2 * this.cellCount)]
    const inQuotes = new Uint8Array(2 * this.cellCount)
    ends.set(this.ends)
    starts.set(this.starts)
    inQuotes.set(this.inQuotes)
    Object.assign(this, { ends, starts, inQuotes })
  }
}
