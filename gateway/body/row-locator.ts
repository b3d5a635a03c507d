import {
  backslash,
  closeBrace,
  closeBracket,
  comma,
  openBrace,
  openBracket,
  quote,
} from '#libs/json-bytes/json-bytes.js'
import type { ValueSink } from './pointer-locator.js'

/** Rows from `first` to `last`, both included, counted from 1. */
export interface RowRange {
  readonly first: number
  readonly last: number
}

/** Bytes of a value, counted from its first; `end` is excluded. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** The rows of an array or of a string that holds CSV. */
export interface LocatedRows {
  readonly kind: 'array' | 'string'
  /** The first record of CSV, which names the columns, in the bytes of the string. Empty for an array. */
  readonly header: Span
  /** The bytes of the rows, with the commas and white space between them. Empty if there are none. */
  readonly rows: Span
  /** How many rows the value has; the header of CSV is not one. */
  readonly total: number
}

/** Finds rows of a value that arrives in chunks. */
export interface RowLocator extends ValueSink {
  /** The rows of the value that is complete now; `null` if it is neither an array nor a string. */
  finish(): LocatedRows | null
}

/** Reads one kind of value. */
interface RowReader {
  /** Takes the next bytes, the first of which stands at `offset` of the value. */
  push(bytes: Uint8Array, offset: number): void
  finish(): LocatedRows
}

const empty: Span = { start: 0, end: 0 }

/** What a byte outside strings means for an array: nothing, or one of these. */
const [opens, closes, separates, beginsString, begins] = [1, 2, 3, 4, 5]
const meanings = new Uint8Array(256).fill(begins)
meanings.fill(0, 0, 0x21)
for (const byte of [openBracket, openBrace]) meanings[byte] = opens
for (const byte of [closeBracket, closeBrace]) meanings[byte] = closes
meanings[comma] = separates
meanings[quote] = beginsString

/** The items of an array, told apart by the commas of its own level. */
function arrayRows({ first, last }: RowRange): RowReader {
  let depth = 0
  let inString = false
  let isEscaped = false
  let total = 0
  let start = 0
  let end = 0

  /** Takes a byte that may end or begin an item. */
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
      // Copies of what is kept between calls: this loop sees every byte.
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
            // The first byte of an item says that there is one.
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
const letterU = 0x75
const byteOrderMark = [0xef, 0xbb, 0xbf]
/** A quote directly behind one of these, or at the start of a record, begins a quoted field. */
const isDelimiter = (character: number): boolean =>
  character === comma || character === 0x3b || character === 0x09 || character === 0x7c

/** Whether it stands at the start of the text and says nothing: a byte of a byte order mark, or its escape. */
const isByteOrderMark = (character: number, at: number): boolean =>
  character === byteOrderMark[at - 1] || (character === 0xfeff && at === 1)

const shortEscapes: ReadonlyMap<number, number> = new Map([
  [0x6e, lineFeed],
  [0x72, carriageReturn],
  [0x74, 0x09],
])

/** The records of CSV, told apart by the line ends outside quoted fields. */
function csvRecords({ first, last }: RowRange) {
  let isQuoted = false
  /** The last character was a quote within a quoted field: its end, unless another follows. */
  let mayEnd = false
  let beginsField = true
  /** Where a record ended with a carriage return, which a line feed may still follow; or 0. */
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
    /** Takes a character other than a quote or line end, or a byte of one, and where it stands. */
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
    /** Takes a line feed or carriage return that ends before `end`. */
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
    /** The text ends before `end`. */
    finish(at: number): LocatedRows {
      if (returnedAt > 0) endRecord(returnedAt)
      if (at > recordStart) endRecord(at)
      const total = Math.max(0, records - 1)
      return { kind: 'string', header, rows: total < first ? empty : { start, end }, total }
    },
  }
}

/** Reads CSV out of the bytes of a JSON string: line ends and quotes of CSV are escapes there. */
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

  /** Takes unescaped bytes: of a whole run only the last one says whether a field begins behind it. */
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

/** Finds rows in the value that it is given, in memory that does not grow with it. */
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
