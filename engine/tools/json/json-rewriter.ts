import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
} from '../../json-bytes/json-bytes.js'
import { states } from '../../json-bytes/json-grammar.js'
import { endProblem, jsonProblem } from '../../json-bytes/json-problem.js'
import { JsonScanner } from '../../json-bytes/json-scanner.js'
import { ToolInputError } from '../tool.js'
import { JsonComment } from './json-comment.js'
import { jsonInvalid, jsonTooDeep } from './json-errors.js'
import { type CommentPlace, type JsonLayout, JsonOutput } from './json-output.js'

const lineFeed = 0x0a
const slash = 0x2f
/** How to read what has comments. */
const commentHint =
  'JSON with comments is read with comments=keep or comments=drop, by json-format and other tools.'
const byteOrderMark = [0xef, 0xbb, 0xbf]

/** Checks JSON that arrives in chunks and writes it again, token by token, with other white space. */
export class JsonRewriter extends JsonScanner {
  readonly out: JsonOutput
  private readonly layout: JsonLayout
  private readonly allowsComments: boolean
  private readonly openComment = new JsonComment()
  private values = 0
  private markBytes = 0
  /** After a comma, where comments may follow: the line is broken, or the comma written, once something else does. */
  private isBreakDue = false
  private isCommaDue = false

  constructor(layout: JsonLayout) {
    const { comments = 'refuse' } = layout
    super(comments !== 'refuse')
    this.allowsComments = comments !== 'refuse'
    this.layout = layout
    this.out = new JsonOutput(layout)
  }

  /** Ends the input. */
  override end(): boolean {
    const { layout } = this
    if (this.isInComment) this.endComment()
    const isBetweenLines = layout.fromLines === true && this.depth === 0 && this.state === states.value
    if (!super.end() && !isBetweenLines)
      throw jsonInvalid(endProblem(this.state, this.depth), this.position(0))
    if (layout.fromLines === true) {
      if (this.values === 0) this.out.put(openBracket)
      else this.out.breakLine(-1)
      this.out.put(closeBracket)
    }
    if (layout.finalNewline === true) this.out.put(lineFeed)
    return true
  }

  protected override begin(byte: number, at: number): void {
    const { depth, out, state } = this
    out.isOnNewLine = false
    if (this.isCommaDue) out.put(comma)
    if (depth === 0) this.beginValue(byte, at)
    else if (this.isBreakDue || state === states.firstElement || state === states.firstKey)
      out.breakLine(depth)
    this.isBreakDue = false
    this.isCommaDue = false
    out.beginMark(depth)
  }

  protected override key(chunk: Uint8Array, start: number, end: number): void {
    this.out.putRange(chunk, start, end)
  }

  protected override scalar(chunk: Uint8Array, start: number, end: number): void {
    this.out.putRange(chunk, start, end)
  }

  protected override cut(chunk: Uint8Array, start: number): void {
    this.out.putRange(chunk, start, chunk.length)
  }

  protected override endCut(chunk: Uint8Array, start: number, end: number, isKey: boolean): void {
    super.endCut(chunk, start, end, isKey)
    this.out.putRange(chunk, start, end)
  }

  protected override open(isObject: boolean, at: number): void {
    const byte = isObject ? openBrace : openBracket
    this.begin(byte, at)
    if (this.layout.toLines !== true || this.depth > 0) this.out.put(byte)
  }

  protected override close(isObject: boolean): void {
    const { depth, out, state } = this
    const isEmpty = (state === states.firstKey || state === states.firstElement) && !out.hasComment
    this.isBreakDue = false
    this.isCommaDue = false
    if (this.layout.toLines === true && depth === 1) {
      if (!isEmpty) out.put(lineFeed)
      return
    }
    if (!isEmpty) out.breakLine(depth - 1)
    out.beginMark(depth - 1)
    out.put(isObject ? closeBrace : closeBracket)
  }

  protected override comma(): void {
    const { depth, layout, out } = this
    if (this.allowsComments) {
      this.isBreakDue = true
      out.beginMark(depth)
      if (layout.comments === 'keep') out.put(comma)
      else this.isCommaDue = true
    } else {
      out.put(depth === 1 && layout.toLines === true ? lineFeed : comma)
      out.breakLine(depth)
    }
  }

  protected override colon(): void {
    this.out.beginMark(this.depth)
    this.out.put(colon)
    this.out.putSpace()
  }

  protected override endLine(at: number): void {
    this.out.isOnNewLine = true
    if (this.layout.fromLines !== true) return
    if (this.depth > 0 || (this.state !== states.value && this.state !== states.done))
      throw jsonInvalid('The line ends before its value is complete.', this.position(at))
    this.state = states.value
  }

  /** A byte order mark may precede everything; it is dropped. Nothing else that is not in the grammar is taken. */
  protected override fail(chunk: Uint8Array, at: number): number {
    const byte = chunk[at] as number
    const isMark = this.offset + at === this.markBytes && byte === byteOrderMark[this.markBytes]
    if (!isMark) throw this.problem(this.state, byte, at)
    this.markBytes += 1
    this.continuationBytes += 1
    return at + 1
  }

  protected override tooDeep(at: number): never {
    throw jsonTooDeep(this.position(at))
  }

  protected override comment(chunk: Uint8Array, at: number): number {
    const { openComment: open } = this
    if (!this.isInComment) open.begin(this.position(at))
    this.isInComment = true
    let end = at
    while (end < chunk.length && open.isOpen && open.take(chunk[end] as number)) end += 1
    this.pass(chunk, at, end)
    if (!open.isOpen) this.endComment()
    return end
  }

  private endComment(): void {
    this.isInComment = false
    const text = this.openComment.end()
    if (text === null) throw jsonInvalid('A comment is not closed, or is none.', this.openComment.start)
    if (this.layout.comments === 'keep') this.out.putComment(text, this.commentPlace(), this.depth)
  }

  private commentPlace(): CommentPlace {
    if (this.state === states.colon) return 'before-colon'
    if (this.state !== states.value || this.isBreakDue) return 'elsewhere'
    return this.depth === 0 ? 'first' : 'before-value'
  }

  /** Begins a value that is in no container. */
  private beginValue(byte: number, at: number): void {
    if (this.markBytes % byteOrderMark.length > 0) throw this.problem(states.value, byte, at)
    if (this.layout.toLines === true && byte !== openBracket)
      throw new ToolInputError('not_an_array', 'The value is not an array.', this.position(at))
    if (this.layout.fromLines === true) {
      this.out.put(this.values === 0 ? openBracket : comma)
      this.out.breakLine(0)
    }
    this.values += 1
  }

  private problem(state: number, byte: number, at: number): ToolInputError {
    const message = jsonProblem(state, byte, this.isInObject())
    const isBetween = state <= states.exponent || state === states.done
    const hint = byte === slash && isBetween && !this.allowsComments ? ` ${commentHint}` : ''
    return jsonInvalid(`${message}${hint}`, this.position(at))
  }
}
