import { createIntList } from '../../compare/int-list.js'
import type { CsvReader } from '../../csv/csv-reader.js'
import { closeBrace, closeBracket, comma, openBrace, openBracket } from '../../json-bytes/json-bytes.js'
import { isJsonNumber } from '../json/json-number.js'
import { putJsonString } from '../json/put-json-string.js'
import { OutputBuffer } from '../output-buffer.js'
import { GrowingBytes } from '../whole-input.js'
import { type CsvInput, convertRows } from './read-csv.js'

const lineFeed = 0x0a

/** The names of columns, as the beginnings of members, `"name":`: in one array, because there may be millions. */
class MemberStarts {
  private readonly out = new OutputBuffer()
  private readonly starts = new GrowingBytes()
  private readonly ends = createIntList()

  add(bytes: Uint8Array, start: number, end: number): void {
    putJsonString(this.out, bytes, start, end)
    this.out.put(0x3a)
    for (const piece of this.out.takeAll()) this.starts.append(piece)
    this.ends.push(this.starts.length)
  }

  get count(): number {
    return this.ends.length()
  }

  put(out: OutputBuffer, column: number): void {
    const start = column === 0 ? 0 : this.ends.at(column - 1)
    out.putRange(this.starts.whole(), start, this.ends.at(column))
  }
}

/**
 * A row on each line. Cells beyond the header get keys such as `column 5` unless they are empty; cells that a row lacks
 * are left out.
 */
export function convertCsvToJson(
  input: AsyncIterable<Uint8Array>,
  options: CsvInput & { readonly hasHeader: boolean; readonly takesNumbers: boolean },
): AsyncIterable<Uint8Array> {
  const { hasHeader, takesNumbers } = options
  const out = new OutputBuffer()
  let keys: MemberStarts | null = null
  let named = 0
  let rows = 0

  function putKey(names: MemberStarts, column: number): void {
    while (column >= names.count) {
      const name = new TextEncoder().encode(`column ${names.count + 1}`)
      names.add(name, 0, name.length)
    }
    names.put(out, column)
  }

  function row(reader: CsvReader): void {
    const { bytes, ends, inQuotes, cellCount } = reader
    if (hasHeader && keys === null) {
      keys = new MemberStarts()
      for (let cell = 0; cell < cellCount; cell += 1)
        keys.add(bytes, cell === 0 ? 0 : (ends[cell - 1] as number), ends[cell] as number)
      named = cellCount
      return
    }
    out.put(rows === 0 ? openBracket : comma)
    out.put(lineFeed)
    rows += 1
    out.put(keys === null ? openBracket : openBrace)
    let start = 0
    for (let cell = 0; cell < cellCount; cell += 1) {
      const end = ends[cell] as number
      if (keys !== null && cell >= named && start === end) continue
      if (cell > 0) out.put(comma)
      if (keys !== null) putKey(keys, cell)
      if (takesNumbers && inQuotes[cell] === 0 && isJsonNumber(bytes, start, end))
        out.putRange(bytes, start, end)
      else putJsonString(out, bytes, start, end)
      start = end
    }
    out.put(keys === null ? closeBracket : closeBrace)
  }

  function end(): void {
    if (rows === 0) out.put(openBracket)
    else out.put(lineFeed)
    out.put(closeBracket)
    out.put(lineFeed)
  }

  return convertRows(input, options, out, { row, end })
}
