import { CsvError } from '#engine/csv/csv-error.js'
import { CsvReader } from '#engine/csv/csv-reader.js'
import { findSeparator, oneColumn, sampleBytes, separatorUnclear } from '#engine/csv/find-separator.js'
import { backslash, letterU, quote, shortEscapes } from '#engine/json-bytes/json-bytes.js'
import { createJsonStringDecoder } from '#engine/json-bytes/json-string-decoder.js'
import { empty, type LocatedRows, type RowRange, type RowReader } from './located-rows.js'

const lineFeed = 0x0a
const carriageReturn = 0x0d
/** So many bytes of the value are decoded at a time. */
const pieceBytes = 16_384

const encoder = new TextEncoder()

/** The text of a chunk of a JSON string, valid until the next one. */
interface DecodedChunk {
  readonly bytes: Uint8Array
  /** Behind each line break of `bytes`: where that is in them, and in the JSON string. */
  readonly breaks: readonly number[]
  readonly writtenBreaks: readonly number[]
  readonly hasQuotes: boolean
}

/** Splits CSV into records, whose places in the value are counted in the bytes of its JSON string. */
function csvRecords({ first, last }: RowRange, sample: Uint8Array) {
  const found = findSeparator(sample)
  const start = { offset: found.start, line: found.isDeclared ? 2 : 1 }
  // Lines are records whatever separates cells, unless there are quotes.
  const reader = new CsvReader({ separator: found.separator ?? oneColumn, keeps: 'nothing', start })
  /** The decoded bytes before this chunk. */
  let base = 0
  let records = 0
  let rowStart = 0
  let [headerEnd, rowsStart, rowsEnd] = [0, 0, 0]
  /** Where the last line break of the chunks before this one ends. */
  let lastBreak = 1
  /** Whether a carriage return has ended the last record, which a line feed may still follow. */
  let isReturned = false

  const endRecord = (record: number, end: number): void => {
    if (record === 0) headerEnd = end
    else if (record <= last) rowsEnd = end
  }

  return {
    take({ bytes, breaks, writtenBreaks, hasQuotes }: DecodedChunk): void {
      if (found.separator === null && hasQuotes)
        throw separatorUnclear(found.candidates, 'A first line such as "sep=;" names the separator.')
      const skipped = Math.min(bytes.length, Math.max(0, found.start - base))
      const text = skipped === 0 ? bytes : bytes.subarray(skipped)
      base += skipped
      let next = 0
      /** Where it is written what follows the last line break up to `at`. */
      const writtenAt = (at: number): number => {
        while (next < breaks.length && (breaks[next] ?? 0) <= at + skipped) next += 1
        return next === 0 ? lastBreak : (writtenBreaks[next - 1] ?? 0)
      }
      for (let at = 0; at < text.length; ) {
        if (isReturned && text[at] === lineFeed) endRecord(records - 1, writtenAt(at + 1))
        isReturned = false
        at = reader.read(text, at)
        if (reader.rowStart >= base && records <= first) rowStart = writtenAt(reader.rowStart - base)
        if (!reader.hasRow) continue
        if (records === first) rowsStart = rowStart
        if (records <= last) endRecord(records, writtenAt(at))
        records += 1
        isReturned = text[at - 1] === carriageReturn
      }
      base += text.length
      lastBreak = writtenBreaks.at(-1) ?? lastBreak
    },
    /** The text ends before `end`. */
    finish(end: number): LocatedRows {
      reader.end()
      if (reader.hasRow) {
        if (records === first) rowsStart = rowStart
        endRecord(records, end)
        records += 1
      }
      const total = Math.max(0, records - 1)
      const header = records === 0 ? empty : { start: 1, end: headerEnd }
      return {
        kind: 'string',
        header,
        rows: total < first ? empty : { start: rowsStart, end: rowsEnd },
        total,
      }
    },
  }
}

/** Decodes a JSON string, and says where its line breaks are written. */
function stringReader() {
  let decoded = new Uint8Array(pieceBytes)
  let length = 0
  let breaks: number[] = []
  let writtenBreaks: number[] = []
  let hasQuotes = false
  let mode: 'plain' | 'escape' | 'hex' = 'plain'
  let unit = 0
  let digits = 0
  let textEnd = 0

  const putUnit = (code: number, end: number): void => {
    mode = 'plain'
    if (code === quote) hasQuotes = true
    if (code < 0x80) decoded[length++] = code
    else length += encoder.encodeInto(String.fromCharCode(code), decoded.subarray(length)).written
    if (code !== lineFeed && code !== carriageReturn) return
    breaks.push(length)
    writtenBreaks.push(end)
  }

  const readEscape = (byte: number, end: number): void => {
    if (mode === 'hex') {
      unit = unit * 16 + Number.parseInt(String.fromCharCode(byte), 16)
      digits += 1
      if (digits === 4) putUnit(unit, end)
    } else if (byte === letterU) {
      mode = 'hex'
      unit = 0
      digits = 0
    } else putUnit(shortEscapes.get(byte) ?? byte, end)
  }

  return {
    /** `offset` is the position of the first byte in the value. */
    read(bytes: Uint8Array, offset: number): DecodedChunk {
      // The end of an escape that began in another chunk may be longer than this one.
      if (decoded.length < bytes.length + 4) decoded = new Uint8Array(bytes.length + 4)
      length = 0
      breaks = []
      writtenBreaks = []
      hasQuotes = false
      for (let at = offset === 0 ? 1 : 0; at < bytes.length && textEnd === 0; at += 1) {
        const byte = bytes[at] ?? 0
        if (mode !== 'plain') readEscape(byte, offset + at + 1)
        else if (byte === backslash) mode = 'escape'
        else if (byte === quote) textEnd = offset + at
        else decoded[length++] = byte
      }
      return { bytes: decoded.subarray(0, length), breaks, writtenBreaks, hasQuotes }
    },
    textEnd: () => textEnd,
  }
}

/**
 * Reads CSV from the bytes of a JSON string. It keeps the beginning until the separator is found, and no more than that.
 */
export function csvRows(range: RowRange): RowReader {
  const decoder = createJsonStringDecoder()
  let head: Uint8Array[] = []
  let decoded: Uint8Array[] = []
  let decodedBytes = 0
  let records: ReturnType<typeof csvRecords> | null = null
  let failure: CsvError | null = null
  const text = stringReader()

  const read = (bytes: Uint8Array, offset: number): void => {
    if (failure !== null) return
    try {
      const chunk = text.read(bytes, offset)
      records?.take(chunk)
    } catch (error) {
      if (!(error instanceof CsvError)) throw error
      failure = error
    }
  }

  const readHead = (): ReturnType<typeof csvRecords> => {
    records = csvRecords(range, Buffer.concat(decoded))
    let offset = 0
    for (const piece of head) {
      read(piece, offset)
      offset += piece.length
    }
    head = []
    decoded = []
    return records
  }

  return {
    push(bytes, offset) {
      let at = 0
      for (; records === null && at < bytes.length; at += pieceBytes) {
        const piece = bytes.slice(at, at + pieceBytes)
        const sample = decoder.push(piece)
        head.push(piece)
        decoded.push(sample)
        decodedBytes += sample.length
        if (decodedBytes > sampleBytes) readHead()
      }
      for (; at < bytes.length; at += pieceBytes) read(bytes.subarray(at, at + pieceBytes), offset + at)
    },
    finish() {
      const rows = records ?? readHead()
      // A wrong value of a key that occurs again does no harm: only the last one is finished.
      if (failure !== null) throw failure
      return rows.finish(text.textEnd())
    },
  }
}
