import { openBracket, quote } from '#engine/json-bytes/json-bytes.js'
import { JsonScanner } from '#engine/json-bytes/json-scanner.js'
import { csvRows } from './csv-row-locator.js'
import { empty, type LocatedRows, type RowRange, type RowReader } from './located-rows.js'
import type { ValueSink } from './pointer-locator.js'

/** Finds rows in a value that arrives in chunks. */
export interface RowLocator extends ValueSink {
  /**
   * Call after the last byte; `null` if the value is neither an array nor a string.
   * @throws ToolInputError if the value is a string, but not CSV.
   */
  finish(): LocatedRows | null
}

/** Splits an array at the commas of its own level. */
class ArrayRows extends JsonScanner implements RowReader {
  private readonly range: RowRange
  private total = 0
  private start = 0
  private endsAt = 0

  constructor(range: RowRange) {
    super()
    this.range = range
  }

  push(bytes: Uint8Array): void {
    this.scan(bytes)
  }

  finish(): LocatedRows {
    const { total, start, endsAt: end } = this
    return { kind: 'array', header: empty, rows: total < this.range.first ? empty : { start, end }, total }
  }

  protected override begin(): void {
    // The first byte of the first item.
    if (this.depth === 1 && this.total === 0) this.total = 1
  }

  protected override open(_isObject: boolean, at: number): void {
    if (this.depth === 0 && this.range.first === 1) this.start = this.offset + at + 1
    this.begin()
  }

  protected override comma(at: number): void {
    if (this.depth > 1) return
    const { first, last } = this.range
    if (this.total === last) this.endsAt = this.offset + at
    if (this.total + 1 === first) this.start = this.offset + at + 1
    this.total += 1
  }

  protected override close(_isObject: boolean, at: number): void {
    if (this.depth === 1 && this.total <= this.range.last) this.endsAt = this.offset + at
  }
}

function readerOf(firstByte: number | undefined, range: RowRange): RowReader | null {
  if (firstByte === openBracket) return new ArrayRows(range)
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
