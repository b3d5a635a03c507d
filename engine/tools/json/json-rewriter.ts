import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
} from '../../json-bytes/json-bytes.js'
import { states } from '../../json-bytes/json-grammar.js'
import { JsonScanner } from '../../json-bytes/json-scanner.js'
import { type JsonLayout, JsonOutput } from './json-output.js'

const lineFeed = 0x0a

/** Writes JSON that arrives in chunks again, token by token, with other white space. */
export class JsonRewriter extends JsonScanner {
  readonly out: JsonOutput
  protected readonly layout: JsonLayout
  protected readonly hasComments: boolean
  protected values = 0
  /** After a comma, where comments may follow: the line is broken, or the comma written, once something else does. */
  protected isBreakDue = false
  private isCommaDue = false

  constructor(layout: JsonLayout) {
    const { comments = 'refuse' } = layout
    super(comments !== 'refuse')
    this.hasComments = comments !== 'refuse'
    this.layout = layout
    this.out = new JsonOutput(layout)
  }

  protected override begin(byte: number, at: number): void {
    const { depth, out, state } = this
    if (this.isCommaDue) out.put(comma)
    if (depth === 0) this.beginValue(byte, at)
    else if (this.isBreakDue || state === states.firstElement || state === states.firstKey)
      out.breakLine(depth)
    if (this.hasComments) this.endGap(depth)
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
    if (this.layout.toLines === true && depth === 1) {
      if (!isEmpty) out.put(lineFeed)
      return
    }
    if (!isEmpty) out.breakLine(depth - 1)
    if (this.hasComments) this.endGap(depth - 1)
    out.put(isObject ? closeBrace : closeBracket)
  }

  protected override comma(): void {
    const { depth, layout, out } = this
    if (this.hasComments) {
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
    if (this.hasComments) this.out.beginMark(this.depth)
    this.out.put(colon)
    this.out.putSpace()
  }

  protected override endLine(_at: number): void {
    this.out.isOnNewLine = true
  }

  /** Between tokens, comments may have changed what is due; all of it is written now. */
  private endGap(depth: number): void {
    this.isBreakDue = false
    this.isCommaDue = false
    this.out.beginMark(depth)
  }

  /** Begins a value that is in no container. */
  protected beginValue(_byte: number, _at: number): void {
    if (this.layout.fromLines === true) {
      this.out.put(this.values === 0 ? openBracket : comma)
      this.out.breakLine(0)
    }
    this.values += 1
  }
}
