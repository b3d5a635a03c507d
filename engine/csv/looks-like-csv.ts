import { CsvReader } from './csv-reader.js'
import { findSeparator, oneColumn, sampleBytes } from './find-separator.js'

const space = 0x20
const comma = 0x2c
const openBrace = 0x7b
const openBracket = 0x5b

/** A text is no table if more than one in this many rows has another width. */
const unevenShare = 10

/** What the rows of a sample have in common. */
interface RowHabits {
  /** Whether each has two cells, and nothing in the second, as a salutation has. */
  readonly areClauses: boolean
  /** Whether each has nothing in its first and its last cell, as those of a table in Markdown. */
  readonly areFramed: boolean
  /** Whether most cells but the first begin with a blank, as after the commas of a sentence. */
  readonly areSpaced: boolean
}

function habitsOf(sample: Uint8Array, separator: number): RowHabits {
  const reader = new CsvReader({ separator, keeps: 'texts', isLenient: true })
  let [areClauses, areFramed, inner, spaced] = [true, true, 0, 0]
  const takeRow = (): void => {
    const { bytes, ends, cellCount } = reader
    const last = ends[cellCount - 1] ?? 0
    const endsEmpty = cellCount > 1 && ends[cellCount - 2] === last
    areClauses &&= cellCount === 2 && endsEmpty
    areFramed &&= endsEmpty && ends[0] === 0
    for (let cell = 1; cell < cellCount; cell += 1) {
      const start = ends[cell - 1] ?? 0
      inner += 1
      if (start < (ends[cell] ?? 0) && bytes[start] === space) spaced += 1
    }
  }
  for (let at = 0; at < sample.length; ) {
    at = reader.read(sample, at)
    if (reader.hasRow) takeRow()
  }
  reader.end()
  if (reader.hasRow) takeRow()
  return { areClauses, areFramed, areSpaced: spaced * 2 > inner }
}

/**
 * Whether a text is a table by the evidence in its beginning: not sentences, a table in Markdown, or JSON line by line.
 */
export function looksLikeCsv(bytes: Uint8Array): boolean {
  const { separator, start, isDeclared, rows, misfits } = findSeparator(bytes)
  if (isDeclared) return true
  if (separator === null || separator === oneColumn || rows < 2 || misfits * unevenShare > rows) return false
  if (bytes[start] === openBrace || bytes[start] === openBracket) return false
  const { areClauses, areFramed, areSpaced } = habitsOf(bytes.subarray(start, sampleBytes), separator)
  return !areClauses && !areFramed && !(separator === comma && areSpaced)
}
