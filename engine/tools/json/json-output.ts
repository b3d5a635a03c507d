import { depthMax } from '../../json-bytes/json-scanner.js'
import { OutputBuffer } from '../output-buffer.js'

/** What happens to comments in JSON. */
export type Comments = 'refuse' | 'drop' | 'keep'

/** The white space that JSON is written with. */
export interface JsonLayout {
  /** The indent of a level, at most 8 bytes; `null` writes everything on one line. */
  readonly indent: string | null
  readonly finalNewline?: boolean
  /** The input has a value on each line: they become the items of an array. */
  readonly fromLines?: boolean
  /** The input is an array: each of its items goes to a line. */
  readonly toLines?: boolean
  /** Comments, and commas after the last item or member, are refused by default. With `drop`, both are dropped. */
  readonly comments?: Comments
}

/** Where a comment is: before everything, between a key and its colon, between that and its value, or elsewhere. */
export type CommentPlace = 'first' | 'before-colon' | 'before-value' | 'elsewhere'

const lineFeed = 0x0a
const slash = 0x2f
const space = 0x20

/** Where JSON is written: breaks of lines, and comments between tokens. */
export class JsonOutput extends OutputBuffer {
  /** Whether a line has ended in the input since the last token. */
  isOnNewLine = true
  hasComment = false
  private readonly isPretty: boolean
  /** A line feed and the indentation of the deepest level; the first bytes are those of the others. */
  private readonly gap: Uint8Array
  private readonly indentBytes: number
  private readonly baseLevel: number
  /** Whether the last thing written is a comment that ends with its line. */
  private isLineDue = false

  constructor({ indent, fromLines }: JsonLayout) {
    super()
    this.isPretty = indent !== null
    this.gap = new TextEncoder().encode(`\n${(indent ?? '').repeat(depthMax + 1)}`)
    this.indentBytes = indent?.length ?? 0
    this.baseLevel = fromLines === true ? 1 : 0
  }

  breakLine(depth: number): void {
    if (!this.isPretty) return
    this.isLineDue = false
    this.putRange(this.gap, 0, 1 + (depth + this.baseLevel) * this.indentBytes)
  }

  /** Between a colon and its value. */
  putSpace(): void {
    if (this.isPretty) this.put(space)
  }

  /** Before what follows a comment on the same line. */
  beginMark(depth: number): void {
    if (this.isLineDue) this.endCommentLine(depth)
    this.isOnNewLine = false
    this.hasComment = false
  }

  /** Writes a comment. */
  putComment(text: Uint8Array, place: CommentPlace, depth: number): void {
    const isLine = text[1] === slash
    if (place !== 'first' && this.isPretty) {
      const staysOnLine = !isLine && (place === 'before-colon' || place === 'before-value')
      if (this.isLineDue || (this.isOnNewLine && !staysOnLine)) this.breakLine(depth)
      else if (place !== 'before-value') this.put(space)
    } else if (this.isLineDue) this.endCommentLine(depth)
    this.putAll(text)
    this.isLineDue = isLine
    this.hasComment = true
    this.isOnNewLine = false
    if (place === 'first' && this.isPretty) this.endCommentLine(depth)
    else if (place === 'before-value' && !isLine) this.putSpace()
  }

  private endCommentLine(depth: number): void {
    if (this.isPretty) this.breakLine(depth)
    else this.put(lineFeed)
    this.isLineDue = false
  }
}
