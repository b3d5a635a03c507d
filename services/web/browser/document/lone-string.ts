import { afterSpace, closeBrace, quote, stringEnd } from './json/json-bytes.js'
import { stringBetween } from './json/json-strings.js'
import { childValue, firstChild, type Structure } from './json/structure.js'

/** The one string of an object that holds nothing else, such as the `csv` of a CSV tool. */
export interface LoneString {
  readonly key: string
  readonly start: number
  readonly end: number
}

/** A longer key makes a link that something on the way may refuse. */
const keyLengthMax = 200

/** The lone string of a document; `null` where there is more than one member, a key given twice included. */
export function loneString(structure: Structure): LoneString | null {
  const { bytes } = structure
  const root = afterSpace(bytes, 0)
  const child = firstChild(structure, root)
  if (child === null || bytes[child] !== quote) return null
  const start = childValue(structure, root, child)
  if (bytes[start] !== quote) return null
  const end = stringEnd(bytes, start)
  if (bytes[afterSpace(bytes, end)] !== closeBrace) return null
  const key = stringBetween(bytes, child, stringEnd(bytes, child))
  return key.length <= keyLengthMax && key.isWellFormed() ? { key, start, end } : null
}
