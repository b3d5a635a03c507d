import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  quote,
} from '../../json-bytes/json-bytes.js'
import { actions, commentTransitions, states, transitions } from '../../json-bytes/json-grammar.js'
import { markLength } from '../../mark-length.js'
import type { DuplicateKeys } from './duplicate-keys.js'
import { depthMax, type JsonError, jsonProblem } from './json-errors.js'
import { JsonPlace } from './json-place.js'
import { isPlainInString } from './plain-in-string.js'
import { beginsWord, commentEnd, isWholeComment, quotedOrWordEnd, wordEnd } from './skipped-text.js'

/** What else is allowed, and looked for. */
interface SearchOptions {
  readonly hasComments?: boolean
  readonly duplicates?: DuplicateKeys | undefined
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
const slash = 0x2f
const { value, firstElement, firstKey, key, colon: colonState, after, string, keyString, done } = states
/** The first and the last state of escapes and characters, of which those of keys come second. */
const inString = 10 * 256
const inKeyString = 22 * 256
const minus = 34 * 256

/** Whether a value or a key can begin with this byte. */
function beginsToken(byte: number): boolean {
  return byte === quote || byte === openBrace || byte === openBracket || beginsWord(byte)
}

/** Looks for mistakes, and continues after each as if the probably intended text were there. */
class JsonErrorSearch {
  readonly errors: JsonError[] = []
  truncated = false
  private readonly bytes: Uint8Array
  private readonly errorsMax: number
  private readonly place: JsonPlace
  private state: number = value
  private at = 0

  private readonly table: Uint16Array
  private readonly duplicates: DuplicateKeys | undefined

  constructor(bytes: Uint8Array, errorsMax: number, { hasComments, duplicates }: SearchOptions) {
    this.bytes = bytes
    this.table = hasComments ? commentTransitions : transitions
    this.errorsMax = errorsMax
    this.duplicates = duplicates
    this.place = new JsonPlace(bytes)
  }

  run(): void {
    const { bytes } = this
    const mark = markLength(bytes)
    if (mark > 0) this.report('JSON begins without a byte order mark.')
    this.at = mark
    while (this.at < bytes.length && !this.truncated) {
      if (this.state === string || this.state === keyString) this.skipPlain()
      if (this.at < bytes.length) this.step(bytes[this.at] as number)
    }
    if (!this.truncated) this.end()
  }

  private skipPlain(): void {
    const { bytes } = this
    let { at } = this
    while (at < bytes.length && isPlainInString[bytes[at] as number] === 1) at += 1
    this.at = at
  }

  private report(message: string): void {
    if (this.errors.length === this.errorsMax) this.truncated = true
    else this.errors.push({ offset: this.at, pointer: this.place.pointer(), message })
  }

  private step(byte: number): void {
    const { state } = this
    if (state === done) {
      this.stepAfterValue(byte)
      return
    }
    const next = this.table[state | byte] as number
    if (next <= done) {
      if (next === keyString && state <= key) this.place.keyStart(this.at)
      if (next === colonState && state === keyString) {
        this.place.keyEnd(this.at + 1)
        this.duplicates?.take(this.place)
      }
      this.state = next
      this.at += 1
    } else this.act(next, byte)
  }

  private act(action: number, byte: number): void {
    switch (action) {
      case actions.valueEnd:
        this.endValue()
        this.at += 1
        return
      case actions.numberEnd:
        this.endValue()
        return
      case actions.openObject:
      case actions.openArray:
        this.open(byte === openBrace)
        return
      case actions.closeObject:
      case actions.closeArray:
        this.close(byte)
        return
      case actions.comma:
        this.separate()
        return
      case actions.comment:
        this.passComment()
        return
      default:
        this.fail(byte)
    }
  }

  private endValue(): void {
    this.state = this.place.depth === 0 ? done : after
  }

  private open(isObject: boolean): void {
    if (this.place.depth === depthMax) {
      this.report(`Values are nested more than ${depthMax} deep; nothing after this is checked.`)
      this.truncated = true
      return
    }
    this.place.open(isObject)
    this.duplicates?.open(this.place.depth)
    this.state = isObject ? firstKey : firstElement
    this.at += 1
  }

  private close(byte: number): void {
    const { place } = this
    if (place.depth === 0) {
      this.state = done
      return
    }
    const isMatching = (byte === closeBrace) === place.isInObject
    if (!isMatching) {
      this.report(jsonProblem(after, byte, place.isInObject))
      this.closeAnyway(byte)
      return
    }
    this.leave()
    this.at += 1
  }

  private leave(): void {
    this.duplicates?.close(this.place.depth)
    this.place.close()
    this.endValue()
  }

  /** Takes a bracket that is not allowed here, or is of the wrong kind: it may close the container around this one. */
  private closeAnyway(byte: number): void {
    const { place } = this
    if (place.depth === 0) {
      this.at += 1
      return
    }
    const isMatching = (byte === closeBrace) === place.isInObject
    const closesOuter = !isMatching && place.depth > 1 && (byte === closeBrace) === place.isOuterObject
    this.leave()
    if (!closesOuter) this.at += 1
  }

  private separate(): void {
    if (this.place.depth === 0) {
      this.state = done
      return
    }
    this.place.separate()
    this.state = this.place.isInObject ? key : value
    this.at += 1
  }

  /** Passes a comment that is allowed, unless it is none or is not closed. */
  private passComment(): void {
    const { bytes, at } = this
    const end = commentEnd(bytes, at)
    if (!isWholeComment(bytes, at, end)) this.report('A comment is not closed, or is none.')
    this.at = end
  }

  private stepAfterValue(byte: number): void {
    if (byte === slash && this.table === commentTransitions) {
      this.passComment()
      return
    }
    if (byte === 0x20 || byte === lineFeed || byte === carriageReturn || byte === 0x09) {
      this.at += 1
      return
    }
    this.report(jsonProblem(done, byte, false))
    if (beginsToken(byte)) this.state = value
    else if (byte === slash) this.at = commentEnd(this.bytes, this.at)
    else this.at += 1
  }

  /** Reports an invalid byte, and decides where to continue. */
  private fail(byte: number): void {
    const { state, place } = this
    this.report(jsonProblem(state, byte, place.isInObject))
    if (state >= string || (state >= inString && state < minus)) this.goOnInString(byte)
    else if (state > after) {
      this.at = wordEnd(this.bytes, this.at)
      this.endValue()
    } else if (byte === slash) this.at = commentEnd(this.bytes, this.at)
    else if (state === firstKey || state === key) this.goOnBeforeKey(byte)
    else if (state === colonState) this.goOnBeforeColon(byte)
    else if (state === after) this.goOnAfterValue(byte)
    else this.goOnBeforeValue(byte)
  }

  private goOnInString(byte: number): void {
    const isKey = this.state === keyString || (this.state >= inKeyString && this.state < minus)
    const isInEscape = this.state < string
    this.state = isKey ? keyString : string
    if (byte === lineFeed || byte === carriageReturn) {
      // The closing quote is missing.
      if (isKey) {
        this.place.keyEnd(this.at)
        this.state = colonState
      } else this.endValue()
    } else if (!(isInEscape && (byte === quote || byte >= 0x80))) this.at += 1
  }

  private goOnBeforeKey(byte: number): void {
    if (byte === closeBrace || byte === closeBracket) this.closeAnyway(byte)
    else if (byte === colon) this.state = colonState
    else if (byte === openBrace || byte === openBracket) this.state = value
    else if (beginsWord(byte)) {
      this.at = quotedOrWordEnd(this.bytes, this.at)
      this.state = colonState
    } else this.at += 1
  }

  private goOnBeforeColon(byte: number): void {
    if (byte === comma) this.state = after
    else if (byte === closeBrace || byte === closeBracket) this.closeAnyway(byte)
    else {
      this.state = value
      if (!beginsToken(byte)) this.at += 1
    }
  }

  private goOnAfterValue(byte: number): void {
    if (beginsToken(byte)) {
      this.place.separate()
      this.state = this.place.isInObject ? key : value
    } else this.at += 1
  }

  private goOnBeforeValue(byte: number): void {
    if (byte === closeBrace || byte === closeBracket) this.closeAnyway(byte)
    else if (byte === comma) {
      if (this.place.depth > 0) this.state = after
      else this.at += 1
    } else if (beginsToken(byte)) {
      this.at = quotedOrWordEnd(this.bytes, this.at)
      this.endValue()
    } else this.at += 1
  }

  private end(): void {
    const { state, place } = this
    if (place.depth === 0 && state >= states.zero && state <= states.exponent) return
    if (state === done) return
    this.report(
      place.depth === 0 && state === value
        ? 'The text holds no value.'
        : 'The text ends before its value is complete.',
    )
  }
}

/** All mistakes in a text, as far as they are not consequences of one another, in their order. */
export function findJsonErrors(
  bytes: Uint8Array,
  errorsMax: number,
  options: SearchOptions = {},
): { readonly errors: readonly JsonError[]; readonly truncated: boolean } {
  const search = new JsonErrorSearch(bytes, errorsMax, options)
  search.run()
  return search
}
