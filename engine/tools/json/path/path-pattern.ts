import { ToolInputError } from '../../tool-input-error.js'
import {
  type Anchor,
  type InSet,
  NotAPattern,
  type PatternDialect,
  type PatternNode,
  parsePattern,
} from './parse-pattern.js'
import {
  createPatternRoom,
  type Pattern,
  type PatternRoom,
  type PatternState,
  Simulation,
} from './simulate-pattern.js'

// Patterns in time that grows with pattern and text alone: Thompson's construction.

/** Longer patterns, and such whose counts need more states, are refused. */
const lengthMax = 1_000
const statesMax = 2_000

function tooLarge(): ToolInputError {
  const message = `A pattern may have ${lengthMax} characters, and with its counts ${statesMax} states.`
  return new ToolInputError('pattern_too_large', message)
}

class StateBuilder {
  readonly states: PatternState[] = []

  add(has: InSet | null, next: number, other = -1, where: Anchor | null = null): number {
    if (this.states.length >= statesMax) throw tooLarge()
    return this.states.push({ has, where, next, other }) - 1
  }

  /** States for a node that go on to `next`; returns the first one. */
  build(node: PatternNode, next: number): number {
    switch (node.kind) {
      case 'set':
        return this.add(node.has, next)
      case 'anchor':
        return this.add(null, next, -1, node.where)
      case 'sequence':
        return node.parts.reduceRight((after, part) => this.build(part, after), next)
      case 'choice':
        return node.parts
          .map((part) => this.build(part, next))
          .reduceRight((other, one) => this.add(null, one, other))
      case 'repeat':
        return this.repeat(node.part, node.min, node.max, next)
      default:
        return node satisfies never
    }
  }

  private repeat(part: PatternNode, min: number, max: number, next: number): number {
    let after = next
    if (max === Number.POSITIVE_INFINITY) {
      const loop = this.add(null, -1, next)
      const state = this.states[loop]
      if (state !== undefined) state.next = this.build(part, loop)
      after = loop
    } else
      for (let count = min; count < max; count += 1) {
        const first = this.build(part, after)
        // What takes nothing may be repeated without an end.
        if (first === after) break
        after = this.add(null, first, next)
      }
    for (let count = 0; count < min; count += 1) {
      const first = this.build(part, after)
      if (first === after) break
      after = first
    }
    return after
  }
}

/**
 * Compiles a pattern.
 * @param room that it shares with others, for what it learns of texts.
 * @throws NotAPattern unless it is one of its dialect.
 * @throws ToolInputError `pattern_too_large`.
 */
export function compilePattern(
  pattern: string,
  dialect: PatternDialect = 'i-regexp',
  room: PatternRoom = createPatternRoom(),
): Pattern {
  if (pattern.length > lengthMax) throw tooLarge()
  const node = parsePattern(pattern, dialect)
  const builder = new StateBuilder()
  const accept = builder.add(() => false, -1)
  const start = builder.build(node, accept)
  return new Simulation(builder.states, start, accept, room)
}

/**
 * A pattern of RFC 9485; `null` for one that is not valid.
 * @throws ToolInputError `pattern_too_large`.
 */
export function patternOf(pattern: string): Pattern | null {
  try {
    return compilePattern(pattern)
  } catch (error) {
    if (error instanceof NotAPattern) return null
    throw error
  }
}

/** Compiles each pattern once. */
export function createPatterns(): (pattern: string) => Pattern | null {
  const known = new Map<string, Pattern | null>()
  return (pattern) => {
    const found = known.get(pattern)
    if (found !== undefined) return found
    const compiled = patternOf(pattern)
    if (known.size < 100) known.set(pattern, compiled)
    return compiled
  }
}
