import { closeBracket, isSpace, openBracket } from '../../json-bytes/json-bytes.js'
import { states } from '../../json-bytes/json-grammar.js'
import { endProblem, jsonProblem } from '../../json-bytes/json-problem.js'
import { type InputPosition, ToolInputError } from '../tool-input-error.js'
import { GrowingBytes, isUtf8, wholeBytes } from '../whole-input.js'
import { jsonInvalid, jsonTooDeep } from './json-errors.js'
import type { CommentPlace, Comments, JsonLayout } from './json-output.js'
import { JsonRewriter } from './json-rewriter.js'
import { commentEnd, isWholeComment } from './skipped-text.js'

/** Each byte can become thousands, so a piece of the input is written before the next one is read. */
const pieceBytes = 4_096

const lineFeed = 0x0a
const slash = 0x2f
const star = 0x2a
const commentBytesMax = 65_536
const byteOrderMark = [0xef, 0xbb, 0xbf]
/** How to read what has comments. */
const commentHint =
  'JSON with comments is read with comments=keep or comments=drop, by json-format and other tools.'

/** Refuses what is not JSON. */
class CheckingRewriter extends JsonRewriter {
  private commentStart: InputPosition = { offset: 0, line: 1, column: 1 }
  /** The beginning of a comment that a chunk cuts. */
  private held = new GrowingBytes(0)
  private markBytes = 0

  /** Ends the input. */
  override end(): boolean {
    const { layout } = this
    if (this.isInComment) this.endComment(this.held.whole())
    if (this.hasHalfMark) throw this.problem(this.state, 0, 0)
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

  protected override endLine(at: number): void {
    super.endLine(at)
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
    if (!this.isInComment) this.commentStart = this.position(at)
    const heldBytes = this.held.length
    const rest = chunk.subarray(at)
    if (this.isInComment) this.held.append(rest)
    const bytes = this.isInComment ? this.held.whole() : rest
    const end = commentEnd(bytes, 0, heldBytes)
    if (end > commentBytesMax)
      throw new ToolInputError('comment_too_long', 'A comment has more than 65,536 bytes.', this.commentStart)
    const next = at + end - heldBytes
    this.pass(chunk, at, next)
    const isClosed = bytes[1] === star && isWholeComment(bytes, 0, end)
    this.isInComment = end === bytes.length && !isClosed
    if (this.isInComment && heldBytes === 0) this.held.append(rest)
    if (!this.isInComment) {
      if (heldBytes > 0) this.held = new GrowingBytes(0)
      this.endComment(bytes.subarray(0, end))
    }
    return next
  }

  private endComment(comment: Uint8Array): void {
    this.isInComment = false
    if (!isWholeComment(comment, 0, comment.length))
      throw jsonInvalid('A comment is not closed, or is none.', this.commentStart)
    if (!isUtf8(comment)) throw new ToolInputError('not_utf8', 'A comment is not UTF-8.', this.commentStart)
    let end = comment.length
    while (comment[1] === slash && isSpace(comment[end - 1])) end -= 1
    if (this.layout.comments === 'keep')
      this.out.putComment(comment.subarray(0, end), this.commentPlace(), this.depth)
  }

  private commentPlace(): CommentPlace {
    if (this.state === states.colon) return 'before-colon'
    if (this.state !== states.value || this.isBreakDue) return 'elsewhere'
    return this.depth === 0 ? 'first' : 'before-value'
  }

  protected override beginValue(byte: number, at: number): void {
    if (this.hasHalfMark) throw this.problem(states.value, byte, at)
    if (this.layout.toLines === true && byte !== openBracket)
      throw new ToolInputError('not_an_array', 'The value is not an array.', this.position(at))
    super.beginValue(byte, at)
  }

  private get hasHalfMark(): boolean {
    return this.markBytes % byteOrderMark.length > 0
  }

  private problem(state: number, byte: number, at: number): ToolInputError {
    // What begins as a byte order mark, and is none, is wrong from its first byte on.
    if (this.hasHalfMark)
      return jsonInvalid(jsonProblem(states.value, 0xef, false), { offset: 0, line: 1, column: 1 })
    const message = jsonProblem(state, byte, this.isInObject())
    const isBetween = state <= states.exponent || state === states.done
    const hint = byte === slash && isBetween && !this.hasComments ? ` ${commentHint}` : ''
    return jsonInvalid(`${message}${hint}`, this.position(at))
  }
}

/** Writes JSON with other white space. Its memory does not grow with the input. */
export async function* rewriteJson(
  input: AsyncIterable<Uint8Array>,
  layout: JsonLayout,
): AsyncGenerator<Uint8Array> {
  const rewriter = new CheckingRewriter(layout)
  for await (const chunk of input)
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      rewriter.scan(chunk.subarray(at, at + pieceBytes))
      yield* rewriter.out.takeFull()
    }
  rewriter.end()
  yield* rewriter.out.takeAll()
}

/** The whole of an input without white space and comments, checked. */
export function compactJson(
  input: AsyncIterable<Uint8Array>,
  comments: Exclude<Comments, 'keep'> = 'refuse',
): Promise<Uint8Array> {
  return wholeBytes(rewriteJson(input, { indent: null, comments }))
}
