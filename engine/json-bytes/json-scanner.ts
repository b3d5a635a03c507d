import { backslash, quote } from './json-bytes.js'
import { actions, commentTransitions, states, transitions } from './json-grammar.js'

/** As deep as containers may be nested, here as in the API. */
export const depthMax = 512

const lineFeed = 0x0a
const space = 0x20
const nothing = new Uint8Array(0)

/** 1 for each byte that a JSON string may contain unescaped. */
const isPlainInString: Readonly<Uint8Array> = Uint8Array.from({ length: 256 }, (_none, byte) =>
  byte >= 0x20 && byte < 0x80 && byte !== quote && byte !== backslash ? 1 : 0,
)

/** Whether a number may end in this state of the grammar. */
export function endsNumber(state: number): boolean {
  return state >= states.zero && state <= states.exponent
}

/**
 * Reads one JSON value, in chunks or as a whole, by the table of the grammar. Readers extend it: it calls a method for
 * each thing that it meets, with its place in the chunk. Its memory does not grow with the input.
 */
export class JsonScanner {
  protected readonly table: Uint16Array
  protected state: number = states.value
  /** How many containers are open. */
  protected depth = 0
  /** Where the chunk begins in the input. */
  protected offset = 0
  protected isStopped = false
  /** Whether the chunk ended within a comment. */
  protected isInComment = false
  /** How many bytes of the current line do not begin a character. */
  protected continuationBytes = 0
  /** Whether the chunk before cut the token that is read. */
  protected isCut = false
  private readonly objects = new Uint8Array(depthMax + 1)
  /** The lines before the current one, and where it begins. */
  private lines = 0
  private lineStart = 0
  /** Whether nothing follows the chunk. */
  private isAll = false

  /** @param hasComments whether comments and commas after the last item or member are allowed. */
  constructor(hasComments = false) {
    this.table = hasComments ? commentTransitions : transitions
  }

  /** Scans the next chunk from `from` on, and returns where it stopped: at its end, or at a mistake. */
  scan(chunk: Uint8Array, from = 0): number {
    const { table } = this
    const end = chunk.length
    let { state } = this
    /** Where the token begins that is read. */
    let start = from
    let at = this.isInComment ? this.comment(chunk, from) : from
    while (at < end) {
      if (state >= states.string && state < states.done) {
        while (at < end && isPlainInString[chunk[at] as number] === 1) at += 1
        if (at === end) break
      }
      const byte = chunk[at] as number
      const next = table[state | byte] as number
      if (next === state && state <= states.after) {
        if (byte === lineFeed) state = this.takeLineFeed(at, state)
        at += 1
        while (chunk[at] === space) at += 1
      } else if (state > states.after && next > states.after && next <= states.done) {
        // Within a token, or white space after the value.
        if (byte === lineFeed) state = this.takeLineFeed(at, state)
        else state = next
        if ((byte & 0xc0) === 0x80) this.continuationBytes += 1
        at += 1
      } else if (state > states.after && next !== actions.fail && state < states.done) {
        // A token ends: a string or word with this byte, a number before it.
        if (next === actions.valueEnd || next === states.colon) at += 1
        if (this.isCut) this.endCut(chunk, start, at, next === states.colon)
        else if (next === states.colon) this.key(chunk, start, at)
        else this.scalar(chunk, start, at)
        state = next === states.colon ? next : this.depth === 0 ? states.done : states.after
      } else {
        this.state = state
        if (next < states.done && next > states.after) {
          this.begin(byte, at)
          start = at
          state = next
          at += 1
        } else {
          at = this.takeStructural(chunk, next, start, at)
          if (this.isStopped) return at
          state = this.state
        }
      }
    }
    this.state = state
    this.endChunk(chunk, start)
    return at
  }

  /** Scans a whole input from `from` on, and returns whether it is one value. */
  scanAll(bytes: Uint8Array, from = 0): boolean {
    this.isAll = true
    return this.scan(bytes, from) === bytes.length && this.end()
  }

  /** Ends the input, and returns whether it was one value. */
  end(): boolean {
    if (this.depth === 0 && endsNumber(this.state)) {
      this.endCut(nothing, 0, 0, false)
      this.state = states.done
    }
    return this.state === states.done
  }

  /** Whether the container at a depth is an object: the innermost, unless told otherwise. */
  protected isInObject(depth = this.depth): boolean {
    return this.objects[depth] === 1
  }

  /** The place of a byte of this chunk, up to which it was scanned. */
  protected position(at: number): { offset: number; line: number; column: number } {
    const offset = this.offset + at
    return { offset, line: this.lines + 1, column: offset - this.lineStart - this.continuationBytes + 1 }
  }

  /** A key, string, number or word begins. */
  protected begin(_byte: number, _at: number): void {}

  protected key(_chunk: Uint8Array, _start: number, _end: number): void {}

  /** A string, number or word. */
  protected scalar(_chunk: Uint8Array, _start: number, _end: number): void {}

  /** The beginning of a key or scalar that the end of the chunk cuts, or more of it. */
  protected cut(_chunk: Uint8Array, _start: number): void {}

  /** The last bytes, if any, of a key or scalar that was cut. */
  protected endCut(_chunk: Uint8Array, _start: number, _end: number, _isKey: boolean): void {
    this.isCut = false
  }

  /** `{` or `[`; the depth does not count it yet. */
  protected open(_isObject: boolean, _at: number): void {}

  /** `}` or `]`; the depth still counts its container. */
  protected close(_isObject: boolean, _at: number): void {}

  protected comma(_at: number): void {}

  protected colon(_at: number): void {}

  /** A line feed between tokens. */
  protected endLine(_at: number): void {}

  /**
   * A mistake: the state does not allow this byte. Returns where to go on, with a state of the reader's choice.
   * @param _start where the token begins, if the byte is in one.
   */
  protected fail(_chunk: Uint8Array, at: number, _start: number): number {
    this.isStopped = true
    return at
  }

  /** A container that is nested too deep. Returns where to go on. */
  protected tooDeep(at: number): number {
    this.isStopped = true
    return at
  }

  /** What begins with a slash, where comments are allowed, or the rest of it. Returns where to go on. */
  protected comment(_chunk: Uint8Array, at: number): number {
    return at + 1
  }

  /** Counts the lines and characters of bytes that a reader takes itself. */
  protected pass(chunk: Uint8Array, from: number, to: number): void {
    for (let at = from; at < to; at += 1) {
      const byte = chunk[at] as number
      if (byte === lineFeed) {
        this.lines += 1
        this.lineStart = this.offset + at + 1
        this.continuationBytes = 0
      } else if ((byte & 0xc0) === 0x80) this.continuationBytes += 1
    }
  }

  /** After a value, a comma or a bracket must follow, or the end. */
  protected endValue(): void {
    this.state = this.depth === 0 ? states.done : states.after
  }

  protected leave(isObject: boolean, at: number): void {
    this.close(isObject, at)
    this.depth -= 1
    this.endValue()
  }

  private takeLineFeed(at: number, state: number): number {
    this.state = state
    this.endLine(at)
    this.lines += 1
    this.lineStart = this.offset + at + 1
    this.continuationBytes = 0
    return this.state
  }

  private endChunk(chunk: Uint8Array, start: number): void {
    const { state } = this
    if (this.isAll && this.depth === 0 && endsNumber(state)) {
      this.scalar(chunk, start, chunk.length)
      this.state = states.done
    } else if (state > states.after && state < states.done) {
      this.cut(chunk, start)
      this.isCut = true
    }
    this.offset += chunk.length
  }

  /** Takes a byte between tokens that changes what is expected, and returns where to go on. */
  private takeStructural(chunk: Uint8Array, next: number, start: number, at: number): number {
    switch (next) {
      case actions.comma:
        this.comma(at)
        this.state = this.isInObject() ? states.key : states.value
        return at + 1
      case states.value:
        this.colon(at)
        this.state = next
        return at + 1
      case actions.openObject:
      case actions.openArray:
        return this.enter(next === actions.openObject, at)
      case actions.closeObject:
      case actions.closeArray: {
        const isObject = next === actions.closeObject
        if (this.depth === 0 || this.isInObject() !== isObject) {
          this.endValue()
          return this.fail(chunk, at, start)
        }
        this.leave(isObject, at)
        return at + 1
      }
      case actions.comment:
        return this.comment(chunk, at)
      default:
        return this.fail(chunk, at, start)
    }
  }

  private enter(isObject: boolean, at: number): number {
    if (this.depth === depthMax) return this.tooDeep(at)
    this.open(isObject, at)
    this.depth += 1
    this.objects[this.depth] = isObject ? 1 : 0
    this.state = isObject ? states.firstKey : states.firstElement
    return at + 1
  }
}

/** Whether these bytes are one JSON value with white space around it, by RFC 8259 in UTF-8, at most 512 levels deep. */
export function isJson(bytes: Uint8Array): boolean {
  return new JsonScanner().scanAll(bytes)
}
