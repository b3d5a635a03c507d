import { findSeparator, oneColumn, sampleBytes } from '../../csv/find-separator.js'
import { comma } from '../../json-bytes/json-bytes.js'
import type { CompareOptions } from '../comparison.js'
import type { DocumentPair } from '../documents.js'

/** A text is no table if more than one in this many rows has another width. */
const unevenShare = 10

/** Whether a text is a table, not sentences, in which a blank follows the comma, nor JSON line by line. */
function looksLikeCsv(bytes: Uint8Array): boolean {
  const { separator, isDeclared, rows, misfits } = findSeparator(bytes)
  if (isDeclared) return true
  if (separator === null || separator === oneColumn || rows < 2 || misfits * unevenShare > rows) return false
  if (bytes[0] === 0x7b || bytes[0] === 0x5b) return false
  if (separator !== comma) return true
  const head = bytes.subarray(0, sampleBytes)
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
