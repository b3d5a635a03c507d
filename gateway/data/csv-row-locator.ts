import { CsvReader } from '#engine/csv/csv-reader.js'
import { findSeparator, oneColumn, sampleBytes, separatorUnclear } from '#engine/csv/find-separator.js'
import { createJsonStringDecoder, type JsonStringDecoder } from '#engine/json-bytes/json-string-decoder.js'
import { ToolInputError } from '#engine/tools/tool-input-error.js'
import { GrowingBytes } from '#engine/tools/whole-input.js'
import { empty, type LocatedRows, type RowRange, type RowReader } from './located-rows.js'

const doubleQuote = 0x22
const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Splits CSV into records, whose places in the value are counted in the bytes of its JSON string. */
class RecordLocator {
  private readonly range: RowRange
  private readonly found: ReturnType<typeof findSeparator>
  private readonly reader: CsvReader
  /** The bytes of text before this chunk. */
  private base = 0
  private records = 0
  private headerEnd = 0
  private rowsStart = 0
  private rowsEnd = 0
  /** Whether a carriage return has ended the last record, which a line feed may still follow. */
  private isReturned = false

  constructor(range: RowRange, sample: Uint8Array) {
    this.range = range
    this.found = findSeparator(sample)
    const { separator, start, isDeclared } = this.found
    // Lines are records whatever separates cells, unless there are quotes.
    this.reader = new CsvReader({
      separator: separator ?? oneColumn,
      keeps: 'nothing',
      start: { offset: start, line: isDeclared ? 2 : 1 },
    })
  }

  /** Takes the text that a decoder has just returned. */
  take(chunk: Uint8Array, decoder: JsonStringDecoder): void {
    const { found, range, reader } = this
    if (found.separator === null && chunk.includes(doubleQuote))
      throw separatorUnclear(found.candidates, 'A first line such as "sep=;" names the separator.')
    const skipped = Math.min(Math.max(0, found.start - this.base), chunk.length)
    const text = chunk.subarray(skipped)
    this.base += skipped
    /** Where the records end that are wanted, of those that end in this chunk. */
    let [headerEnd, rowsEnd] = [-1, -1]
    const endRecord = (record: number, at: number): void => {
      if (record === 0) headerEnd = at
      else if (record <= range.last) rowsEnd = at
    }
    for (let at = 0; at < text.length; ) {
      if (this.isReturned && text[at] === lineFeed) endRecord(this.records - 1, at + 1)
      this.isReturned = false
      at = reader.read(text, at)
      if (this.records === range.first && reader.rowStart >= this.base)
        this.rowsStart = decoder.placeAfter(skipped + reader.rowStart - this.base)
      if (!reader.hasRow) continue
      endRecord(this.records, at)
      this.records += 1
      this.isReturned = text[at - 1] === carriageReturn
    }
    if (headerEnd >= 0) this.headerEnd = decoder.placeAfter(skipped + headerEnd)
    if (rowsEnd >= 0) this.rowsEnd = decoder.placeAfter(skipped + rowsEnd)
    this.base += text.length
  }

  /** The text ends before `end`. */
  finish(end: number): LocatedRows {
    const { reader, range } = this
    reader.end()
    if (reader.hasRow) {
      if (this.records === 0) this.headerEnd = end
      else if (this.records <= range.last) this.rowsEnd = end
      this.records += 1
    }
    const total = Math.max(0, this.records - 1)
    const header = this.records === 0 ? empty : { start: 1, end: this.headerEnd }
    const rows = total < range.first ? empty : { start: this.rowsStart, end: this.rowsEnd }
    return { kind: 'string', header, rows, total }
  }
}

/**
 * Reads CSV from the bytes of a JSON string. It keeps the beginning until the separator is found, and no more than that.
 * @param pieceBytes so many bytes of the string are decoded at a time.
 */
export function csvRows(range: RowRange, pieceBytes = 16_384): RowReader {
  let decoder = createJsonStringDecoder()
  const [head, sample] = [new GrowingBytes(), new GrowingBytes()]
  let records: RecordLocator | null = null
  let failure: ToolInputError | null = null

  const read = (bytes: Uint8Array, locator: RecordLocator): void => {
    try {
      for (let at = 0; at < bytes.length && failure === null; at += pieceBytes)
        locator.take(decoder.push(bytes.subarray(at, at + pieceBytes)), decoder)
    } catch (error) {
      if (!(error instanceof ToolInputError)) throw error
      failure = error
    }
  }

  const readHead = (): RecordLocator => {
    const locator = new RecordLocator(range, sample.whole())
    decoder = createJsonStringDecoder()
    read(head.whole(), locator)
    records = locator
    return locator
  }

  return {
    push(bytes) {
      if (records !== null) return read(bytes, records)
      head.append(bytes)
      sample.append(decoder.push(bytes))
      if (sample.length > sampleBytes) readHead()
    },
    finish() {
      const locator = records ?? readHead()
      // A wrong value of a key that occurs again does no harm: only the last one is finished.
      if (failure !== null) throw failure
      return locator.finish(decoder.position())
    },
  }
}
