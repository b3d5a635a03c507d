import type { JsonNodes } from '../compare/json/json-nodes.js'
import { NotAPattern } from '../tools/json/path/parse-pattern.js'
import { compilePattern } from '../tools/json/path/path-pattern.js'
import type { Pattern, PatternRoom } from '../tools/json/path/simulate-pattern.js'
import { ToolInputError } from '../tools/tool-input-error.js'
import type { Evaluation } from './evaluation.js'
import { SchemaError } from './schema-error.js'
import { keyAt, stringAt } from './value-nodes.js'

/** What a linear engine cannot do. */
const withoutThese =
  'Patterns run in time that grows with the text alone: there is no look-around and no back reference.'

/** Following a state takes a quarter of what other steps take. */
const stepShare = 1 / 4

/** Whether some part of a text matches; what that takes is spent. */
export function isMatch(evaluation: Evaluation, pattern: Pattern, text: string, keyword: number): boolean {
  return pattern.test(text, false, (steps) => evaluation.spend(steps * stepShare, keyword))
}

/**
 * The pattern that is the string at this node, or its key.
 * @throws SchemaError for what is no pattern of ECMAScript, needs more than one look at the text, or is too large.
 */
export function patternAt(nodes: JsonNodes, node: number, room: PatternRoom, isKey = false): Pattern {
  const text = isKey ? keyAt(nodes, node) : stringAt(nodes, node)
  try {
    return compilePattern(text, 'ecmascript', room)
  } catch (error) {
    if (error instanceof NotAPattern) {
      const seen = text.slice(error.at, error.at + 10)
      const place = `character ${[...text.slice(0, error.at)].length + 1}`
      throw new SchemaError(
        'schema_unsupported',
        `The pattern cannot be read from ${place} on${seen === '' ? '' : ` (${seen})`}. ${withoutThese}`,
        node,
      )
    }
    if (error instanceof ToolInputError) throw new SchemaError('schema_unsupported', error.message, node)
    throw error
  }
}
