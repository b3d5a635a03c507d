import type { Comparison, Condition, JsonPath, Operand, Segment, Selector } from './json-path.js'
import { NotAPattern } from './parse-pattern.js'
import { compilePattern } from './path-pattern.js'
import { PathText } from './path-text.js'

const shorthand = /[A-Za-z_\x80-\ud7ff\ue000-\u{10ffff}][0-9A-Za-z_\x80-\ud7ff\ue000-\u{10ffff}]*/uy
const integer = /-?[1-9][0-9]*|0/y

const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y
const functionName = /[a-z][a-z0-9_]*\(/y
const comparisons: readonly Comparison[] = ['==', '!=', '<=', '>=', '<', '>']
const depthMax = 64

/**
 * Parses a query of RFC 9535.
 * @throws ToolInputError `path_invalid`.
 */
export function parseJsonPath(text: string): JsonPath {
  const path = new PathText(text)
  path.expect('$')
  const query = { isRelative: false, segments: takeSegments(path, 0) }
  if (!path.isAtEnd) throw path.fail('a segment')
  return query
}

/** The query that comes next; `null` if none does. */
function takeQuery(path: PathText, depth: number): JsonPath | null {
  const isRelative = path.take('@')
  if (!isRelative && !path.take('$')) return null
  return { isRelative, segments: takeSegments(path, depth) }
}

function takeSegments(path: PathText, depth: number): readonly Segment[] {
  const segments: Segment[] = []
  for (;;) {
    const before = path.at
    path.skipSpace()
    const segment = takeSegment(path, depth)
    if (segment === null) {
      path.at = before
      return segments
    }
    segments.push(segment)
  }
}

function takeSegment(path: PathText, depth: number): Segment | null {
  const isDescendant = path.take('..')
  if (path.take('[')) return { isDescendant, selectors: takeSelectors(path, depth) }
  if (!isDescendant && !path.take('.')) return null
  if (path.take('*')) return { isDescendant, selectors: [{ kind: 'wildcard' }] }
  const name = path.match(shorthand)
  if (name === null) throw path.fail('a name')
  return { isDescendant, selectors: [{ kind: 'name', name }] }
}

function takeSelectors(path: PathText, depth: number): readonly Selector[] {
  const selectors: Selector[] = []
  do {
    path.skipSpace()
    selectors.push(takeSelector(path, depth))
    path.skipSpace()
  } while (path.take(','))
  path.expect(']')
  return selectors
}

function takeSelector(path: PathText, depth: number): Selector {
  const name = path.takeString()
  if (name !== null) return { kind: 'name', name }
  if (path.take('*')) return { kind: 'wildcard' }
  if (path.take('?')) {
    path.skipSpace()
    return { kind: 'filter', condition: takeCondition(path, depth + 1) }
  }
  const start = takeInteger(path)
  if (!path.takeAfterSpace(':')) {
    if (start === null) throw path.fail('a selector')
    return { kind: 'index', index: start }
  }
  path.skipSpace()
  const end = takeInteger(path)
  const step = takeStep(path)
  return { kind: 'slice', start, end, step }
}

function takeStep(path: PathText): number {
  if (!path.takeAfterSpace(':')) return 1
  const before = path.at
  path.skipSpace()
  const step = takeInteger(path)
  if (step === null) path.at = before
  return step ?? 1
}

function takeInteger(path: PathText): number | null {
  const digits = path.match(integer)
  if (digits === null) return null
  const value = Number(digits)
  if (!Number.isSafeInteger(value)) throw path.fail('an integer below 2^53')
  return value
}

/** A query, or the result of a function: a condition, an operand, or nodes. */
type Term =
  | { readonly kind: 'condition'; readonly condition: Condition }
  | { readonly kind: 'operand'; readonly operand: Operand }
  | { readonly kind: 'query'; readonly query: JsonPath }

function takeCondition(path: PathText, depth: number): Condition {
  if (depth > depthMax) throw path.fail(`fewer than ${depthMax} levels`)
  return takeParts(path, '||', 'or', () => takeParts(path, '&&', 'and', () => takeBasic(path, depth)))
}

function takeParts(path: PathText, token: string, kind: 'or' | 'and', takePart: () => Condition): Condition {
  const first = takePart()
  const parts = [first]
  while (path.takeAfterSpace(token)) {
    path.skipSpace()
    parts.push(takePart())
  }
  return parts.length === 1 ? first : { kind, parts }
}

function takeBasic(path: PathText, depth: number): Condition {
  const isNegated = path.take('!')
  if (isNegated) path.skipSpace()
  const condition = path.take('(') ? takeGroup(path, depth) : takeTest(path, depth, isNegated)
  return isNegated ? { kind: 'not', part: condition } : condition
}

function takeGroup(path: PathText, depth: number): Condition {
  path.skipSpace()
  const condition = takeCondition(path, depth + 1)
  path.skipSpace()
  path.expect(')')
  return condition
}

function takeTest(path: PathText, depth: number, isNegated: boolean): Condition {
  const term = takeTerm(path, depth)
  const before = path.at
  path.skipSpace()
  const operator = comparisons.find((token) => path.take(token))
  if (operator !== undefined && !isNegated) {
    path.skipSpace()
    const right = takeTerm(path, depth)
    return { kind: 'compare', operator, left: operandOf(path, term), right: operandOf(path, right) }
  }
  path.at = before
  if (term.kind === 'query') return { kind: 'exists', query: term.query }
  if (term.kind === 'condition') return term.condition
  throw path.fail('a comparison')
}

function operandOf(path: PathText, term: Term): Operand {
  if (term.kind === 'operand') return term.operand
  if (term.kind === 'query' && isSingular(term.query)) return { kind: 'single', query: term.query }
  throw path.fail('something that is one value before this')
}

function isSingular({ segments }: JsonPath): boolean {
  return segments.every(({ isDescendant, selectors }) => {
    const kind = selectors.length === 1 ? selectors[0]?.kind : undefined
    return !isDescendant && (kind === 'name' || kind === 'index')
  })
}

function takeTerm(path: PathText, depth: number): Term {
  const query = takeQuery(path, depth)
  if (query !== null) return { kind: 'query', query }
  const text = path.takeString()
  if (text !== null) return literal({ type: 'string', text })
  const spelling = path.match(number)
  if (spelling !== null) return literal({ type: 'number', spelling })
  const name = path.match(functionName)
  if (name !== null) return takeFunction(path, name.slice(0, -1), depth)
  for (const word of ['true', 'false', 'null'] as const)
    if (path.take(word)) return literal({ type: 'word', word })
  throw path.fail('a value, a query or a function')
}

function literal(value: Extract<Operand, { kind: 'literal' }>['value']): Term {
  return { kind: 'operand', operand: { kind: 'literal', value } }
}

/**
 * A pattern in the query itself is checked, as RFC 9485 recommends. One from the document, if it is none, matches
 * nothing (RFC 9535, sections 2.4.6 and 2.4.7).
 */
function checkPattern(path: PathText, pattern: Operand, start: number): void {
  if (pattern.kind !== 'literal' || pattern.value.type !== 'string') return
  try {
    compilePattern(pattern.value.text)
  } catch (error) {
    if (error instanceof NotAPattern) throw path.failInPattern(start, error.at)
    throw error
  }
}

function takeFunction(path: PathText, name: string, depth: number): Term {
  if (depth > depthMax) throw path.fail(`fewer than ${depthMax} levels`)
  const terms: Term[] = []
  let lastStart = path.at
  path.skipSpace()
  if (!path.take(')')) {
    do {
      path.skipSpace()
      lastStart = path.at
      terms.push(takeTerm(path, depth + 1))
      path.skipSpace()
    } while (path.take(','))
    path.expect(')')
  }
  const [first, second] = terms
  const isUnary = first !== undefined && terms.length === 1
  if (name === 'length' && isUnary)
    return { kind: 'operand', operand: { kind: 'length', of: operandOf(path, first) } }
  if (name === 'count' && isUnary && first.kind === 'query')
    return { kind: 'operand', operand: { kind: 'count', query: first.query } }
  if (name === 'value' && isUnary && first.kind === 'query')
    return { kind: 'operand', operand: { kind: 'single', query: first.query } }
  if (
    (name === 'match' || name === 'search') &&
    first !== undefined &&
    second !== undefined &&
    terms.length === 2
  ) {
    const [text, pattern] = [operandOf(path, first), operandOf(path, second)]
    checkPattern(path, pattern, lastStart)
    return { kind: 'condition', condition: { kind: 'match', isWhole: name === 'match', text, pattern } }
  }
  throw path.fail('length, count, value, match or search with what it takes before this')
}
