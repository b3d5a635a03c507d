import { canonicalNumber } from '../../../compare/json/canonical-scalar.js'
import {
  closeBrace,
  closeBracket,
  comma,
  literalEnd,
  openBrace,
  quote,
  stringBetween,
  stringEnd,
  textBetween,
  typeOf,
} from '../../../json-bytes/json-bytes.js'
import { compactValueEnd } from '../compact-values.js'
import { compareCodePoints } from '../key-order.js'
import type { Comparison, ScalarValue } from './json-path.js'
import { patternOf } from './path-pattern.js'

/** What a query or function in a filter stands for; `null` for nothing. */
export type PathValue = ScalarValue | { readonly type: 'container'; readonly at: number } | null

/** The value that begins here. */
export function valueAt(bytes: Uint8Array, at: number): PathValue {
  const type = typeOf(bytes[at])
  if (type === 'object' || type === 'array') return { type: 'container', at }
  if (type === 'string') return { type, text: stringBetween(bytes, at, stringEnd(bytes, at)) }
  const text = textBetween(bytes, at, literalEnd(bytes, at))
  if (type === 'number') return { type, spelling: text }
  return { type: 'word', word: text === 'true' || text === 'false' ? text : 'null' }
}

/** Less than, equal or greater than 0; numbers count by their exact values where they are integers. */
function compareNumbers(one: string, other: string): number {
  if (canonicalNumber(one) === canonicalNumber(other)) return 0
  const [a, b] = [Number(one), Number(other)]
  if (a !== b) return a - b
  const integers = /^-?\d{1,1000}$/
  return integers.test(one) && integers.test(other) && BigInt(one) < BigInt(other) ? -1 : 1
}

function areEqual(bytes: Uint8Array, one: PathValue, other: PathValue): boolean {
  if (one === null || other === null) return one === other
  if (one.type === 'container') return other.type === 'container' && sameContainers(bytes, one.at, other.at)
  if (one.type === 'number')
    return other.type === 'number' && compareNumbers(one.spelling, other.spelling) === 0
  if (one.type === 'string') return other.type === 'string' && one.text === other.text
  return other.type === 'word' && one.word === other.word
}

/** The parts of a container by their keys, or by their index. */
function partsOf(bytes: Uint8Array, start: number): ReadonlyMap<string, number> {
  const isObject = bytes[start] === openBrace
  const close = isObject ? closeBrace : closeBracket
  const parts = new Map<string, number>()
  let at = start + 1
  while (bytes[at] !== close) {
    if (bytes[at] === comma) at += 1
    let key = String(parts.size)
    if (isObject && bytes[at] === quote) {
      const end = stringEnd(bytes, at)
      key = stringBetween(bytes, at, end)
      at = end + 1
    }
    parts.set(key, at)
    at = compactValueEnd(bytes, at)
  }
  return parts
}

function sameContainers(bytes: Uint8Array, one: number, other: number): boolean {
  if (one === other) return true
  if (bytes[one] !== bytes[other]) return false
  const [parts, others] = [partsOf(bytes, one), partsOf(bytes, other)]
  if (parts.size !== others.size) return false
  for (const [key, at] of parts) {
    const match = others.get(key)
    if (match === undefined || !areEqual(bytes, valueAt(bytes, at), valueAt(bytes, match))) return false
  }
  return true
}

function isLess(one: PathValue, other: PathValue): boolean {
  if (one?.type === 'number' && other?.type === 'number')
    return compareNumbers(one.spelling, other.spelling) < 0
  return one?.type === 'string' && other?.type === 'string' && compareCodePoints(one.text, other.text) < 0
}

/** Compares as RFC 9535 does: only numbers with numbers and strings with strings have an order. */
export function compareValues(
  bytes: Uint8Array,
  operator: Comparison,
  left: PathValue,
  right: PathValue,
): boolean {
  switch (operator) {
    case '==':
      return areEqual(bytes, left, right)
    case '!=':
      return !areEqual(bytes, left, right)
    case '<':
      return isLess(left, right)
    case '>':
      return isLess(right, left)
    case '<=':
      return isLess(left, right) || areEqual(bytes, left, right)
    case '>=':
      return isLess(right, left) || areEqual(bytes, left, right)
  }
}

/** Whether a string matches a pattern of RFC 9485, whole or in part. */
export function matchesPattern(text: PathValue, pattern: PathValue, isWhole: boolean): boolean {
  if (text?.type !== 'string' || pattern?.type !== 'string') return false
  return patternOf(pattern.text, isWhole)?.test(text.text) ?? false
}
