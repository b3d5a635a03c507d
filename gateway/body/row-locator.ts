import {
  backslash,
  closeBrace,
  closeBracket,
  comma,
  letterU,
  openBrace,
  openBracket,
  quote,
  shortEscapes,
} from '#libs/json-bytes/json-bytes.js'
import type { ValueSink } from './pointer-locator.js'

/** Rows `first` to `last`, inclusive, counted from 1. */
export interface RowRange {
  readonly first: number
  readonly last: number
}

/** A half-open range of bytes, relative to the start of a value. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** The rows of an array, or of a string that contains CSV. */
export interface LocatedRows {
  readonly kind: 'array' | 'string'
  /** The first CSV record, which names the columns. Empty for an array. */
  readonly header: Span
  /** The rows, including the commas and white space between them. Empty if there are none. */
  readonly rows: Span
  /** The number of rows; the header of CSV does not count. */
  readonly total: number
}

/** Finds rows in a value that arrives in chunks. */
export interface RowLocator extends ValueSink {
  /** Call after the last byte; `null` if the value is neither an array nor a string. */
  finish(): LocatedRows | null
}

interface RowReader {
  /** `offset` is the position of the first byte in the value. */
  push(bytes: Uint8Array, offset: number): void
  finish(): LocatedRows
}

const empty: Span = { start: 0, end: 0 }

/** The meaning of a byte outside strings; 0 for white space. */
const [opens, closes, separates, beginsString, begins] = [1, 2, 3, 4, 5]
const meanings = new Uint8Array(256).fill(begins)
meanings.fill(0, 0, 0x21)
for (const byte of [openBracket, openBrace]) meanings[byte] = opens
for (const byte of [closeBracket, closeBrace]) meanings[byte] = closes
meanings[comma] = separates
meanings[quote] = beginsString

/** Splits an array at the commas of its own level. */
function arrayRows({ first, last }: RowRange): RowReader {
  let depth = 0
  let inString = false
  let isEscaped = false
  let total = 0
  let start = 0
  let end = 0

  /** Handles a byte of the array's own level. */
  const atLevel = (meaning: number, at: number): void => {
    if (meaning === closes) {
      if (total <= last) end = at
    } else if (meaning === separates) {
      if (total === last) end = at
      if (total + 1 === first) start = at + 1
      total += 1
    }
  }

  return {
    push(bytes, offset) {
      // Local copies of the state, because this loop runs for every byte.
      let [level, isWithin, isBehind] = [depth, inString, isEscaped]
      for (let at = 0; at < bytes.length; at += 1) {
        const byte = bytes[at] ?? 0
        if (isBehind) isBehind = false
        else if (isWithin) {
          if (byte === quote) isWithin = false
          else isBehind = byte === backslash
        } else {
          const meaning = meanings[byte] ?? 0
          if (meaning === 0) continue
          if (level === 1) {
            // The first byte of the first item.
            if (total === 0 && meaning !== closes) total = 1
            atLevel(meaning, offset + at)
          }
          if (meaning === beginsString) isWithin = true
          else if (meaning === opens) {
            level += 1
            if (level === 1 && first === 1) start = offset + at + 1
          } else if (meaning === closes) level -= 1
        }
      }
      depth = level
      inString = isWithin
      isEscaped = isBehind
    },
    finish: () => ({ kind: 'array', header: empty, rows: total < first ? empty : { start, end }, total }),
  }
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
const byteOrderMark = [0xef, 0xbb, 0xbf]
/** Only a quote directly after one of these, or at the start of a record, begins a quoted field. */
const isDelimiter = (character: number): boolean =>
  character === comma || character === 0x3b || character === 0x09 || character === 0x7c

/** Whether a character at the start of the text is part of a byte order mark, as bytes or as an escape. */
const isByteOrderMark = (character: number, at: number): boolean =>
  character === byteOrderMark[at - 1] || (character === 0xfeff && at === 1)

/** Splits CSV at the line ends outside quoted fields. */
function csvRecords({ first, last }: RowRange) {
  let isQuoted = false
  /** The last character was a quote in a quoted field, which ends the field unless another quote follows. */
  let mayEnd = false
  let beginsField = true
  /** The end of a carriage return that ends a record, which a line feed may still follow; else 0. */
  let returnedAt = 0
  let records = 0
  let recordStart = 1
  let header: Span = empty
  let start = 0
  let end = 0

  const endRecord = (at: number): void => {
    if (records === 0) header = { start: recordStart, end: at }
    else {
      if (records === first) start = recordStart
      if (records <= last) end = at
    }
    records += 1
    recordStart = at
    beginsField = true
  }

  return {
    /** Takes a character other than a quote or line end, or one of its bytes, at this position. */
    plain(character: number, at: number): void {
      if (returnedAt > 0) endRecord(returnedAt)
      returnedAt = 0
      if (mayEnd) {
        mayEnd = false
        isQuoted = false
      }
      if (!isQuoted && !(beginsField && isByteOrderMark(character, at))) beginsField = isDelimiter(character)
    },
    quote(): void {
      if (returnedAt > 0) endRecord(returnedAt)
      returnedAt = 0
      if (isQuoted) mayEnd = !mayEnd
      else if (beginsField) isQuoted = true
      beginsField = false
    },
    /** Takes a line feed or carriage return; `end` is the position after it. */
    lineEnd(character: number, end: number): void {
      if (mayEnd) {
        mayEnd = false
        isQuoted = false
      }
      if (isQuoted) return
      if (returnedAt > 0 && character !== lineFeed) endRecord(returnedAt)
      returnedAt = character === carriageReturn ? end : 0
      if (character === lineFeed) endRecord(end)
    },
    /** The text ends before `at`. */
    finish(at: number): LocatedRows {
      if (returnedAt > 0) endRecord(returnedAt)
      if (at > recordStart) endRecord(at)
      const total = Math.max(0, records - 1)
      return { kind: 'string', header, rows: total < first ? empty : { start, end }, total }
    },
  }
}

/** Reads CSV from the bytes of a JSON string, in which line ends and quotes are escapes. */
function csvRows(range: RowRange): RowReader {
  const records = csvRecords(range)
  let mode: 'plain' | 'escape' | 'hex' = 'plain'
  let unit = 0
  let digits = 0
  let escapeAt = 0
  let textEnd = 0

  const character = (code: number, at: number, end: number): void => {
    if (code === quote) records.quote()
    else if (code === lineFeed || code === carriageReturn) records.lineEnd(code, end)
    else records.plain(code, at)
  }

  /** Reads a run of unescaped bytes; only its last byte decides whether a field begins after it. */
  const readRun = (bytes: Uint8Array, from: number, offset: number): number => {
    const markEnd = byteOrderMark.length - offset
    let at = from
    while (at < bytes.length) {
      const byte = bytes[at] ?? 0
      if (byte === backslash || byte === quote) break
      if (at <= markEnd) records.plain(byte, offset + at)
      at += 1
    }
    if (at > from) records.plain(bytes[at - 1] ?? 0, offset + at - 1)
    if (at === bytes.length) return at
    if (bytes[at] === quote) {
      textEnd = offset + at
      return bytes.length
    }
    escapeAt = offset + at
    mode = 'escape'
    return at + 1
  }

  const readEscape = (byte: number, end: number): void => {
    if (mode === 'hex') {
      unit = unit * 16 + Number.parseInt(String.fromCharCode(byte), 16)
      digits += 1
      if (digits < 4) return
      mode = 'plain'
      character(unit, escapeAt, end)
    } else if (byte === letterU) {
      mode = 'hex'
      unit = 0
      digits = 0
    } else {
      mode = 'plain'
      character(shortEscapes.get(byte) ?? byte, escapeAt, end)
    }
  }

  return {
    push(bytes, offset) {
      let at = offset === 0 ? 1 : 0
      while (at < bytes.length && textEnd === 0) {
        if (mode === 'plain') at = readRun(bytes, at, offset)
        else {
          readEscape(bytes[at] ?? 0, offset + at + 1)
          at += 1
        }
      }
    },
    finish: () => records.finish(textEnd),
  }
}

function readerOf(firstByte: number | undefined, range: RowRange): RowReader | null {
  if (firstByte === openBracket) return arrayRows(range)
  return firstByte === quote ? csvRows(range) : null
}

/** Needs constant memory. */
export function createRowLocator(range: RowRange): RowLocator {
  let reader: RowReader | null = null
  let offset = 0
  return {
    restart() {
      reader = null
      offset = 0
    },
    push(bytes) {
      if (bytes.length === 0) return
      if (offset === 0) reader = readerOf(bytes[0], range)
      reader?.push(bytes, offset)
      offset += bytes.length
    },
    finish: () => reader?.finish() ?? null,
  }
}
