import { comma } from '../../json-bytes/json-bytes.js'
import type { CompareOptions } from '../comparison.js'
import type { DocumentPair } from '../documents.js'
import { readRecords } from './csv-records.js'

/** How the cells of a row are separated: a comma, a tab, a semicolon or a bar. */
const delimiters: readonly number[] = [comma, 0x09, 0x3b, 0x7c]
const headBytes = 65_536
const rowsRead = 25

/** The widths of the first rows, without one that the head cuts. */
function widthsOf(head: Uint8Array, isCut: boolean, delimiter: number): readonly number[] {
  const { rowStarts, rowCount } = readRecords(head, delimiter, rowsRead + 1)
  const read = isCut && rowCount <= rowsRead ? rowCount - 1 : rowCount
  const count = Math.min(read, rowsRead)
  return Array.from({ length: count }, (_row, row) => (rowStarts[row + 1] ?? 0) - (rowStarts[row] ?? 0))
}

/** The delimiter of a text that looks like CSV: two or more columns, as many in each row; `null` for other text. */
export function csvDelimiter(bytes: Uint8Array): number | null {
  const head = bytes.subarray(0, headBytes)
  const isCut = bytes.length > headBytes
  let best: { readonly delimiter: number; readonly width: number } | null = null
  for (const delimiter of delimiters) {
    const widths = widthsOf(head, isCut, delimiter)
    const width = widths[0] ?? 0
    const isEven = width >= 2 && widths.length >= 2 && widths.every((other) => other === width)
    if (isEven && width > (best?.width ?? 0)) best = { delimiter, width }
  }
  return best?.delimiter ?? null
}

/** Whether a text is a table, not sentences, in which a blank follows the comma, nor JSON line by line. */
function looksLikeCsv(bytes: Uint8Array): boolean {
  const delimiter = csvDelimiter(bytes)
  if (delimiter === null || bytes[0] === 0x7b || bytes[0] === 0x5b) return false
  if (delimiter !== comma) return true
  const head = bytes.subarray(0, headBytes)
  let [commas, spaced] = [0, 0]
  for (let at = head.indexOf(comma); at >= 0; at = head.indexOf(comma, at + 1)) {
    commas += 1
    if (head[at + 1] === 0x20) spaced += 1
  }
  return spaced * 2 <= commas
}

/** Whether texts are compared as tables: both look like it, or a column is named, as of a table that has no rows today. */
export function isTable({ first, second }: DocumentPair, { key }: Pick<CompareOptions, 'key'>): boolean {
  return key !== undefined || (looksLikeCsv(first) && looksLikeCsv(second))
}

/** The delimiters of two tables; where one is not to be seen, as in a header alone, that of the other. */
export function csvDelimiters(first: Uint8Array, second: Uint8Array): readonly [number, number] {
  const [one, other] = [csvDelimiter(first), csvDelimiter(second)]
  return [one ?? other ?? comma, other ?? one ?? comma]
}
