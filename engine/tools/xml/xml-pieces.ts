import { backslash, quote, stringBetween, textBetween } from '../../json-bytes/json-bytes.js'
import { createJsonStringDecoder, type JsonStringDecoder } from '../../json-bytes/json-string-decoder.js'
import type { OutputBuffer } from '../output-buffer.js'
import { ToolInputError } from '../tool-input-error.js'
import { isXmlText, putSpelledString, putXmlText } from './put-xml-text.js'
import { isXmlName, marksNamespace } from './xml-names.js'

const pieceBytes = 65_536
const encoder = new TextEncoder()

/** A string that is written piece by piece. */
interface OpenText {
  at: number
  readonly end: number
  /** `null` for what is written as it is spelled. */
  readonly decoder: JsonStringDecoder | null
  readonly isSpelled: boolean
  /** The element that ends with it. */
  readonly element: string | null
}

/** Writes the pieces of XML: tags, text, comments, and white space between them. */
export class XmlPieces {
  private readonly out: OutputBuffer
  private readonly bytes: Uint8Array
  private readonly indent: string | null
  private readonly finalNewline: boolean
  private depth = 0
  private rootMarks = ''
  /** The tag that was begun has no `>` yet. */
  private isTagOpen = false
  private hasOutput = false
  /** The innermost element has nodes on lines of their own. */
  private hasLines = false
  private openText: OpenText | null = null

  constructor(
    out: OutputBuffer,
    bytes: Uint8Array,
    { indent, finalNewline }: { readonly indent: string | null; readonly finalNewline: boolean },
  ) {
    this.out = out
    this.bytes = bytes
    this.indent = indent
    this.finalNewline = finalNewline
  }

  get isInText(): boolean {
    return this.openText !== null
  }

  private put(text: string): void {
    this.out.putText(text)
    this.hasOutput = true
  }

  declaration(): void {
    this.put('<?xml version="1.0" encoding="UTF-8"?>')
  }

  /** The next element declares the namespace of marks; it may be there only to hold the value. */
  markRoot(isWrapper: boolean): void {
    this.rootMarks = ` xmlns:json="${marksNamespace}"${isWrapper ? ' json:root="true"' : ''}`
  }

  private endTag(): void {
    if (this.isTagOpen) this.put('>')
    this.isTagOpen = false
  }

  private beginNode(isInline: boolean): void {
    this.endTag()
    if (!isInline) this.breakLine()
    this.hasLines = !isInline
  }

  private breakLine(): void {
    if (this.indent !== null && this.hasOutput) this.put(`\n${this.indent.repeat(this.depth)}`)
  }

  beginElement(name: string, isInline: boolean): void {
    this.beginNode(isInline)
    this.put(`<${name}${this.rootMarks}`)
    this.rootMarks = ''
    this.isTagOpen = true
    this.hasLines = false
    this.depth += 1
  }

  /** Attributes that say what the element alone does not. */
  marks(key: readonly [start: number, end: number] | null, isFirstItem: boolean, type: string | null): void {
    if (key !== null) {
      this.put(' json:key="')
      putSpelledString(this.out, this.bytes, key[0] + 1, key[1] - 1, true)
      this.put('"')
    }
    if (isFirstItem) this.put(' json:array="true"')
    if (type !== null) this.put(` json:type="${type}"`)
  }

  attribute(name: string, start: number, end: number): void {
    const { bytes } = this
    this.put(` ${name}="`)
    if (bytes[start] === quote) {
      const text = encoder.encode(this.textOf(start, end))
      putXmlText(this.out, text, 0, text.length, true)
    } else if (bytes[start] !== 0x6e) this.put(textBetween(bytes, start, end))
    this.put('"')
  }

  endElement(name: string, isInline: boolean): void {
    this.depth -= 1
    if (this.isTagOpen) this.put('/>')
    else {
      if (this.hasLines && !isInline) this.breakLine()
      this.put(`</${name}>`)
    }
    this.isTagOpen = false
    this.hasLines = true
  }

  literal(start: number, end: number): void {
    this.endTag()
    this.out.putRange(this.bytes, start, end)
  }

  /** Begins the text of a string, with which an element may end; `goOn` writes it. */
  string(start: number, end: number, isText: boolean, element: string | null): void {
    const { bytes } = this
    if (end - start > 2) this.endTag()
    if (isText && !isXmlText(bytes, start + 1, end - 1)) throw this.cannotHold()
    const hasEscapes = isText && bytes.subarray(start, end).includes(backslash)
    const decoder = hasEscapes ? createJsonStringDecoder() : null
    const from = decoder === null ? start + 1 : start
    this.openText = { at: from, end: decoder === null ? end - 1 : end, decoder, isSpelled: !isText, element }
    if (end - start <= pieceBytes) this.goOn()
  }

  goOn(): void {
    const { bytes, openText: text } = this
    if (text === null) return
    let to = Math.min(text.end, text.at + pieceBytes)
    while (to < text.end && ((bytes[to] as number) & 0xc0) === 0x80) to -= 1
    if (text.decoder !== null) {
      const decoded = text.decoder.push(bytes.subarray(text.at, to))
      putXmlText(this.out, decoded, 0, decoded.length, false)
    } else if (text.isSpelled) putSpelledString(this.out, bytes, text.at, to, false)
    else putXmlText(this.out, bytes, text.at, to, false)
    text.at = to
    if (to < text.end) return
    this.openText = null
    if (text.element !== null) this.endElement(text.element, true)
  }

  /** A comment, or an instruction. */
  note(isComment: boolean, start: number, end: number, isInline: boolean): void {
    const text = this.textOf(start, end)
    if (isComment && (text.includes('--') || text.endsWith('-')))
      throw new ToolInputError('xml_comment', 'A comment cannot hold --, nor end with -.')
    const target = /^[^ \t\n\r?]*/.exec(text)?.[0] ?? ''
    const isInstruction =
      isXmlName(target, new Set()) && target.toLowerCase() !== 'xml' && !text.includes('?>')
    if (!isComment && !isInstruction)
      throw new ToolInputError('xml_instruction', 'An instruction begins with a name, and cannot hold ?>.')
    this.beginNode(isInline)
    this.put(isComment ? `<!--${text}-->` : `<?${text}?>`)
  }

  end(): void {
    if (this.finalNewline) this.put('\n')
  }

  private textOf(start: number, end: number): string {
    const { bytes } = this
    if (bytes[start] !== quote) return textBetween(bytes, start, end)
    if (!isXmlText(bytes, start + 1, end - 1)) throw this.cannotHold()
    return stringBetween(bytes, start, end)
  }

  private cannotHold(): ToolInputError {
    return new ToolInputError(
      'xml_character',
      'A string has a character that XML cannot hold; marks=true writes it as an escape.',
    )
  }
}
