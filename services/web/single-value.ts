import {
  afterSpace,
  closeBrace,
  colon,
  isEscaped,
  openBrace,
  quote,
  stringEnd,
} from '#libs/json-bytes/json-bytes.js'
import { stringBetween } from '#libs/json-bytes/json-strings.js'

/** The one string of an object that holds nothing else, such as the `csv` of a CSV tool. */
export interface SingleValue {
  readonly key: string
  /** Where it begins and ends, its quotes included. */
  readonly start: number
  readonly end: number
}

/** A longer key makes a link that something on the way may refuse. */
const keyLengthMax = 200

/** Whether nothing but the object's end follows the string; of a cut document, whether the string goes on. */
function isLast(bytes: Uint8Array, { start, end }: { start: number; end: number }, isCut: boolean): boolean {
  const last = end - 1
  const isClosed = last > start && bytes[last] === quote && !isEscaped(bytes, last)
  if (isCut) return !isClosed
  const brace = afterSpace(bytes, end)
  return isClosed && bytes[brace] === closeBrace && afterSpace(bytes, brace + 1) === bytes.length
}

/**
 * The single value of a JSON document; `null` where there is more than one member, a key given twice included. Of a cut
 * document, its first string if that is cut too.
 */
export function singleValue(bytes: Uint8Array, isCut = false): SingleValue | null {
  const root = afterSpace(bytes, 0)
  const keyStart = afterSpace(bytes, root + 1)
  if (bytes[root] !== openBrace || bytes[keyStart] !== quote) return null
  const keyEnd = stringEnd(bytes, keyStart)
  const colonAt = afterSpace(bytes, keyEnd)
  const start = afterSpace(bytes, colonAt + 1)
  if (bytes[colonAt] !== colon || bytes[start] !== quote) return null
  const end = stringEnd(bytes, start)
  if (!isLast(bytes, { start, end }, isCut)) return null
  const key = stringBetween(bytes, keyStart, keyEnd)
  return key.length <= keyLengthMax && key.isWellFormed() ? { key, start, end } : null
}
