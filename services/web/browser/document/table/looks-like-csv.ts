import Papa from 'papaparse'

const headLength = 65_536
const rowsRead = 25
const delimiters = [',', '\t', ';', '|']

/**
 * The delimiter of a text that looks like CSV: at least two columns, the same number in each row; `null` for
 * other text.
 */
export function csvDelimiter(text: string): string | null {
  const head = text.slice(0, headLength)
  const { data, meta } = Papa.parse<readonly string[]>(head, {
    preview: rowsRead,
    delimitersToGuess: delimiters,
    skipEmptyLines: true,
  })
  const isCut = text.length > headLength && data.length < rowsRead
  const rows = isCut ? data.slice(0, -1) : data
  const width = rows[0]?.length ?? 0
  if (width < 2 || rows.length < 2 || rows.some((row) => row.length !== width)) return null
  // A salutation and a closing end with a comma too, with nothing after it.
  if (rows.every((row) => row.at(-1) === '')) return null
  // In prose and in SQL a space follows the comma.
  const inner = rows.flatMap((row) => row.slice(1))
  const spaced = inner.filter((cell) => cell.startsWith(' ')).length
  return meta.delimiter === ',' && spaced * 2 > inner.length ? null : meta.delimiter
}
