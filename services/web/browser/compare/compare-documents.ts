import { compare, compareTexts } from '#engine/compare/compare.js'
import { CompareError, type CompareOptions, type Comparison } from '#engine/compare/comparison.js'
import { type DocumentPair, documentsOf } from '#engine/compare/documents.js'
import { maxChanges } from './compare-limits.js'

/** The compared documents, and the result. */
export interface ComparedDocuments extends DocumentPair {
  readonly comparison: Comparison
}

/**
 * Compares two documents as what they are, and says of which texts the pointers of the changes speak: text that is kept
 * in a JSON document is compared itself.
 * @throws CompareError when the options make no sense.
 */
export function compareDocuments(
  a: Uint8Array,
  b: Uint8Array,
  options: Omit<CompareOptions, 'as' | 'maxChanges'>,
): ComparedDocuments {
  const { json, text } = documentsOf(a, b)
  for (const pair of json) {
    try {
      const comparison = compare(pair.first, pair.second, { ...options, as: 'json', maxChanges })
      return { ...pair, comparison }
    } catch (error) {
      if (!(error instanceof CompareError) || error.code !== 'invalid_json') throw error
    }
  }
  return { ...text, comparison: compareTexts(text, { ...options, maxChanges }) }
}
