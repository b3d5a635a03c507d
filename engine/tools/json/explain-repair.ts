/** What a repair did at one place; each is a note of its own kind. */
export type RepairChange =
  | 'Commas added'
  | 'Commas removed'
  | 'Colons added'
  | 'Brackets closed'
  | 'Brackets removed'
  | 'Comments removed'
  | 'Texts quoted'
  | 'Quotes replaced'
  | 'Quotes in texts escaped'
  | 'Texts closed'
  | 'Texts joined'
  | 'Control characters escaped'
  | 'Escapes respelled'
  | 'Backslashes doubled'
  | 'Words replaced'
  | 'Missing values made null'
  | 'Numbers respelled'
  | 'Calls unwrapped'
  | 'Code fences removed'
  | 'Ellipses removed'
  | 'Values put into an array'
  | 'Brackets guessed'

/** Where a repair would change a text or the nesting. */
export class UnexplainedRepair extends Error {
  readonly at: number

  constructor(at: number, message: string) {
    super(message)
    this.name = 'UnexplainedRepair'
    this.at = at
  }
}

const token = /[{}[\],:]|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s{}[\],:"]+/g
const space = /[\s\u180e\u2000-\u200b\ufeff]/
const quotes = /["'`´‘’“”]/
const shortEscapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
/** What words of Python and JavaScript become. */
const words: ReadonlyMap<string, string> = new Map([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
  ['undefined', 'null'],
])

/** Walks through a text and what a repair made of it, side by side, and finds what was changed. */
class RepairReader {
  readonly changes: { readonly change: RepairChange; readonly at: number }[] = []
  private readonly text: string
  private readonly guessesBrackets: boolean
  private at = 0

  constructor(text: string, guessesBrackets: boolean) {
    this.text = text
    this.guessesBrackets = guessesBrackets
  }

  /** @param isWrapped whether the first bracket of the output is one that the repair put around all values. */
  read(json: string, isWrapped: boolean): void {
    let isFirst = true
    for (const [part] of json.matchAll(token)) {
      this.skip()
      if (isFirst && isWrapped) this.note('Values put into an array')
      else if (part.startsWith('"')) this.string(part)
      else if (part.length === 1 && '{}[],:'.includes(part)) this.mark(part)
      else this.literal(part)
      isFirst = false
    }
    this.rest()
  }

  private note(change: RepairChange, at = this.at): void {
    this.changes.push({ change, at })
  }

  private get isAtEnd(): boolean {
    return this.at >= this.text.length
  }

  private matches(pattern: RegExp): string | null {
    pattern.lastIndex = this.at
    return pattern.exec(this.text)?.[0] ?? null
  }

  private drop(change: RepairChange, length: number): void {
    this.note(change)
    this.at += length
  }

  /** Passes white space, comments, code fences and calls around values. */
  private skip(): void {
    for (;;) {
      while (!this.isAtEnd && space.test(this.text[this.at] ?? '')) this.at += 1
      const comment = this.matches(/\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y)
      const fence = this.matches(/```[ \t]*\w*/y)
      const call = this.matches(/[A-Za-z_$][\w$.]*\s*\(|\)\s*;?/y)
      const ellipsis = this.matches(/\.\.\.\s*,?/y)
      if (comment !== null) this.drop('Comments removed', comment.length)
      else if (fence !== null) this.drop('Code fences removed', fence.length)
      else if (call !== null) this.drop('Calls unwrapped', call.length)
      else if (ellipsis !== null) this.drop('Ellipses removed', ellipsis.length)
      else return
    }
  }

  private mark(mark: string): void {
    const start = this.at
    if (mark !== ',') this.skipCommas()
    if (this.text[this.at] === mark) {
      this.at += 1
      return
    }
    if (mark === ',') this.note('Commas added')
    else if (mark === ':') this.note('Colons added')
    else if (mark === '{' || mark === '[') this.guess(start, 'A bracket would have to be added here.')
    else if (this.isAtEnd || this.text[this.at] === '}' || this.text[this.at] === ']')
      this.note('Brackets closed')
    else this.guess(start, 'A container would have to be closed here, though more follows.')
  }

  private guess(at: number, message: string): void {
    if (!this.guessesBrackets) throw new UnexplainedRepair(at, message)
    this.note('Brackets guessed', at)
  }

  private skipCommas(): void {
    while (this.text[this.at] === ',') {
      this.drop('Commas removed', 1)
      this.skip()
    }
  }

  private literal(literal: string): void {
    if (literal === 'null' && /[,}\]]|^$/.test(this.text[this.at] ?? '')) {
      this.note('Missing values made null')
      return
    }
    this.skipCommas()
    const start = this.at
    const found = this.matches(/[^\s{}[\],:"'()/;]+/y) ?? ''
    this.at += found.length
    if (found === literal) return
    const isSameNumber = found !== '' && /^[-+.\d]/.test(found) && Number(found) === Number(literal)
    if (isSameNumber || (this.isAtEnd && literal.startsWith(found))) this.note('Numbers respelled', start)
    else if (words.get(found) === literal || literal.startsWith(found.toLowerCase()))
      this.note('Words replaced', start)
    else throw new UnexplainedRepair(start, `A value would become ${literal.slice(0, 40)}.`)
  }

  private string(literal: string): void {
    this.skipCommas()
    const start = this.at
    const open = this.text[start] ?? ''
    const isQuoted = quotes.test(open)
    const before = this.changes.length
    if (isQuoted) this.at += 1
    else this.checkUnquoted()
    const value = String(JSON.parse(literal))
    for (let index = 0; index < value.length; index += 1) this.character(value[index] ?? '')
    const inside = this.changes.slice(before).map(({ change }) => change)
    if (inside.includes('Quotes in texts escaped') && /[\r\n]/.test(value))
      throw new UnexplainedRepair(start, 'Quotes and ends of lines would become part of this text.')
    if (isQuoted) {
      if (open !== '"') this.note('Quotes replaced', start)
      this.closeString()
    } else if (this.isAtEnd && /^(?:t|tr|tru|f|fa|fal|fals|n|nu|nul)$/i.test(value))
      throw new UnexplainedRepair(start, `The word ${value} is cut off.`)
    else this.note('Texts quoted', start)
  }

  private checkUnquoted(): void {
    const { text, at } = this
    if (text[at] === '\\' && text[at + 1] === '"')
      throw new UnexplainedRepair(at, 'This is JSON within a string of JSON.')
    if (text[at] === ':') throw new UnexplainedRepair(at, 'A colon would become part of a text.')
  }

  /** Passes what stands for a character of a text in the input. */
  private character(character: string): void {
    const { text } = this
    const joined = this.matches(/["'`´‘’“”]\s*\+\s*["'`´‘’“”]/y)
    if (joined !== null && text[this.at] !== character) this.drop('Texts joined', joined.length)
    const found = text[this.at]
    if (found === '\\') {
      const [decoded, length] = this.escape()
      if (decoded === character) this.at += length
      else if (character === '\\') this.drop('Backslashes doubled', 1)
      else
        throw new UnexplainedRepair(
          this.at,
          `\\${text[this.at + 1] ?? ''} is not an escape, and the backslash would get lost; backslashes=double keeps it.`,
        )
      return
    }
    if (found !== character) throw new UnexplainedRepair(this.at, 'A text would change here.')
    if (character < ' ') this.note('Control characters escaped')
    else if (character === '"') this.note('Quotes in texts escaped')
    this.at += 1
  }

  private escape(): readonly [decoded: string, length: number] {
    const { text, at } = this
    const letter = text[at + 1] ?? ''
    if (letter === '"' || letter === '\\' || letter === '/') return [letter, 2]
    if (letter === "'") {
      this.note('Escapes respelled')
      return [letter, 2]
    }
    const hex = /^[0-9a-f]{4}$/i.exec(text.slice(at + 2, at + 6))?.[0]
    if (letter === 'u' && hex !== undefined) return [String.fromCharCode(Number.parseInt(hex, 16)), 6]
    return [shortEscapes[letter] ?? '', 2]
  }

  private closeString(): void {
    const next = this.text[this.at] ?? ''
    if (quotes.test(next)) {
      this.at += 1
      return
    }
    const cut = this.matches(/\\?(?:u[0-9a-f]{0,3})?\s*$/iy)
    const endsHere = cut !== null && (cut.startsWith('\\') || cut.trim() === '')
    if (!endsHere && next !== '\n' && next !== '\r')
      throw new UnexplainedRepair(this.at, 'The text that ends here has no closing quote.')
    this.note('Texts closed')
    if (endsHere) this.at = this.text.length
  }

  /** What follows the value. */
  private rest(): void {
    for (this.skip(); !this.isAtEnd; this.skip()) {
      if (this.text[this.at] === ',') this.drop('Commas removed', 1)
      else if (/[}\]]/.test(this.text[this.at] ?? '')) this.drop('Brackets removed', 1)
      else throw new UnexplainedRepair(this.at, 'What follows would get lost.')
    }
  }
}

/**
 * What a repair changed, in the order of the text.
 * @throws UnexplainedRepair where it would change the text of a string or the nesting.
 */
export function explainRepair(
  text: string,
  json: string,
  guessesBrackets: boolean,
): readonly { readonly change: RepairChange; readonly at: number }[] {
  const read = (isWrapped: boolean) => {
    const reader = new RepairReader(text, guessesBrackets)
    reader.read(json, isWrapped)
    return reader.changes
  }
  const first = /\S/.exec(json)?.[0]
  try {
    return read(false)
  } catch (error) {
    if (!(error instanceof UnexplainedRepair) || first !== '[') throw error
    // Values on lines of their own become the items of an array.
    try {
      return read(true)
    } catch (other) {
      throw other instanceof UnexplainedRepair && other.at > error.at ? other : error
    }
  }
}
