import { createIntList } from '../../../compare/int-list.js'
import { canonicalNumber } from '../../../compare/json/canonical-scalar.js'
import {
  literalEnd,
  openBrace,
  stringBetween,
  stringEnd,
  textBetween,
  typeOf,
} from '../../../json-bytes/json-bytes.js'
import { eachChild } from '../../../json-bytes/json-walk.js'
import { compareCodePoints, compareKeys, sortedIndexes } from '../key-order.js'
import type { Comparison, ScalarValue } from './json-path.js'
import type { Pattern } from './simulate-pattern.js'

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

/** The sign of a number, its digits without zeros around them, and the power of ten before them; `null` beyond all use. */
function exactNumber(
  text: string,
): { readonly sign: number; readonly digits: string; readonly power: bigint } | null {
  const canonical = canonicalNumber(text)
  if (canonical === '0') return { sign: 0, digits: '', power: 0n }
  const sign = canonical.startsWith('-') ? -1 : 1
  const [digits = '', power = '0'] = canonical.slice(sign < 0 ? 1 : 0).split('e')
  return power.includes(' ') ? null : { sign, digits, power: BigInt(power) + BigInt(digits.length) }
}

/** Less than, equal or greater than 0; exact, also beyond what a double tells apart. */
function compareNumbers(one: string, other: string): number {
  const [a, b] = [Number(one), Number(other)]
  if (a !== b) return a - b
  if (one === other) return 0
  const [left, right] = [exactNumber(one), exactNumber(other)]
  if (left === null || right === null) return 1
  if (left.sign !== right.sign) return left.sign - right.sign
  if (left.power !== right.power) return left.power > right.power ? left.sign : -left.sign
  if (left.digits === right.digits) return 0
  return left.digits > right.digits ? left.sign : -left.sign
}

function areEqual(bytes: Uint8Array, one: PathValue, other: PathValue): boolean {
  if (one === null || other === null) return one === other
  if (one.type === 'container') return other.type === 'container' && sameContainers(bytes, one.at, other.at)
  if (one.type === 'number')
    return other.type === 'number' && compareNumbers(one.spelling, other.spelling) === 0
  if (one.type === 'string') return other.type === 'string' && one.text === other.text
  return other.type === 'word' && one.word === other.word
}

/** Where the parts of a container begin: its items, or the keys of its members. */
function partStarts(bytes: Uint8Array, start: number): Int32Array {
  const starts = createIntList()
  eachChild({ bytes }, start, (_value, child) => {
    starts.push(child)
    return undefined
  })
  return starts.values()
}

/** The members of an object by their keys; of those of one key the last. */
function sortedMembers(bytes: Uint8Array, start: number): Uint32Array {
  const members = partStarts(bytes, start)
  const order = sortedIndexes(members.length, (one, other) =>
    compareKeys(bytes, members[one] as number, members[other] as number),
  )
  const sorted = new Uint32Array(members.length)
  let count = 0
  for (let at = 0; at < order.length; at += 1) {
    const member = members[order[at] as number] as number
    const isRepeated = count > 0 && compareKeys(bytes, sorted[count - 1] as number, member) === 0
    if (isRepeated) count -= 1
    sorted[count++] = member
  }
  return sorted.subarray(0, count)
}

/** Compares without a map of the parts: a thread that runs out of memory in a large one ends its whole process. */
function sameContainers(bytes: Uint8Array, one: number, other: number): boolean {
  if (one === other) return true
  if (bytes[one] !== bytes[other]) return false
  const isObject = bytes[one] === openBrace
  const partsOf = isObject ? sortedMembers : partStarts
  const [parts, others] = [partsOf(bytes, one), partsOf(bytes, other)]
  if (parts.length !== others.length) return false
  return parts.every((part, index) => {
    const match = others[index] as number
    if (!isObject) return areEqual(bytes, valueAt(bytes, part), valueAt(bytes, match))
    if (compareKeys(bytes, part, match) !== 0) return false
    const [value, otherValue] = [stringEnd(bytes, part) + 1, stringEnd(bytes, match) + 1]
    return areEqual(bytes, valueAt(bytes, value), valueAt(bytes, otherValue))
  })
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
export function matchesPattern(
  text: PathValue,
  pattern: PathValue,
  isWhole: boolean,
  patternOf: (pattern: string) => Pattern | null,
): boolean {
  if (text?.type !== 'string' || pattern?.type !== 'string') return false
  return patternOf(pattern.text)?.test(text.text, isWhole) ?? false
}
