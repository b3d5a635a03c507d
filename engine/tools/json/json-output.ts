import { states } from '../../json-bytes/json-grammar.js'
import type { GrowingBytes } from '../whole-input.js'
import { depthMax } from './json-errors.js'

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

/** The output is taken in pieces of about this size. */
export const outBytes = 65_536
const lineFeed = 0x0a
const slash = 0x2f
const space = 0x20

/** Where JSON is written: breaks of lines, and comments between tokens. */
export class JsonOutput {
  protected readonly layout: JsonLayout
  protected readonly isPretty: boolean
  /** A line feed and the indentation of the deepest level; the first bytes are those of the others. */
  protected readonly gap: Uint8Array
  protected readonly indentBytes: number
  protected out: Uint8Array
  protected length = 0
  protected depth = 0
  /** After a comma: the line is broken, or the comma written, once something follows. */
  protected isBreakDue = false
  protected isCommaDue = false
  /** Whether a line has ended since the last token. */
  protected isOnNewLine = true
  /** Whether the last thing written is a comment that ends with its line. */
  protected isLineDue = false
  protected hasComment = false

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

  protected put(byte: number): void {
    this.out[this.length++] = byte
  }

  protected breakLine(depth: number): void {
    if (!this.isPretty) return
    this.isLineDue = false
    const { out, gap } = this
    const level = this.layout.fromLines === true ? depth + 1 : depth
    const bytes = 1 + level * this.indentBytes
    let { length } = this
    for (let at = 0; at < bytes; at += 1) out[length++] = gap[at] as number
    this.length = length
  }

  /** Before what follows a comment on the same line. */
  protected beginMark(): void {
    if (this.isLineDue) this.endCommentLine()
    this.isOnNewLine = false
    this.hasComment = false
  }

  protected endCommentLine(): void {
    if (this.isPretty) this.breakLine(this.depth)
    else this.put(lineFeed)
    this.isLineDue = false
  }

  /** Writes a comment that was met in this state of the grammar. */
  protected writeComment(text: Uint8Array, state: number): void {
    this.makeRoom(text.length)
    const isLine = text[1] === slash
    const isFirst = this.depth === 0 && state === states.value
    if (!isFirst && this.isPretty) {
      const isInMember = state === states.colon || (state === states.value && !this.isBreakDue)
      if (this.isLineDue || (this.isOnNewLine && !(isInMember && !isLine))) this.breakLine(this.depth)
      else if (this.out[this.length - 1] !== space) this.put(space)
    } else if (this.isLineDue) this.endCommentLine()
    this.out.set(text, this.length)
    this.length += text.length
    this.isLineDue = isLine
    this.hasComment = true
    this.isOnNewLine = false
    const isBeforeValue = this.isPretty && state === states.value && !this.isBreakDue
    if (isFirst && this.isPretty) this.endCommentLine()
    else if (isBeforeValue && !isLine) this.put(space)
  }

  private makeRoom(bytes: number): void {
    const needed = this.length + bytes + 2 * this.gap.length + 64
    if (needed <= this.out.length) return
    const larger = new Uint8Array(needed)
    larger.set(this.out.subarray(0, this.length))
    this.out = larger
  }
}
