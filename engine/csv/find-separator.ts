import { markLength } from '../mark-length.js'
import { ToolInputError } from '../tools/tool-input-error.js'
import { CsvReader } from './csv-reader.js'

/** What may separate cells, with its name. */
const names: ReadonlyMap<number, string> = new Map([
  [0x2c, 'comma'],
  [0x09, 'tab'],
  [0x3b, 'semicolon'],
  [0x7c, 'bar'],
])

/** The separator of a table of one column: a byte that UTF-8 never has. */
export const oneColumn = 0xff

/** So much of a text is looked at to find its separator. */
export const sampleBytes = 65_536

/** How a text separates its cells. */
export interface Separation {
  /** `oneColumn` where none of the possible separators occurs; `null` where it is unclear which one it is. */
  readonly separator: number | null
  /** Where it is unclear: those that it may be. */
  readonly candidates: readonly number[]
  /** The bytes before the first record: a byte order mark, and the line `sep=;`. */
  readonly start: number
  /** Whether the text names its separator in such a line. */
  readonly isDeclared: boolean
  /** The rows of the sample, and how many of them have another width than most. */
  readonly rows: number
  readonly misfits: number
}

/** A candidate, and how the rows of the sample fit it. */
interface Fit {
  readonly separator: number
  readonly inHeader: boolean
  readonly rows: number
  /** The rows that have more than one cell. */
  readonly separated: number
  readonly misfits: number
}

/** The first line `sep=;`, which is no record: its separator, and where the next line begins; `null` if there is none. */
export function declaredSeparator(
  bytes: Uint8Array,
  from = 0,
): { readonly separator: number; readonly end: number } | null {
  const [s, e, p, equals, separator = 0, end, second] = bytes.subarray(from, from + 7)
  const isNamed = ((s ?? 0) | 0x20) === 0x73 && ((e ?? 0) | 0x20) === 0x65 && ((p ?? 0) | 0x20) === 0x70
  const isCharacter = separator !== 0x22 && /^[\t -/:-@[-`{-~]$/.test(String.fromCharCode(separator))
  if (!isNamed || equals !== 0x3d || !isCharacter) return null
  if (end !== undefined && end !== 0x0a && end !== 0x0d) return null
  const breakLength = end === undefined ? 0 : end === 0x0d && second === 0x0a ? 2 : 1
  return { separator, end: from + 5 + breakLength }
}

/** The cells of a row, without empty ones beyond `most`. */
function widthOf({ ends, cellCount }: CsvReader, most: number): number {
  let width = cellCount
  while (width > most && width > 1 && ends[width - 1] === ends[width - 2]) width -= 1
  return width
}

/** The number that occurs most often among widths of two cells and more; 0 where there is none. */
function commonWidth(widths: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const width of widths) if (width > 1) counts.set(width, (counts.get(width) ?? 0) + 1)
  return [...counts].reduce((most, next) => (next[1] > most[1] ? next : most), [0, 0])[0]
}

/** Whether a cell without quotes has one next to another candidate: they are cells of their own, then. */
function hasQuotedWithin({ bytes, ends, inQuotes, cellCount }: CsvReader): boolean {
  let start = 0
  for (let cell = 0; cell < cellCount; cell += 1) {
    const end = ends[cell] ?? 0
    for (let at = start; at < end && inQuotes[cell] === 0; at += 1) {
      if (bytes[at] !== 0x22) continue
      if (at > start && names.has(bytes[at - 1] ?? 0)) return true
      if (at + 1 < end && names.has(bytes[at + 1] ?? 0)) return true
    }
    start = end
  }
  return false
}

/** How a sample looks if this byte separates its cells. */
function fitOf(sample: Uint8Array, isCut: boolean, separator: number, comment: number | undefined): Fit {
  const reader = new CsvReader({ separator, keeps: 'texts', isLenient: true, comment })
  const widths: number[] = []
  const wrong: boolean[] = []
  let [header, mistakes] = [0, 0]
  const takeRow = (): void => {
    if (widths.length === 0) header = reader.cellCount
    widths.push(widthOf(reader, header))
    wrong.push(reader.mistakes > mistakes || hasQuotedWithin(reader))
    mistakes = reader.mistakes
  }
  for (let at = 0; at < sample.length; ) {
    at = reader.read(sample, at)
    if (reader.hasRow) takeRow()
  }
  reader.end()
  // The end of a sample cuts a row, which counts if it is the only one.
  if (reader.hasRow && (!isCut || widths.length === 0)) takeRow()
  const width = header > 1 ? header : commonWidth(widths)
  return {
    separator,
    inHeader: header > 1,
    rows: widths.length,
    separated: widths.filter((one) => one > 1).length,
    misfits: widths.filter((one, row) => one !== width || wrong[row] === true).length,
  }
}

/** The only candidate that the rows fit: at least half of them, and twice as well as the others. */
function clearFit(fits: readonly Fit[]): Fit | null {
  const [best, second] = fits.toSorted((one, other) => one.misfits - other.misfits)
  if (best === undefined || best.misfits * 2 > best.rows) return null
  return second === undefined || second.misfits > best.misfits * 2 ? best : null
}

/** What the rows show: the candidate that the header has before others. */
function shownBy(fits: readonly Fit[]): Fit | null {
  const [only, ...others] = fits
  if (only !== undefined && others.length === 0)
    return only.inHeader || only.separated * 2 >= only.rows ? only : null
  const fitting = fits.filter(({ misfits, rows }) => misfits * 2 <= rows)
  const named = fitting.filter(({ inHeader }) => inHeader)
  return clearFit(named.length > 0 ? named : fitting)
}

/**
 * Finds the separator by all rows in the beginning of a text, or by its line `sep=;`. It never guesses.
 * @param comment what begins lines that are no rows.
 */
export function findSeparator(bytes: Uint8Array, comment?: number): Separation {
  const mark = markLength(bytes)
  const declared = declaredSeparator(bytes, mark)
  const start = declared?.end ?? mark
  const sample = bytes.subarray(start, sampleBytes)
  const fitWith = (separator: number): Fit => fitOf(sample, bytes.length > sampleBytes, separator, comment)
  const found = { start, isDeclared: declared !== null, candidates: [] }
  if (declared !== null) return { ...fitWith(declared.separator), ...found }
  const fits = [...names.keys()].filter((one) => one !== comment && sample.includes(one)).map(fitWith)
  const separating = fits.filter(({ separated }) => separated > 0)
  if (separating.length === 0) return { ...found, separator: oneColumn, rows: 0, misfits: 0 }
  const shown = shownBy(separating)
  if (shown !== null) return { ...shown, ...found }
  const candidates = separating.map(({ separator }) => separator)
  return { ...found, separator: null, candidates, rows: 0, misfits: 0 }
}

/** What to say about a text whose separator is unclear. */
export function separatorUnclear(candidates: readonly number[], way: string): ToolInputError {
  const named = candidates.map((one) => `a ${names.get(one) ?? 'character'}`)
  const choices = named.length === 1 ? `${named[0]}, or nothing` : named.join(' or ')
  return new ToolInputError(
    'csv_separator_unclear',
    `What separates the cells is unclear: ${choices}. ${way}`,
  )
}
