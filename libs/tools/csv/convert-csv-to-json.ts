import { closeBrace, closeBracket, comma, openBrace, openBracket } from '../../json-bytes/json-bytes.js'
import { isJsonNumber } from '../json/json-number.js'
import { putJsonString } from '../json/put-json-string.js'
import { OutputBuffer } from '../output-buffer.js'
import type { CsvReader } from './csv-reader.js'
import { convertRows } from './read-csv.js'

const lineFeed = 0x0a

/** The name of a column, as the beginning of a member: `"name":`. */
function memberStart(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const out = new OutputBuffer()
  putJsonString(out, bytes, start, end)
  out.put(0x3a)
  const pieces = out.takeAll()
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

/** A row on each line. Cells beyond the header get keys such as `column 5`; cells that a row lacks are left out. */
export function convertCsvToJson(
  input: AsyncIterable<Uint8Array>,
  options: { readonly separator: number | null; readonly hasHeader: boolean; readonly takesNumbers: boolean },
): AsyncIterable<Uint8Array> {
  const { hasHeader, takesNumbers } = options
  const out = new OutputBuffer()
  let keys: Uint8Array[] | null = null
  let rows = 0

  function keyOf(columns: Uint8Array[], column: number): Uint8Array {
    const known = columns[column]
    if (known !== undefined) return known
    const name = new TextEncoder().encode(`column ${column + 1}`)
    const key = memberStart(name, 0, name.length)
    columns[column] = key
    return key
  }

  function row(reader: CsvReader): void {
    const { bytes, ends, inQuotes, cellCount } = reader
    if (hasHeader && keys === null) {
      keys = []
      for (let cell = 0; cell < cellCount; cell += 1)
        keys.push(memberStart(bytes, cell === 0 ? 0 : (ends[cell - 1] as number), ends[cell] as number))
      return
    }
    out.put(rows === 0 ? openBracket : comma)
    out.put(lineFeed)
    rows += 1
    out.put(keys === null ? openBracket : openBrace)
    let start = 0
    for (let cell = 0; cell < cellCount; cell += 1) {
      const end = ends[cell] as number
      if (cell > 0) out.put(comma)
      if (keys !== null) out.putAll(keyOf(keys, cell))
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

  return convertRows(input, options.separator, out, { row, end })
}
