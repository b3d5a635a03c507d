// The grammar of RFC 9485 (I-Regexp).

/** Where an anchor holds. */
export type Anchor = 'start' | 'end'

/** Whether a code point is in a set. */
export type InSet = (point: number) => boolean

/** A part of a pattern. */
export type PatternNode =
  | { readonly kind: 'set'; readonly has: InSet }
  /** Takes nothing, at the start or the end of the text: so the compliance tests of RFC 9535 read `^` and `$`. */
  | { readonly kind: 'anchor'; readonly where: Anchor }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly min: number; readonly max: number }

/** The pattern is not one of RFC 9485. */
export class NotAPattern extends Error {
  /** The code unit at which it goes wrong. */
  readonly at: number

  constructor(at: number) {
    super()
    this.at = at
  }
}

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
    if (!isNormal(char)) throw this.fail()
    this.at += 1
    return { kind: 'set', has: (point) => point === pointOf(char) }
  }

  private quantified(part: PatternNode): PatternNode {
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
    if (!category.test(name)) throw this.fail(start)
    const ofCategory = new RegExp(`^\\p{${name}}$`, 'u')
    return (point) => ofCategory.test(String.fromCodePoint(point)) === (kind === 'p')
  }

  private escapedPoint(): number {
    const start = this.at
    this.expect('\\')
    const char = this.peek()
    this.at += 1
    const control = controls[char]
    if (control !== undefined) return pointOf(control)
    if (char === '' || !'()*+-.?[\\]^{|}'.includes(char)) throw this.fail(start)
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
    if (sets.length === 0) throw this.fail()
    return (point) => sets.some((has) => has(point)) !== isNegated
  }

  private member(): InSet {
    const next = this.chars[this.at + 1] ?? ''
    if (this.peek() === '\\' && (next === 'p' || next === 'P')) return this.escaped()
    const start = this.at
    const first = this.memberPoint()
    if (this.peek() !== '-' || this.chars[this.at + 1] === ']') return (point) => point === first
    this.at += 1
    const last = this.memberPoint()
    if (last < first) throw this.fail(start)
    return (point) => point >= first && point <= last
  }

  private memberPoint(): number {
    if (this.peek() === '\\') return this.escapedPoint()
    const char = this.peek()
    if (char === '' || '[]-'.includes(char)) throw this.fail()
    this.at += 1
    return pointOf(char)
  }
}

/**
 * Parses a pattern.
 * @throws NotAPattern unless it is one of RFC 9485.
 */
export function parsePattern(pattern: string): PatternNode {
  return new PatternParser(pattern).whole()
}
