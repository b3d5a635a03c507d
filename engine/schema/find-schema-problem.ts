import type { JsonNodes } from '../compare/json/json-nodes.js'
import { type KeywordKind, kindOf, type Vocabulary, vocabularyOf } from './keywords.js'
import { childrenAt, countAt, decimalAt, keyAt, stringAt, typeAt } from './value-nodes.js'

/** What is wrong with a schema, and where. */
export interface SchemaProblem {
  readonly node: number
  readonly message: string
}

const types = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string']
/** Of a number that others are divided by: it costs time for each of them. */
const divisorDigitsMax = 1_000

/** Looks for a problem in each of some values. */
function firstProblem<Value>(
  values: Iterable<Value>,
  problemOf: (value: Value) => SchemaProblem | null,
): SchemaProblem | null {
  for (const value of values) {
    const problem = problemOf(value)
    if (problem !== null) return problem
  }
  return null
}

function stringsProblem(nodes: JsonNodes, node: number): SchemaProblem | null {
  if (typeAt(nodes, node) !== 'array') return { node, message: 'This must be an array of strings.' }
  const known = new Set<string>()
  return firstProblem(childrenAt(nodes, node), (item) => {
    if (typeAt(nodes, item) !== 'string') return { node: item, message: 'This must be a string.' }
    const text = stringAt(nodes, item)
    if (known.has(text)) return { node: item, message: 'The array has this string already.' }
    known.add(text)
    return null
  })
}

function typesProblem(nodes: JsonNodes, node: number): SchemaProblem | null {
  const isOne = typeAt(nodes, node) === 'string'
  const problem = isOne ? null : stringsProblem(nodes, node)
  if (problem !== null) return problem
  const named = isOne ? [node] : [...childrenAt(nodes, node)]
  if (named.length === 0) return { node, message: 'This must name a type.' }
  return firstProblem(named, (name) =>
    types.includes(stringAt(nodes, name))
      ? null
      : { node: name, message: `This is not a type: ${types.join(', ')}.` },
  )
}

function mapProblem(
  nodes: JsonNodes,
  node: number,
  problemOf: (nodes: JsonNodes, node: number) => SchemaProblem | null,
): SchemaProblem | null {
  if (typeAt(nodes, node) !== 'object') return { node, message: 'This must be an object.' }
  if (nodes.repeating.has(node)) return { node, message: 'The object has a key more than once.' }
  return firstProblem(childrenAt(nodes, node), (child) => problemOf(nodes, child))
}

function listProblem(nodes: JsonNodes, node: number, only: Vocabulary | null): SchemaProblem | null {
  const isList = typeAt(nodes, node) === 'array' && nodes.nexts[node] !== node + 1
  if (!isList) return { node, message: 'This must be an array of at least one schema.' }
  return firstProblem(childrenAt(nodes, node), (item) => findSchemaProblem(nodes, item, only))
}

function textProblem(nodes: JsonNodes, node: number, form: RegExp, what: string): SchemaProblem | null {
  const isText = typeAt(nodes, node) === 'string'
  return isText && form.test(stringAt(nodes, node)) ? null : { node, message: `This must be ${what}.` }
}

function numberProblem(nodes: JsonNodes, node: number, kind: KeywordKind): SchemaProblem | null {
  if (kind === 'count')
    return countAt(nodes, node) === null
      ? { node, message: 'This must be a whole number that is not negative.' }
      : null
  const number = decimalAt(nodes, node)
  if (number === null)
    return { node, message: 'This must be a number, with an exponent of at most 15 digits.' }
  if (kind === 'number') return null
  const isFine = !number.isNegative && number.digits !== '' && number.digits.length <= divisorDigitsMax
  return isFine
    ? null
    : { node, message: `This must be greater than 0, with at most ${divisorDigitsMax} digits.` }
}

function valueProblem(
  nodes: JsonNodes,
  node: number,
  kind: KeywordKind,
  only: Vocabulary | null,
): SchemaProblem | null {
  const type = typeAt(nodes, node)
  switch (kind) {
    case 'schema':
      return findSchemaProblem(nodes, node, only)
    case 'schemas':
      return listProblem(nodes, node, only)
    case 'schema-map':
      return mapProblem(nodes, node, (_nodes, child) => findSchemaProblem(nodes, child, only))
    case 'strings':
      return stringsProblem(nodes, node)
    case 'string-lists':
      return mapProblem(nodes, node, stringsProblem)
    case 'types':
      return typesProblem(nodes, node)
    case 'string':
    case 'pattern':
      return type === 'string' ? null : { node, message: 'This must be a string.' }
    case 'id':
      return textProblem(nodes, node, /^[!$-;=?-[\]_a-z~]*#?$/, 'a URI reference without a fragment')
    case 'uri':
      return textProblem(nodes, node, /^[!#-;=?-[\]_a-z~]*$/, 'a URI reference')
    case 'anchor':
      return textProblem(
        nodes,
        node,
        /^[A-Za-z_][-\w.]*$/,
        'a name of letters, digits, hyphens, underscores and dots',
      )
    case 'boolean':
      return type === 'boolean' ? null : { node, message: 'This must be true or false.' }
    case 'array':
      return type === 'array' ? null : { node, message: 'This must be an array.' }
    case 'count':
    case 'number':
    case 'positive':
      return numberProblem(nodes, node, kind)
    case 'any':
      return null
  }
}

/**
 * The first mistake in a schema, by the rules of the draft for schemas; `null` if there is none. With a vocabulary, only
 * its keywords are looked at.
 */
export function findSchemaProblem(
  nodes: JsonNodes,
  node: number,
  only: Vocabulary | null = null,
): SchemaProblem | null {
  const type = typeAt(nodes, node)
  if (type === 'boolean') return null
  if (type !== 'object') return { node, message: 'A schema must be an object, true or false.' }
  if (nodes.repeating.has(node)) return { node, message: 'The object has a key more than once.' }
  return firstProblem(childrenAt(nodes, node), (member) => {
    const keyword = keyAt(nodes, member)
    const kind = only === null || vocabularyOf(keyword) === only ? kindOf(keyword) : undefined
    return kind === undefined ? null : valueProblem(nodes, member, kind, only)
  })
}
