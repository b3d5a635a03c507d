import { ToolInputError } from '../../tool-input-error.js'

/** The text of a JSONPath while it is parsed. */
export class PathText {
  readonly text: string
  at = 0

  constructor(text: string) {
    this.text = text
  }

  fail(expected: string): ToolInputError {
    const { column, seen } = this.place()
    const message = `The path is not JSONPath: expected ${expected} at character ${column}, found ${seen}.`
    return new ToolInputError('path_invalid', message)
  }

  /** The error for a pattern in the string that begins at `start`, wrong after so many of its code units. */
  failInPattern(start: number, units: number): ToolInputError {
    const quote = this.text[start] ?? ''
    this.at = start + 1
    for (let taken = 0; taken < units; ) taken += this.takeCharacter(quote).length
    const { column, seen } = this.place()
    const message = `The pattern is not one of RFC 9485 (I-Regexp): character ${column} of the path cannot be ${seen}. There are no look-around, named groups, back references, lazy quantifiers, or classes such as \\d; write [0-9].`
    return new ToolInputError('path_invalid', message)
  }

  private place(): { readonly column: number; readonly seen: string } {
    const found = this.text.codePointAt(this.at)
    const seen = found === undefined ? 'its end' : String.fromCodePoint(found)
    return { column: Array.from(this.text.slice(0, this.at)).length + 1, seen }
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length
  }

  peek(token: string): boolean {
    return this.text.startsWith(token, this.at)
  }

  /** Takes this token if it comes next. */
  take(token: string): boolean {
    const isNext = this.peek(token)
    if (isNext) this.at += token.length
    return isNext
  }

  expect(token: string): void {
    if (!this.take(token)) throw this.fail(token)
  }

  /** Takes what a sticky pattern matches here. */
  match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0] ?? null
    if (found !== null) this.at += found.length
    return found
  }

  skipSpace(): void {
    this.match(/[ \t\n\r]*/y)
  }

  /** Skips white space if this token follows it, and takes the token. */
  takeAfterSpace(token: string): boolean {
    const before = this.at
    this.skipSpace()
    if (this.take(token)) return true
    this.at = before
    return false
  }

  /** Takes a string in single or double quotes; `null` if none comes next. */
  takeString(): string | null {
    const quote = this.peek("'") ? "'" : this.peek('"') ? '"' : null
    if (quote === null) return null
    this.at += 1
    let text = ''
    while (!this.take(quote)) text += this.takeCharacter(quote)
    return text
  }

  private takeCharacter(quote: string): string {
    const plain = this.match(/[^"'\\\p{Cc}\p{Cs}]|[\x7f-\x9f]/uy)
    if (plain !== null) return plain
    if (this.peek(quote === "'" ? '"' : "'")) return this.text[this.at++] ?? ''
    if (!this.take('\\')) throw this.fail(`the closing ${quote}`)
    if (this.take(quote)) return quote
    const short = this.match(/[bfnrt/\\]/y)
    if (short !== null) return shortEscapes[short] ?? short
    const hex = this.match(
      /u(?:[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?![dD][89a-fA-F])[0-9a-fA-F]{4})/y,
    )
    if (hex === null) throw this.fail('an escape')
    const units = hex.match(/[0-9a-fA-F]{4}/g) ?? []
    return String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16)))
  }
}

const shortEscapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
