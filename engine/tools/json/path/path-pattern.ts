import { ToolInputError } from '../../tool-input-error.js'
import {
  type Anchor,
  type InSet,
  isWordPoint,
  NotAPattern,
  type PatternDialect,
  type PatternNode,
  parsePattern,
} from './parse-pattern.js'

// Patterns in time that grows with pattern and text alone: Thompson's construction, and a
// simulation that follows all states at once.

/** Longer patterns, and such whose counts need more states, are refused. */
const lengthMax = 1_000
const statesMax = 2_000

/**
 * A state takes a code point of its set and goes on, or goes on at once in one or two ways, at an anchor only there; the
 * last one accepts.
 */
interface State {
  readonly has: InSet | null
  readonly where: Anchor | null
  next: number
  readonly other: number
}

function tooLarge(): ToolInputError {
  const message = `A pattern may have ${lengthMax} characters, and with its counts ${statesMax} states.`
  return new ToolInputError('pattern_too_large', message)
}

class StateBuilder {
  readonly states: State[] = []

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

/** A compiled pattern. */
export interface Pattern {
  /**
   * Whether the text matches: as a whole, or some part of it. `spend` is told, again and again, how many steps that has
   * taken: states that were followed.
   */
  test(text: string, isWhole: boolean, spend?: (steps: number) => void): boolean
}

class StateSet {
  private readonly states: readonly State[]
  private readonly isIn: Uint8Array
  readonly members: number[] = []

  constructor(states: readonly State[]) {
    this.states = states
    this.isIn = new Uint8Array(states.length)
  }

  /** Adds a state and those that it goes on to at once, where these anchors hold. */
  add(first: number, holds: Readonly<Record<Anchor, boolean>>): void {
    const pending = [first]
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (at < 0 || this.isIn[at] === 1) continue
      this.isIn[at] = 1
      this.members.push(at)
      const state = this.states[at]
      if (state === undefined || state.has !== null) continue
      if (state.where === null || holds[state.where]) pending.push(state.other, state.next)
    }
  }

  has(state: number): boolean {
    return this.isIn[state] === 1
  }

  clear(): void {
    for (const member of this.members) this.isIn[member] = 0
    this.members.length = 0
  }
}

/** Which anchors hold before this unit of the text. Letters of ASCII make words, so units are enough. */
function anchorsAt(text: string, at: number): Readonly<Record<Anchor, boolean>> {
  const isWord = (unit: number): boolean =>
    unit >= 0 && unit < text.length && isWordPoint(text.charCodeAt(unit))
  const isEdge = isWord(at - 1) !== isWord(at)
  return { start: at === 0, end: at === text.length, edge: isEdge, 'no-edge': !isEdge }
}

const inside: Readonly<Record<Anchor, boolean>> = { start: false, end: false, edge: false, 'no-edge': false }

/** Steps are told when there are so many. */
const stepsTold = 10_000

function simulate(states: readonly State[], start: number, accept: number): Pattern {
  const hasEdges = states.some(({ where }) => where === 'edge' || where === 'no-edge')
  return {
    test(text, isWhole, spend) {
      let [now, next] = [new StateSet(states), new StateSet(states)]
      let [taken, steps] = [0, 0]
      now.add(start, anchorsAt(text, 0))
      for (const char of text) {
        if (!isWhole && now.has(accept)) break
        taken += char.length
        steps += 1 + now.members.length
        if (steps > stepsTold) {
          spend?.(steps)
          steps = 0
        }
        const holds = hasEdges ? anchorsAt(text, taken) : { ...inside, end: taken === text.length }
        const point = char.codePointAt(0) ?? 0
        for (const member of now.members) {
          const state = states[member]
          if (state?.has?.(point) === true) next.add(state.next, holds)
        }
        if (!isWhole) next.add(start, holds)
        now.clear()
        ;[now, next] = [next, now]
      }
      spend?.(steps)
      return now.has(accept)
    },
  }
}

/**
 * Compiles a pattern.
 * @throws NotAPattern unless it is one of its dialect.
 * @throws ToolInputError `pattern_too_large`.
 */
export function compilePattern(pattern: string, dialect: PatternDialect = 'i-regexp'): Pattern {
  if (pattern.length > lengthMax) throw tooLarge()
  const node = parsePattern(pattern, dialect)
  const builder = new StateBuilder()
  const accept = builder.add(() => false, -1)
  const start = builder.build(node, accept)
  return simulate(builder.states, start, accept)
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
