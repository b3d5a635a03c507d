import {
  closeBrace,
  closeBracket,
  comma,
  isSpace,
  openBrace,
  openBracket,
} from '../../json-bytes/json-bytes.js'
import { actions, commentTransitions, states, transitions } from '../../json-bytes/json-grammar.js'
import { type InputPosition, ToolInputError } from '../tool.js'
import { JsonComment } from './json-comment.js'
import { depthMax, jsonInvalid, jsonProblem, jsonTooDeep } from './json-errors.js'
import { type JsonLayout, JsonOutput, outBytes } from './json-output.js'
import { isPlainInString } from './plain-in-string.js'

const lineFeed = 0x0a
const slash = 0x2f
/** How to read what has comments. */
const commentHint =
  'JSON with comments is read with comments=keep or comments=drop, by json-format and other tools.'
const space = 0x20
const byteOrderMark = [0xef, 0xbb, 0xbf]

/**
 * Checks JSON that arrives in chunks and writes it again, token by token, with other white space: tokens are copied.
 * The tables of the grammar decide; the loop only looks for what is not white space.
 */
export class JsonRewriter extends JsonOutput {
  private readonly isInObject = new Uint8Array(depthMax + 1)
  private readonly table: Uint16Array
  private readonly comment: JsonComment | null
  private state: number = states.value
  private values = 0
  private markBytes = 0
  /** The bytes of the chunks before this one, and where lines and characters were counted last. */
  private offset = 0
  private lines = 0
  private lineStart = 0
  private continuationBytes = 0
  private commentReturn: number = states.value

  constructor(layout: JsonLayout) {
    super(layout)
    const { comments = 'refuse' } = layout
    this.table = comments === 'refuse' ? transitions : commentTransitions
    this.comment = comments === 'refuse' ? null : new JsonComment()
  }

  /** Scans a chunk from `from` on, and returns where it stopped: at its end, or where the output was full. */
  scan(chunk: Uint8Array, from: number): number {
    const { table } = this
    let { out } = this
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
      const next = state < states.done ? (table[state | byte] as number) : actions.fail
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
        ;({ state, length, out } = this)
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
    if (this.comment?.isOpen === true) this.endComment(0)
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

  private endLine(state: number, at: number): void {
    this.isOnNewLine = true
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
    if (this.comment?.isOpen === true) return this.takeComment(this.comment, byte, at)
    if (state === states.done) return this.takeAfterValue(byte, at)
    switch (next) {
      case actions.comment:
        return this.beginComment(byte, at)
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
    else this.beginMark()
    this.put(byte)
    if (state === states.colon && this.isPretty) this.put(space)
    this.state = next
    return true
  }

  private beginToken(byte: number, at: number): void {
    this.isOnNewLine = false
    if (this.isCommaDue) this.put(comma)
    if (this.depth === 0) this.beginValue(byte, at)
    else if (this.isBreakDue) this.breakLine(this.depth)
    else if (this.state === states.firstElement || this.state === states.firstKey) this.breakLine(this.depth)
    this.isBreakDue = false
    this.isCommaDue = false
    this.beginMark()
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
    const isEmpty = (state === states.firstKey || state === states.firstElement) && !this.hasComment
    this.isBreakDue = false
    this.isCommaDue = false
    this.depth -= 1
    if (this.layout.toLines === true && depth === 1) {
      if (!isEmpty) this.put(lineFeed)
    } else {
      if (!isEmpty) this.breakLine(this.depth)
      this.beginMark()
      this.put(byte)
    }
    this.endValue()
  }

  private separate(byte: number, at: number): void {
    const { depth } = this
    if (depth === 0) throw this.problem(states.done, byte, at)
    if (this.comment !== null) {
      this.isBreakDue = true
      this.beginMark()
      if (this.layout.comments === 'keep') this.put(byte)
      else this.isCommaDue = true
    } else {
      this.put(depth === 1 && this.layout.toLines === true ? lineFeed : byte)
      this.breakLine(depth)
    }
    this.state = this.isInObject[depth] === 1 ? states.key : states.value
  }

  /** After the value, only white space may follow, or another value on the next line. */
  private takeAfterValue(byte: number, at: number): boolean {
    if (byte === slash && this.comment !== null) return this.beginComment(byte, at)
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

  private beginComment(byte: number, at: number): true {
    this.comment?.begin(this.position(at))
    this.comment?.take(byte)
    this.commentReturn = this.state
    this.state = actions.comment
    return true
  }

  /** Takes a byte of a comment, and returns whether it belongs to it. */
  private takeComment(open: JsonComment, byte: number, at: number): boolean {
    if (byte >= 0x80 && byte < 0xc0) this.continuationBytes += 1
    const isTaken = open.take(byte)
    if (isTaken && byte === lineFeed) {
      this.lines += 1
      this.lineStart = this.offset + at + 1
      this.continuationBytes = 0
    }
    if (!open.isOpen) this.endComment(at)
    return isTaken
  }

  private endComment(at: number): void {
    const { comment: ended, layout } = this
    this.state = this.commentReturn
    const text = ended?.end() ?? null
    if (text === null)
      throw jsonInvalid('A comment is not closed, or is none.', ended?.start ?? this.position(at))
    if (layout.comments !== 'keep') return
    this.writeComment(text, this.state)
  }

  private problem(state: number, byte: number, at: number): ToolInputError {
    const message = jsonProblem(state, byte, this.isInObject[this.depth] === 1)
    const isBetween = state <= states.exponent || state === states.done
    const hint = byte === slash && isBetween && this.comment === null ? ` ${commentHint}` : ''
    return jsonInvalid(`${message}${hint}`, this.position(at))
  }
}
