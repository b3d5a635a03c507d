import { looksLikeCsv } from '../csv/looks-like-csv.js'
import { CompareError, type CompareOptions, type Comparison, maxChangesDefault } from './comparison.js'
import { type DocumentPair, documentsOf } from './documents.js'
import { jsonChanges, jsonDifference, jsonSummary } from './json/compare-json.js'
import { compareCsv } from './table/compare-csv.js'
import { compareText } from './text/compare-text.js'

function compareJson({ first, second }: DocumentPair, options: CompareOptions): Comparison {
  const { maxChanges: editsMax = maxChangesDefault } = options
  const difference = jsonDifference(first, second, options, { editsMax, moves: true })
  const changes = jsonChanges(difference, options)
  const count = difference.edits.counts.reduce((sum, one) => sum + one)
  return {
    equal: count === 0,
    as: 'json',
    guessedKeys: difference.guessedKeys,
    summary: jsonSummary(difference.edits),
    changes,
    truncated: count > changes.length,
  }
}

/** Compares documents as JSON, or says `null` where they are none. */
function ifJson(pairs: readonly DocumentPair[], options: CompareOptions): Comparison | null {
  for (const pair of pairs) {
    try {
      return compareJson(pair, options)
    } catch (error) {
      if (!(error instanceof CompareError) || error.code !== 'invalid_json') throw error
    }
  }
  return null
}

/** Whether options make sense for tables alone: a column is named even of one that has no rows today. */
function meansTables({ key, quotes, comment = '', skip = 0 }: CompareOptions): boolean {
  return key !== undefined || quotes === 'lenient' || comment !== '' || skip > 0
}

/** Compares texts as tables if they are, else by their lines. */
export function compareTexts({ first, second }: DocumentPair, options: CompareOptions): Comparison {
  const { as, key } = options
  const areTables = meansTables(options)
  if (as === 'csv') return compareCsv(first, second, options)
  if (as === undefined && (areTables || (looksLikeCsv(first) && looksLikeCsv(second))))
    try {
      return compareCsv(first, second, options)
    } catch (error) {
      // What only looks like a table.
      const isText = error instanceof CompareError && error.code === 'invalid_csv' && !areTables
      if (!isText) throw error
    }
  if (key !== undefined) throw new CompareError('key_not_found', 'Lines of text have no key.')
  return compareText(first, second, options)
}

/**
 * Compares two documents exactly, in time and memory that grow with their length alone: objects by their keys, arrays by
 * the member that identifies their items or by what they hold, CSV by columns, text by lines. Text that is stored as a
 * JSON string, or as the only member of an object, is compared itself, unless `as` is `json`.
 * @throws CompareError when options make no sense, documents are not what `as` says, or `key` identifies nothing.
 */
export function compare(first: Uint8Array, second: Uint8Array, options: CompareOptions = {}): Comparison {
  const { as } = options
  if (as === 'json') return compareJson({ first, second }, options)
  const { json, text } = documentsOf(first, second)
  const compared = as === undefined ? ifJson(json, options) : null
  if (compared !== null) return compared
  return compareTexts(text, options)
}
