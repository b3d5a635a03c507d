import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  quote,
} from '../../json-bytes/json-bytes.js'
import { isInKey, states } from '../../json-bytes/json-grammar.js'
import { JsonPathScanner } from '../../json-bytes/json-path-scanner.js'
import { endProblem, jsonProblem } from '../../json-bytes/json-problem.js'
import { depthMax } from '../../json-bytes/json-scanner.js'
import { markLength } from '../../mark-length.js'
import type { DuplicateKeys } from './duplicate-keys.js'
import type { JsonError } from './json-errors.js'
import { beginsWord, commentEnd, isWholeComment, quotedOrWordEnd, wordEnd } from './skipped-text.js'

/** What else is allowed, and looked for. */
interface SearchOptions {
  readonly hasComments?: boolean
  readonly duplicates?: DuplicateKeys | undefined
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
const slash = 0x2f
const star = 0x2a

/** Whether a value or a key can begin with this byte. */
function beginsToken(byte: number): boolean {
  return byte === quote || byte === openBrace || byte === openBracket || beginsWord(byte)
}

function isClosing(byte: number): boolean {
  return byte === closeBrace || byte === closeBracket
}

/** Looks for mistakes, and continues after each as if the probably intended text were there. */
class JsonErrorSearch extends JsonPathScanner {
  readonly errors: JsonError[] = []
  truncated = false
  private readonly errorsMax: number
  private readonly hasComments: boolean
  private readonly duplicates: DuplicateKeys | undefined

  constructor(errorsMax: number, { hasComments = false, duplicates }: SearchOptions) {
    super(hasComments)
    this.errorsMax = errorsMax
    this.hasComments = hasComments
    this.duplicates = duplicates
  }

  run(bytes: Uint8Array): void {
    const mark = markLength(bytes)
    if (mark > 0) this.report('JSON begins without a byte order mark.', 0)
    if (this.truncated || this.scanAll(bytes, mark) || this.truncated) return
    this.report(endProblem(this.state, this.depth), bytes.length)
  }

  protected override key(bytes: Uint8Array, start: number, end: number): void {
    super.key(bytes, start, end)
    if (this.duplicates?.take(start, end, this.depth) === true) this.duplicates.warn(start, this.pointer())
  }

  protected override open(isObject: boolean, at: number): void {
    super.open(isObject, at)
    this.duplicates?.open(this.depth + 1)
  }

  protected override close(): void {
    this.duplicates?.close(this.depth)
  }

  protected override tooDeep(at: number): number {
    this.report(`Values are nested more than ${depthMax} deep; nothing after this is checked.`, at)
    this.truncated = true
    this.isStopped = true
    return at
  }

  /** Passes a comment that is allowed, unless it is none or is not closed. */
  protected override comment(bytes: Uint8Array, at: number): number {
    const end = commentEnd(bytes, at)
    if (!isWholeComment(bytes, at, end)) this.report('A comment is not closed, or is none.', at)
    return end
  }

  /** Reports an invalid byte, and decides where to continue. */
  protected override fail(bytes: Uint8Array, at: number, start: number): number {
    const { state } = this
    const byte = bytes[at] as number
    const problem = jsonProblem(state, byte, this.isInObject())
    const isComment = byte === slash && (bytes[at + 1] === slash || bytes[at + 1] === star)
    const isBetweenTokens = state <= states.after || state === states.done
    // Who has a file with comments is told how to check it.
    const canBeAllowed = isComment && isBetweenTokens && !this.hasComments
    this.report(canBeAllowed ? `${problem} Comments are allowed with comments=allow.` : problem, at)
    if (state === states.done) return this.goOnAfterAll(bytes, at)
    if (state >= states.string || (state >= states.inString && state < states.minus))
      return this.goOnInString(bytes, at, start)
    if (state > states.after) {
      this.endValue()
      return wordEnd(bytes, at)
    }
    if (byte === slash) return commentEnd(bytes, at)
    if (state === states.firstKey || state === states.key) return this.goOnBeforeKey(bytes, at)
    if (state === states.colon) return this.goOnBeforeColon(byte, at)
    if (state === states.after) return this.goOnAfterValue(byte, at)
    return this.goOnBeforeValue(bytes, at)
  }

  private report(message: string, offset: number): void {
    if (this.errors.length === this.errorsMax) {
      this.truncated = true
      this.isStopped = true
    } else this.errors.push({ offset, pointer: this.pointer(), message })
  }

  /** Takes a bracket that is not allowed here, or is of the wrong kind: it may close the container around this one. */
  private closeAnyway(byte: number, at: number): number {
    if (this.depth === 0) return at + 1
    const isObject = byte === closeBrace
    const closesOuter =
      isObject !== this.isInObject() && this.depth > 1 && isObject === this.isInObject(this.depth - 1)
    this.leave(isObject, at)
    return closesOuter ? at : at + 1
  }

  private goOnAfterAll(bytes: Uint8Array, at: number): number {
    const byte = bytes[at] as number
    if (beginsToken(byte)) {
      this.state = states.value
      return at
    }
    return byte === slash ? commentEnd(bytes, at) : at + 1
  }

  private goOnInString(bytes: Uint8Array, at: number, start: number): number {
    const isKey = isInKey(this.state)
    const byte = bytes[at] as number
    const isInEscape = this.state < states.string
    this.state = isKey ? states.keyString : states.string
    if (byte !== lineFeed && byte !== carriageReturn)
      return isInEscape && (byte === quote || byte >= 0x80) ? at : at + 1
    // The closing quote is missing.
    if (isKey) {
      super.key(bytes, start, at)
      this.state = states.colon
    } else this.endValue()
    return at
  }

  private goOnBeforeKey(bytes: Uint8Array, at: number): number {
    const byte = bytes[at] as number
    if (isClosing(byte)) return this.closeAnyway(byte, at)
    if (byte === colon) this.state = states.colon
    else if (byte === openBrace || byte === openBracket) this.state = states.value
    else if (beginsWord(byte)) {
      this.state = states.colon
      return quotedOrWordEnd(bytes, at)
    } else return at + 1
    return at
  }

  private goOnBeforeColon(byte: number, at: number): number {
    if (isClosing(byte)) return this.closeAnyway(byte, at)
    if (byte === comma) {
      this.state = states.after
      return at
    }
    this.state = states.value
    return beginsToken(byte) ? at : at + 1
  }

  private goOnAfterValue(byte: number, at: number): number {
    if (isClosing(byte)) return this.closeAnyway(byte, at)
    if (!beginsToken(byte)) return at + 1
    this.comma(at)
    this.state = this.isInObject() ? states.key : states.value
    return at
  }

  private goOnBeforeValue(bytes: Uint8Array, at: number): number {
    const byte = bytes[at] as number
    if (isClosing(byte)) return this.closeAnyway(byte, at)
    if (byte === comma && this.depth > 0) {
      this.state = states.after
      return at
    }
    if (!beginsToken(byte)) return at + 1
    this.endValue()
    return quotedOrWordEnd(bytes, at)
  }
}

/** All mistakes in a text, as far as they are not consequences of one another, in their order. */
export function findJsonErrors(
  bytes: Uint8Array,
  errorsMax: number,
  options: SearchOptions = {},
): { readonly errors: readonly JsonError[]; readonly truncated: boolean } {
  const search = new JsonErrorSearch(errorsMax, options)
  search.run(bytes)
  return search
}
