import { ToolInputError } from '../../tool.js'

// Patterns of RFC 9485 (I-Regexp) in time that grows with pattern and text alone: a parser of its grammar, Thompson's
// construction, and a simulation that follows all states at once.

/** Longer patterns, and such whose counts need more states, are refused. */
const lengthMax = 1_000
const statesMax = 2_000

type Anchor = 'start' | 'end'

/** Whether a code point is in a set. */
type InSet = (point: number) => boolean

type Node =
  | { readonly kind: 'set'; readonly has: InSet }
  /** Takes nothing, at the start or the end of the text: so the compliance tests of RFC 9535 read `^` and `$`. */
  | { readonly kind: 'anchor'; readonly where: Anchor }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly min: number; readonly max: number }

/** The pattern is not one of RFC 9485. */
class NotAPattern extends Error {}

const isNormal = (char: string): boolean => !'.()*+?[\\]{|}'.includes(char)
const category = /^(L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|Z[lps]?|S[ckmo]?|C[cfno]?)$/
const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }
const pointOf = (char: string): number => char.codePointAt(0) ?? 0

class PatternParser {
  private readonly chars: readonly string[]
  private at = 0

  constructor(pattern: string) {
    this.chars = [...pattern]
  }

  whole(): Node {
    const node = this.choice()
    if (this.at < this.chars.length) throw new NotAPattern()
    return node
  }

  private peek(): string {
    return this.chars[this.at] ?? ''
  }

  private skip(char: string): boolean {
    if (this.peek() !== char) return false
    this.at += 1
    return true
  }

  private expect(char: string): void {
    if (!this.skip(char)) throw new NotAPattern()
  }

  private choice(): Node {
    const parts = [this.sequence()]
    while (this.skip('|')) parts.push(this.sequence())
    return { kind: 'choice', parts }
  }

  private sequence(): Node {
    const parts: Node[] = []
    while (!['', '|', ')'].includes(this.peek())) parts.push(this.quantified(this.atom()))
    return { kind: 'sequence', parts }
  }

  private atom(): Node {
    if (this.skip('(')) {
      const node = this.choice()
      this.expect(')')
      return node
    }
    if (this.skip('.')) return { kind: 'set', has: (point) => point !== 10 && point !== 13 }
    if (this.skip('[')) return { kind: 'set', has: this.set() }
    if (this.peek() === '\\') return { kind: 'set', has: this.escaped() }
    if (this.skip('^')) return { kind: 'anchor', where: 'start' }
    if (this.skip('$')) return { kind: 'anchor', where: 'end' }
    const char = this.peek()
    if (!isNormal(char)) throw new NotAPattern()
    this.at += 1
    return { kind: 'set', has: (point) => point === pointOf(char) }
  }

  private quantified(part: Node): Node {
    if (this.skip('*')) return { kind: 'repeat', part, min: 0, max: Number.POSITIVE_INFINITY }
    if (this.skip('+')) return { kind: 'repeat', part, min: 1, max: Number.POSITIVE_INFINITY }
    if (this.skip('?')) return { kind: 'repeat', part, min: 0, max: 1 }
    if (!this.skip('{')) return part
    const min = this.number()
    const max = this.skip(',') ? (this.peek() === '}' ? Number.POSITIVE_INFINITY : this.number()) : min
    this.expect('}')
    if (max < min) throw new NotAPattern()
    return { kind: 'repeat', part, min, max }
  }

  private number(): number {
    let digits = ''
    while (/^[0-9]$/.test(this.peek())) digits += this.chars[this.at++]
    if (digits === '') throw new NotAPattern()
    return Number(digits)
  }

  /** A category, or one character. */
  private escaped(): InSet {
    const kind = this.chars[this.at + 1] ?? ''
    if (kind !== 'p' && kind !== 'P') {
      const point = this.escapedPoint()
      return (other) => other === point
    }
    this.at += 2
    this.expect('{')
    let name = ''
    while (!['', '}'].includes(this.peek())) name += this.chars[this.at++]
    this.expect('}')
    if (!category.test(name)) throw new NotAPattern()
    const ofCategory = new RegExp(`^\\p{${name}}$`, 'u')
    return (point) => ofCategory.test(String.fromCodePoint(point)) === (kind === 'p')
  }

  private escapedPoint(): number {
    this.expect('\\')
    const char = this.peek()
    this.at += 1
    const control = controls[char]
    if (control !== undefined) return pointOf(control)
    if (char === '' || !'()*+-.?[\\]^{|}'.includes(char)) throw new NotAPattern()
    return pointOf(char)
  }

  /** The rest of a class, after its opening bracket. */
  private set(): InSet {
    const isNegated = this.skip('^')
    const sets: InSet[] = []
    if (this.skip('-')) sets.push((point) => point === 45)
    while (this.peek() !== ']') {
      if (this.peek() === '-' && this.chars[this.at + 1] === ']') {
        this.at += 1
        sets.push((point) => point === 45)
      } else sets.push(this.member())
    }
    this.expect(']')
    if (sets.length === 0) throw new NotAPattern()
    return (point) => sets.some((has) => has(point)) !== isNegated
  }

  private member(): InSet {
    const next = this.chars[this.at + 1] ?? ''
    if (this.peek() === '\\' && (next === 'p' || next === 'P')) return this.escaped()
    const first = this.memberPoint()
    if (this.peek() !== '-' || this.chars[this.at + 1] === ']') return (point) => point === first
    this.at += 1
    const last = this.memberPoint()
    if (last < first) throw new NotAPattern()
    return (point) => point >= first && point <= last
  }

  private memberPoint(): number {
    if (this.peek() === '\\') return this.escapedPoint()
    const char = this.peek()
    if (char === '' || '[]-'.includes(char)) throw new NotAPattern()
    this.at += 1
    return pointOf(char)
  }
}

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
  build(node: Node, next: number): number {
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

  private repeat(part: Node, min: number, max: number, next: number): number {
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
  /** Whether the text matches: as a whole, or some part of it. */
  test(text: string, isWhole: boolean): boolean
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

function simulate(states: readonly State[], start: number, accept: number): Pattern {
  return {
    test(text, isWhole) {
      let [now, next] = [new StateSet(states), new StateSet(states)]
      let taken = 0
      now.add(start, { start: true, end: text === '' })
      for (const char of text) {
        if (!isWhole && now.has(accept)) return true
        taken += char.length
        const holds = { start: false, end: taken === text.length }
        const point = pointOf(char)
        for (const member of now.members) {
          const state = states[member]
          if (state?.has?.(point) === true) next.add(state.next, holds)
        }
        if (!isWhole) next.add(start, holds)
        now.clear()
        ;[now, next] = [next, now]
      }
      return now.has(accept)
    },
  }
}

/**
 * A pattern of RFC 9485; `null` for one that is not valid.
 * @throws ToolInputError `pattern_too_large`.
 */
export function patternOf(pattern: string): Pattern | null {
  if (pattern.length > lengthMax) throw tooLarge()
  try {
    const node = new PatternParser(pattern).whole()
    const builder = new StateBuilder()
    const accept = builder.add(() => false, -1)
    const start = builder.build(node, accept)
    return simulate(builder.states, start, accept)
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
