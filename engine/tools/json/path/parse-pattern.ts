// The grammar of RFC 9485 (I-Regexp), and what of ECMAScript's a linear engine can do.

/** `i-regexp` is RFC 9485; `ecmascript` are patterns of JSON Schema, as with the flag `u`. */
export type PatternDialect = 'i-regexp' | 'ecmascript'

/** Where an anchor holds: at the start or end of the text, at the edge of a word or anywhere else. */
export type Anchor = 'start' | 'end' | 'edge' | 'no-edge'

/** Whether a code point is in a set. */
export type InSet = (point: number) => boolean

/** A part of a pattern. */
export type PatternNode =
  | { readonly kind: 'set'; readonly has: InSet }
  /** Takes nothing, at the start or the end of the text: so the compliance tests of RFC 9535 read `^` and `$`. */
  | { readonly kind: 'anchor'; readonly where: Anchor }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly min: number; readonly max: number }

/** The pattern is not one of its dialect. */
export class NotAPattern extends Error {
  /** The code unit at which it goes wrong. */
  readonly at: number

  constructor(at: number) {
    super()
    this.at = at
  }
}

/** Whether a code point is a letter, digit or underscore of ASCII. */
export function isWordPoint(point: number): boolean {
  return /^\w$/.test(String.fromCodePoint(point))
}

const isNormal = (char: string): boolean => !'.()*+?[\\]{|}'.includes(char)
const category = /^(L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|Z[lps]?|S[ckmo]?|C[cfno]?)$/
const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }
const pointOf = (char: string): number => char.codePointAt(0) ?? 0
const moreControls: Readonly<Record<string, string>> = { ...controls, f: '\f', v: '\v', 0: '\0' }

/** The sets that a letter after a backslash stands for in ECMAScript. */
const shortSets: Readonly<Record<string, RegExp>> = {
  ...{ d: /^\d$/u, D: /^\D$/u, w: /^\w$/u, W: /^\W$/u, s: /^\s$/u, S: /^\S$/u },
}

function matching(set: RegExp): InSet {
  return (point) => set.test(String.fromCodePoint(point))
}

class PatternParser {
  private readonly chars: readonly string[]
  private readonly isEcma: boolean
  private at = 0

  constructor(pattern: string, dialect: PatternDialect) {
    this.chars = [...pattern]
    this.isEcma = dialect === 'ecmascript'
  }

  whole(): PatternNode {
    const node = this.choice()
    if (this.at < this.chars.length) throw this.fail()
    return node
  }

  private peek(): string {
    return this.chars[this.at] ?? ''
  }

  private fail(at = this.at): NotAPattern {
    return new NotAPattern(this.chars.slice(0, at).join('').length)
  }

  private skip(char: string): boolean {
    if (this.peek() !== char) return false
    this.at += 1
    return true
  }

  private expect(char: string): void {
    if (!this.skip(char)) throw this.fail()
  }

  private choice(): PatternNode {
    const parts = [this.sequence()]
    while (this.skip('|')) parts.push(this.sequence())
    return { kind: 'choice', parts }
  }

  private sequence(): PatternNode {
    const parts: PatternNode[] = []
    while (!['', '|', ')'].includes(this.peek())) parts.push(this.quantified(this.atom()))
    return { kind: 'sequence', parts }
  }

  private atom(): PatternNode {
    if (this.skip('(')) {
      if (this.isEcma && this.peek() === '?') this.groupName()
      const node = this.choice()
      this.expect(')')
      return node
    }
    if (this.skip('.'))
      return this.isEcma
        ? { kind: 'set', has: matching(/^.$/u) }
        : { kind: 'set', has: (point) => point !== 10 && point !== 13 }
    if (this.skip('[')) return { kind: 'set', has: this.set() }
    if (this.peek() === '\\') return this.anchorAtWord() ?? { kind: 'set', has: this.escaped() }
    if (this.skip('^')) return { kind: 'anchor', where: 'start' }
    if (this.skip('$')) return { kind: 'anchor', where: 'end' }
    const char = this.peek()
    if (!isNormal(char)) throw this.fail()
    this.at += 1
    return { kind: 'set', has: (point) => point === pointOf(char) }
  }

  /** What begins a group that captures nothing, or by a name. Look-around needs more than one look at the text. */
  private groupName(): void {
    const start = this.at
    this.expect('?')
    if (this.skip(':')) return
    const name = /^\?<[$_\p{ID_Start}][$\p{ID_Continue}]*>/u.exec(this.chars.slice(start).join(''))?.[0]
    if (name === undefined) throw this.fail(start)
    this.at = start + [...name].length
  }

  private anchorAtWord(): PatternNode | null {
    const kind = this.chars[this.at + 1]
    if (!this.isEcma || (kind !== 'b' && kind !== 'B')) return null
    this.at += 2
    return { kind: 'anchor', where: kind === 'b' ? 'edge' : 'no-edge' }
  }

  private quantified(part: PatternNode): PatternNode {
    // ECMAScript repeats no anchor.
    if (this.isEcma && part.kind === 'anchor') return part
    const repeated = this.repeated(part)
    // A lazy quantifier finds another match, but the same answer whether there is one.
    if (this.isEcma && repeated !== part) this.skip('?')
    return repeated
  }

  private repeated(part: PatternNode): PatternNode {
    if (this.skip('*')) return { kind: 'repeat', part, min: 0, max: Number.POSITIVE_INFINITY }
    if (this.skip('+')) return { kind: 'repeat', part, min: 1, max: Number.POSITIVE_INFINITY }
    if (this.skip('?')) return { kind: 'repeat', part, min: 0, max: 1 }
    if (!this.skip('{')) return part
    const start = this.at - 1
    const min = this.number()
    const max = this.skip(',') ? (this.peek() === '}' ? Number.POSITIVE_INFINITY : this.number()) : min
    this.expect('}')
    if (max < min) throw this.fail(start)
    return { kind: 'repeat', part, min, max }
  }

  private number(): number {
    let digits = ''
    while (/^[0-9]$/.test(this.peek())) digits += this.chars[this.at++]
    if (digits === '') throw this.fail()
    return Number(digits)
  }

  /** A category, or one character. */
  private escaped(): InSet {
    const kind = this.chars[this.at + 1] ?? ''
    const short = this.isEcma ? shortSets[kind] : undefined
    if (short !== undefined) {
      this.at += 2
      return matching(short)
    }
    if (kind !== 'p' && kind !== 'P') {
      const point = this.escapedPoint()
      return (other) => other === point
    }
    const start = this.at
    this.at += 2
    this.expect('{')
    let name = ''
    while (!['', '}'].includes(this.peek())) name += this.chars[this.at++]
    this.expect('}')
    const ofCategory = this.propertyOf(name)
    if (ofCategory === null) throw this.fail(start)
    return (point) => ofCategory(point) === (kind === 'p')
  }

  private propertyOf(name: string): InSet | null {
    if (!(this.isEcma ? /^\w+(=\w+)?$/ : category).test(name)) return null
    try {
      return matching(new RegExp(`^\\p{${name}}$`, 'u'))
    } catch {
      return null
    }
  }

  /** A code point by its number: `x41`, `u0041`, `u{41}` (a pair of units is one point), or a control. */
  private numberedPoint(start: number): number | null {
    const rest = this.chars.slice(this.at).join('')
    const found =
      /^(?:x([\da-f]{2})|u\{([\da-f]{1,6})\}|u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})|u([\da-f]{4})|c([a-z]))/i.exec(
        rest,
      )
    if (found === null) return null
    this.at += found[0].length
    const [, byte, braced, high, low, unit, control] = found
    if (control !== undefined) return pointOf(control) % 32
    if (high !== undefined) return pointOf(String.fromCharCode(Number(`0x${high}`), Number(`0x${low}`)))
    const point = Number(`0x${byte ?? braced ?? unit}`)
    if (point > 0x10_ffff) throw this.fail(start)
    return point
  }

  private escapedPoint(): number {
    const start = this.at
    this.expect('\\')
    const numbered = this.isEcma ? this.numberedPoint(start) : null
    if (numbered !== null) return numbered
    const char = this.peek()
    this.at += 1
    const control = (this.isEcma ? moreControls : controls)[char]
    if (char === '0' && /^\d$/.test(this.peek())) throw this.fail(start)
    if (control !== undefined) return pointOf(control)
    const isItself = this.isEcma ? /^[^\p{L}\p{N}]$/u.test(char) : '()*+-.?[\\]^{|}'.includes(char)
    if (char === '' || !isItself) throw this.fail(start)
    return pointOf(char)
  }

  /** The rest of a class, after its opening bracket. */
  private set(): InSet {
    const isNegated = this.skip('^')
    const sets: InSet[] = []
    if (!this.isEcma && this.skip('-')) sets.push((point) => point === 45)
    while (this.peek() !== ']') {
      if (!this.isEcma && this.peek() === '-' && this.chars[this.at + 1] === ']') {
        this.at += 1
        sets.push((point) => point === 45)
      } else sets.push(this.member())
    }
    this.expect(']')
    if (sets.length === 0 && !this.isEcma) throw this.fail()
    return (point) => sets.some((has) => has(point)) !== isNegated
  }

  private member(): InSet {
    const next = this.chars[this.at + 1] ?? ''
    const isSet = next === 'p' || next === 'P' || (this.isEcma && shortSets[next] !== undefined)
    if (this.peek() === '\\' && isSet) {
      const set = this.escaped()
      // A set does not begin a range.
      if (this.isEcma && this.isRangeNext()) throw this.fail()
      return set
    }
    const start = this.at
    const first = this.memberPoint()
    if (!this.isRangeNext()) return (point) => point === first
    this.at += 1
    const last = this.memberPoint()
    if (last < first) throw this.fail(start)
    return (point) => point >= first && point <= last
  }

  private isRangeNext(): boolean {
    return this.peek() === '-' && this.chars[this.at + 1] !== ']'
  }

  private memberPoint(): number {
    if (this.isEcma && this.peek() === '\\' && this.chars[this.at + 1] === 'b') {
      this.at += 2
      return 8
    }
    if (this.peek() === '\\') return this.escapedPoint()
    const char = this.peek()
    if (char === '' || (this.isEcma ? char === ']' : '[]-'.includes(char))) throw this.fail()
    this.at += 1
    return pointOf(char)
  }
}

/**
 * Parses a pattern.
 * @throws NotAPattern unless it is one of its dialect; of ECMAScript, look-around and back references are none here.
 */
export function parsePattern(pattern: string, dialect: PatternDialect): PatternNode {
  return new PatternParser(pattern, dialect).whole()
}
