import { type CsvRecords, readRecords } from '../../csv/csv-records.js'
import { findSeparator, oneColumn, type Separation, separatorUnclear } from '../../csv/find-separator.js'
import { LineSkipper } from '../../csv/line-skipper.js'
import { ToolInputError } from '../../tools/tool-input-error.js'
import { CompareError, type CompareOptions } from '../comparison.js'

/** The separator of a table; where none is to be seen, as in a header alone, that of the other. */
function separatorOf(one: Separation, other: Separation): number | null {
  if (one.separator !== null && one.separator !== oneColumn) return one.separator
  const { separator } = other
  const mayBe = one.separator === oneColumn || (separator !== null && one.candidates.includes(separator))
  return mayBe && separator !== null ? separator : one.separator
}

/**
 * Reads two tables by their own separators.
 * @throws CompareError `invalid_csv` with the place of a quote that is wrong, or if it is unclear what separates cells.
 */
export function csvTables(
  first: Uint8Array,
  second: Uint8Array,
  { quotes, comment = '', skip = 0 }: Pick<CompareOptions, 'quotes' | 'comment' | 'skip'> = {},
): readonly [CsvRecords, CsvRecords] {
  const begins = [first, second].map((bytes) => new LineSkipper(skip).take(bytes))
  const [firstStart = 0, secondStart = 0] = begins
  const commentByte = comment === '' ? undefined : comment.charCodeAt(0)
  const separations = [
    findSeparator(first.subarray(firstStart), commentByte),
    findSeparator(second.subarray(secondStart), commentByte),
  ] as const
  const read = (bytes: Uint8Array, at: 0 | 1): CsvRecords => {
    const own = separations[at]
    try {
      const separator = separatorOf(own, separations[at === 0 ? 1 : 0])
      if (separator === null)
        throw separatorUnclear(own.candidates, 'A first line such as "sep=;" names the separator.')
      const start = {
        offset: (begins[at] ?? 0) + own.start,
        line: skip + (own.isDeclared ? 2 : 1),
      }
      return readRecords(bytes, { separator, isLenient: quotes === 'lenient', comment: commentByte, start })
    } catch (error) {
      if (!(error instanceof ToolInputError)) throw error
      const { position, message } = error
      const place = position === null ? '' : ` at line ${position.line}, column ${position.column}`
      const document = at === 0 ? 'first' : 'second'
      throw new CompareError('invalid_csv', `The ${document} table is not CSV${place}: ${message}`, document)
    }
  }
  return [read(first, 0), read(second, 1)]
}
