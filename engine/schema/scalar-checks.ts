import { valueText } from '../compare/json/json-nodes.js'
import { compareDecimals, type Decimal, isMultiple, isWhole, saturatedDecimalOf, zero } from '../decimal.js'
import type { Check, Evaluation, SchemaSource } from './evaluation.js'
import { isMatch, patternAt } from './pattern-at.js'
import { childrenAt, decimalAt, stringAt, typeAt } from './value-nodes.js'

/** Numbers with no more digits take no time of their own. */
const fewDigits = 64

function spendDigits(evaluation: Evaluation, spelled: string, times: number, keyword: number): void {
  if (spelled.length > fewDigits) evaluation.spend((spelled.length * times) / fewDigits, keyword)
}

/** The types of a schema that a value has. */
function hasType(
  evaluation: Evaluation,
  value: number,
  wanted: ReadonlySet<string>,
  keyword: number,
): boolean {
  const { nodes } = evaluation
  const type = typeAt(nodes, value)
  if (wanted.has(type)) return true
  if (type !== 'number' || !wanted.has('integer')) return false
  const spelled = valueText(nodes, value)
  spendDigits(evaluation, spelled, 1, keyword)
  return isWhole(saturatedDecimalOf(spelled))
}

function typeCheck({ nodes }: SchemaSource, keyword: number): Check {
  const named = typeAt(nodes, keyword) === 'string' ? [keyword] : [...childrenAt(nodes, keyword)]
  const wanted = new Set(named.map((name) => stringAt(nodes, name)))
  const names = [...wanted].join(' or ')
  return (evaluation, value) =>
    hasType(evaluation, value, wanted, keyword) ||
    evaluation.report(value, keyword, `This is of type ${typeAt(nodes, value)}, not ${names}.`)
}

/** Values that are equal have one id, numbers by their value. */
function enumCheck(
  { nodes }: SchemaSource,
  keyword: number,
  values: Iterable<number>,
  message: string,
): Check {
  const { ids } = nodes
  const allowed = new Set([...values].map((value) => ids[value]))
  return (evaluation, value) => allowed.has(ids[value]) || evaluation.report(value, keyword, message)
}

function numberCheck(
  { nodes }: SchemaSource,
  keyword: number,
  holds: (value: Decimal, limit: Decimal) => boolean,
  what: string,
): Check {
  const limit = decimalAt(nodes, keyword) ?? zero
  const text = valueText(nodes, keyword)
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text
  return (evaluation, value) => {
    if (typeAt(nodes, value) !== 'number') return true
    const spelled = valueText(nodes, value)
    // A division takes the product of the digits.
    spendDigits(evaluation, spelled, holds === isMultiple ? text.length : 1, keyword)
    return (
      holds(saturatedDecimalOf(spelled), limit) ||
      evaluation.report(value, keyword, `The number must be ${what} ${shown}.`)
    )
  }
}

/** Texts of which one pattern notes whether they match. */
const knownMax = 10_000

function patternCheck({ nodes, room }: SchemaSource, keyword: number): Check {
  const pattern = patternAt(nodes, keyword, room)
  /** What is known of texts that come again. */
  const known = new Map<number, boolean>()
  const isKnownMatch = (evaluation: Evaluation, value: number): boolean => {
    const id = nodes.ids[value] ?? 0
    const found = id === 0 ? undefined : known.get(id)
    if (found !== undefined) return found
    const matches = isMatch(evaluation, pattern, stringAt(nodes, value), keyword)
    if (id !== 0 && known.size < knownMax && room.textsLeft > 0) {
      room.textsLeft -= 1
      known.set(id, matches)
    }
    return matches
  }
  return (evaluation, value) => {
    if (typeAt(nodes, value) !== 'string') return true
    return (
      isKnownMatch(evaluation, value) ||
      evaluation.report(value, keyword, 'The string does not match the pattern.')
    )
  }
}

/** The keywords for single values. */
export function scalarChecks(source: SchemaSource): readonly Check[] {
  const { nodes, members } = source
  const made: Readonly<Record<string, (keyword: number) => Check>> = {
    type: (at) => typeCheck(source, at),
    enum: (at) => enumCheck(source, at, childrenAt(nodes, at), 'This is none of the values of enum.'),
    const: (at) => enumCheck(source, at, [at], 'This is not the value of const.'),
    multipleOf: (at) => numberCheck(source, at, isMultiple, 'a multiple of'),
    maximum: (at) => numberCheck(source, at, (one, other) => compareDecimals(one, other) <= 0, 'at most'),
    exclusiveMaximum: (at) =>
      numberCheck(source, at, (one, other) => compareDecimals(one, other) < 0, 'less than'),
    minimum: (at) => numberCheck(source, at, (one, other) => compareDecimals(one, other) >= 0, 'at least'),
    exclusiveMinimum: (at) =>
      numberCheck(source, at, (one, other) => compareDecimals(one, other) > 0, 'more than'),
    pattern: (at) => patternCheck(source, at),
  }
  return [...members].flatMap(([keyword, at]) => {
    const make = Object.hasOwn(made, keyword) ? made[keyword] : undefined
    return make === undefined ? [] : [make(at)]
  })
}
