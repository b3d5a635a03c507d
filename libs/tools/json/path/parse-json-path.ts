import type { JsonPath, Segment, Selector } from './json-path.js'
import { parseCondition } from './parse-condition.js'
import { PathText } from './path-text.js'

const shorthand = /[A-Za-z_\x80-\ud7ff\ue000-\u{10ffff}][0-9A-Za-z_\x80-\ud7ff\ue000-\u{10ffff}]*/uy
const integer = /-?[1-9][0-9]*|0/y

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

/** Takes the query that comes next; `null` if none does. */
export function takeQuery(path: PathText, depth: number): JsonPath | null {
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
    return { kind: 'filter', condition: parseCondition(path, depth + 1) }
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
