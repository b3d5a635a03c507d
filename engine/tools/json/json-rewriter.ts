import {
  closeBrace,
  closeBracket,
  comma,
  isSpace,
  openBrace,
  openBracket,
} from '../../json-bytes/json-bytes.js'
import { actions, states, transitions } from '../../json-bytes/json-grammar.js'
import { type InputPosition, ToolInputError } from '../tool.js'
import type { GrowingBytes } from '../whole-input.js'
import { depthMax, jsonInvalid, jsonProblem, jsonTooDeep } from './json-errors.js'
import { isPlainInString } from './plain-in-string.js'

/** The white space that JSON is written with. */
export interface JsonLayout {
  /** The indent of a level, at most 8 bytes; `null` writes everything on one line. */
  readonly indent: string | null
  readonly finalNewline?: boolean
  /** The input has a value on each line: they become the items of an array. */
  readonly fromLines?: boolean
  /** The input is an array: each of its items goes to a line. */
  readonly toLines?: boolean
}

const outBytes = 65_536
const lineFeed = 0x0a
const space = 0x20
const byteOrderMark = [0xef, 0xbb, 0xbf]

/**
 * Checks JSON that arrives in chunks and writes it again, token by token, with other white space: tokens are copied.
 * The tables of the grammar decide; the loop only looks for what is not white space.
 */
export class JsonRewriter {
  private readonly layout: JsonLayout
  private readonly isPretty: boolean
  /** A line feed and the indentation of the deepest level; the first bytes are those of the others. */
  private readonly gap: Uint8Array
  private readonly indentBytes: number
  private readonly isInObject = new Uint8Array(depthMax + 1)
  private readonly out: Uint8Array
  private length = 0
  private state: number = states.value
  private depth = 0
  private values = 0
  private markBytes = 0
  /** The bytes of the chunks before this one, and where lines and characters were counted last. */
  private offset = 0
  private lines = 0
  private lineStart = 0
  private continuationBytes = 0

  constructor(layout: JsonLayout) {
    this.layout = layout
    const { indent } = layout
    this.isPretty = indent !== null
    this.gap = new TextEncoder().encode(indent === null ? '' : `\n${indent.repeat(depthMax + 1)}`)
    this.indentBytes = indent?.length ?? 0
    this.out = new Uint8Array(outBytes + this.gap.length + 64)
  }

  /** Whether the output should be taken before more is scanned. */
  get isFull(): boolean {
    return this.length >= outBytes
  }

  /** The output since the last call. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.out.slice(0, this.length)
    this.length = 0
    return taken
  }

  /** Appends the output since the last call. */
  moveTo(target: GrowingBytes): void {
    target.append(this.out.subarray(0, this.length))
    this.length = 0
  }

  /** Scans a chunk from `from` on, and returns where it stopped: at its end, or where the output was full. */
  scan(chunk: Uint8Array, from: number): number {
    const { out } = this
    const end = chunk.length
    let { state, length } = this
    let at = from
    while (at < end && length < outBytes) {
      if (state >= states.string && state < states.done) {
        const stop = Math.min(end, at + outBytes - length)
        let byte = chunk[at] as number
        while (isPlainInString[byte] === 1) {
          out[length++] = byte
          at += 1
          if (at === stop) break
          byte = chunk[at] as number
        }
        if (at === stop) continue
      }
      const byte = chunk[at] as number
      const next = state < states.done ? (transitions[state | byte] as number) : actions.fail
      if (state > states.after && next > states.after && next < states.done) {
        // Within a token.
        if (byte >= 0x80 && byte < 0xc0) this.continuationBytes += 1
        out[length++] = byte
        state = next
        at += 1
      } else if (next === state) {
        if (byte === lineFeed) this.endLine(state, at)
        at += 1
      } else {
        this.length = length
        this.state = state
        if (this.takeBoundary(byte, next, at)) at += 1
        ;({ state, length } = this)
      }
    }
    this.state = state
    this.length = length
    if (at === end) this.offset += end
    return at
  }

  /** Ends the input. */
  end(): void {
    const { depth, layout } = this
    if (depth === 0 && this.state >= states.zero && this.state <= states.exponent) this.state = states.done
    const isBetweenLines = layout.fromLines === true && depth === 0 && this.state === states.value
    if (this.state !== states.done && !isBetweenLines) {
      const isEmpty = depth === 0 && this.state === states.value
      const message = isEmpty ? 'The text holds no value.' : 'The text ends before its value is complete.'
      throw jsonInvalid(message, this.position(0))
    }
    if (layout.fromLines === true) {
      if (this.values === 0) this.put(openBracket)
      else this.breakLine(-1)
      this.put(closeBracket)
    }
    if (layout.finalNewline === true) this.put(lineFeed)
  }

  private position(at: number): InputPosition {
    const offset = this.offset + at
    return { offset, line: this.lines + 1, column: offset - this.lineStart - this.continuationBytes + 1 }
  }

  private put(byte: number): void {
    this.out[this.length++] = byte
  }

  private breakLine(depth: number): void {
    if (!this.isPretty) return
    const { out, gap } = this
    const level = this.layout.fromLines === true ? depth + 1 : depth
    const bytes = 1 + level * this.indentBytes
    let { length } = this
    for (let at = 0; at < bytes; at += 1) out[length++] = gap[at] as number
    this.length = length
  }

  private endLine(state: number, at: number): void {
    const isBetween = this.depth === 0 && (state === states.value || state === states.done)
    if (this.layout.fromLines === true && !isBetween)
      throw jsonInvalid('The line ends before its value is complete.', this.position(at))
    this.lines += 1
    this.lineStart = this.offset + at + 1
    this.continuationBytes = 0
  }

  /** Takes a byte at which a token begins or ends, and returns whether it is consumed. */
  private takeBoundary(byte: number, next: number, at: number): boolean {
    const { state } = this
    if (state === states.done) return this.takeAfterValue(byte, at)
    switch (next) {
      case actions.fail:
        return this.takeMark(byte, at)
      case actions.valueEnd:
        this.put(byte)
        this.endValue()
        return true
      case actions.numberEnd:
        this.endValue()
        return false
      case actions.openObject:
      case actions.openArray:
        this.open(byte, at)
        return true
      case actions.closeObject:
      case actions.closeArray:
        this.close(byte, at)
        return true
      case actions.comma:
        this.separate(byte, at)
        return true
    }
    if (state <= states.key) this.beginToken(byte, at)
    this.put(byte)
    if (state === states.colon && this.isPretty) this.put(space)
    this.state = next
    return true
  }

  private beginToken(byte: number, at: number): void {
    if (this.depth === 0) this.beginValue(byte, at)
    else if (this.state === states.firstElement || this.state === states.firstKey) this.breakLine(this.depth)
  }

  /** Begins a value that is in no container. */
  private beginValue(byte: number, at: number): void {
    if (this.markBytes % byteOrderMark.length > 0) throw this.problem(states.value, byte, at)
    if (this.layout.toLines === true && byte !== openBracket)
      throw new ToolInputError('not_an_array', 'The value is not an array.', this.position(at))
    if (this.layout.fromLines === true) {
      this.put(this.values === 0 ? openBracket : comma)
      this.breakLine(0)
    }
    this.values += 1
  }

  private endValue(): void {
    this.state = this.depth === 0 ? states.done : states.after
  }

  private open(byte: number, at: number): void {
    this.beginToken(byte, at)
    if (this.depth === depthMax) throw jsonTooDeep(this.position(at))
    if (this.layout.toLines !== true || this.depth > 0) this.put(byte)
    this.depth += 1
    const isObject = byte === openBrace
    this.isInObject[this.depth] = isObject ? 1 : 0
    this.state = isObject ? states.firstKey : states.firstElement
  }

  private close(byte: number, at: number): void {
    const { depth, state } = this
    const isMatching = depth > 0 && (this.isInObject[depth] === 1) === (byte === closeBrace)
    if (!isMatching) throw this.problem(depth === 0 ? states.done : states.after, byte, at)
    const isEmpty = state === states.firstKey || state === states.firstElement
    this.depth -= 1
    if (this.layout.toLines === true && depth === 1) {
      if (!isEmpty) this.put(lineFeed)
    } else {
      if (!isEmpty) this.breakLine(this.depth)
      this.put(byte)
    }
    this.endValue()
  }

  private separate(byte: number, at: number): void {
    const { depth } = this
    if (depth === 0) throw this.problem(states.done, byte, at)
    this.put(depth === 1 && this.layout.toLines === true ? lineFeed : byte)
    this.breakLine(depth)
    this.state = this.isInObject[depth] === 1 ? states.key : states.value
  }

  /** After the value, only white space may follow, or another value on the next line. */
  private takeAfterValue(byte: number, at: number): boolean {
    if (!isSpace(byte)) throw this.problem(states.done, byte, at)
    if (byte === lineFeed) {
      this.endLine(states.done, at)
      if (this.layout.fromLines === true) this.state = states.value
    }
    return true
  }

  /** A byte order mark may precede everything; it is dropped. Nothing else that is not in the grammar is taken. */
  private takeMark(byte: number, at: number): true {
    const isMark = this.offset + at === this.markBytes && byte === byteOrderMark[this.markBytes]
    if (!isMark) throw this.problem(this.state, byte, at)
    this.markBytes += 1
    this.continuationBytes += 1
    return true
  }

  private problem(state: number, byte: number, at: number): ToolInputError {
    return jsonInvalid(jsonProblem(state, byte, this.isInObject[this.depth] === 1), this.position(at))
  }
}
