import {
  closeBrace,
  closeBracket,
  comma,
  literalEnd,
  openBrace,
  openBracket,
  quote,
  stringBetween,
  stringEnd,
  textBetween,
  typeOf,
} from '../../json-bytes/json-bytes.js'
import { OutputBuffer } from '../output-buffer.js'
import { isBlankString, isXmlText } from './put-xml-text.js'
import { isDocument, type JsonSurvey } from './survey-json.js'
import { isXmlName, readableName } from './xml-names.js'
import { XmlPieces } from './xml-pieces.js'

/** How JSON is written as XML. */
export interface XmlStyle {
  /** The root element around JSON that is not a document by itself. */
  readonly root: string
  readonly marks: boolean
  readonly declaration: boolean
  readonly indent: string | null
  readonly finalNewline: boolean
}

/** A key that is marked. */
type Key = readonly [start: number, end: number] | null

/** What is being written. */
interface Level {
  /** Members of an object; items that are elements of one name, or nodes of one kind; items of an element; content. */
  readonly kind: 'object' | 'run' | 'notes' | 'items' | 'content'
  /** The element that ends with it, or that each item becomes. */
  readonly name: string | null
  /** Whether white space would be text. */
  readonly isInline: boolean
  /** Of a run: the mark of the key, for the first item. */
  readonly key: Key
  isFirst: boolean
  /** The name of the last member if it was an array, and whether the last node was text. */
  lastRun: string | null
  endsWithText: boolean
}

const attributesMax = 256

/** Writes compact JSON as XML. */
export class JsonXmlWriter {
  private readonly bytes: Uint8Array
  private readonly survey: JsonSurvey
  private readonly style: XmlStyle
  private readonly out = new OutputBuffer()
  private readonly pieces: XmlPieces
  private readonly levels: Level[] = []
  private at = 0
  private objects = 0

  constructor(bytes: Uint8Array, survey: JsonSurvey, style: XmlStyle) {
    this.bytes = bytes
    this.survey = survey
    this.style = style
    this.pieces = new XmlPieces(this.out, bytes, style)
  }

  *write(): Generator<Uint8Array> {
    const { bytes, pieces, style } = this
    if (style.declaration) pieces.declaration()
    if (isDocument(bytes, this.survey.prefixes, !style.marks)) {
      if (style.marks) pieces.markRoot(false)
      this.push('object', null, false)
      this.objects = 1
      this.at = 1
    } else {
      if (style.marks) pieces.markRoot(true)
      this.element(style.root, null, false, false)
    }
    while (this.at < bytes.length) {
      if (pieces.isInText) pieces.goOn()
      else this.step()
      yield* this.out.takeFull()
    }
    while (pieces.isInText) {
      pieces.goOn()
      yield* this.out.takeFull()
    }
    pieces.end()
    yield* this.out.takeAll()
  }

  private push(kind: Level['kind'], name: string | null, isInline: boolean, key: Key = null): void {
    this.levels.push({ kind, name, isInline, key, isFirst: true, lastRun: null, endsWithText: false })
  }

  private step(): void {
    const { bytes, at } = this
    const byte = bytes[at]
    const level = this.levels.at(-1)
    if (level === undefined) this.at = bytes.length
    else if (byte === comma) this.at += 1
    else if (byte === closeBrace || byte === closeBracket) {
      this.at += 1
      this.levels.pop()
      if (level.name !== null && (level.kind === 'object' || level.kind === 'items'))
        this.pieces.endElement(level.name, level.isInline)
    } else this.part(level)
  }

  private part(level: Level): void {
    const { kind, name, isInline, isFirst, key } = level
    level.isFirst = false
    if (kind === 'object') this.member(level)
    else if (kind === 'items') this.element('item', null, false, isInline)
    else if (kind === 'content') this.contentItem()
    else if (kind === 'notes') this.note(name === '#comment', isInline)
    else this.element(name ?? '', isFirst ? key : null, isFirst, isInline)
  }

  /** Writes the value at the current position as an element. */
  private element(name: string, key: Key, isFirstItem: boolean, isInline: boolean): void {
    const { bytes, pieces } = this
    const first = bytes[this.at]
    pieces.beginElement(name, isInline)
    const marks = (type: string | null): void => {
      if (this.style.marks) pieces.marks(key, isFirstItem, type)
    }
    if (first === openBrace) {
      this.openObject(name, isInline, marks)
      return
    }
    if (first === openBracket) {
      marks('array')
      this.at += 1
      this.push('items', name, isInline)
      return
    }
    const end = first === quote ? stringEnd(bytes, this.at) : literalEnd(bytes, this.at)
    const start = this.at
    this.at = end
    if (first === quote) {
      const isText = !this.style.marks || isXmlText(bytes, start + 1, end - 1)
      marks(isText ? null : 'escaped')
      pieces.string(start, end, isText, name)
      return
    }
    const type = typeOf(first)
    marks(type)
    if (type !== 'null') pieces.literal(start, end)
    pieces.endElement(name, true)
  }

  private openObject(name: string, isInline: boolean, marks: (type: string | null) => void): void {
    const { bytes } = this
    const hasText = this.survey.hasText[this.objects] === 1
    this.objects += 1
    this.at += 1
    const { count, preserves } = this.attributes()
    const text = '"#text":'
    const isText = count === 0 && textBetween(bytes, this.at, this.at + text.length) === text
    marks(count === 0 && (bytes[this.at] === closeBrace || isText) ? 'object' : null)
    this.push('object', name, isInline || hasText || preserves)
  }

  /** Writes the first members as attributes, as far as they can be. */
  private attributes(): { readonly count: number; readonly preserves: boolean } {
    const { bytes } = this
    const seen = new Set<string>()
    let preserves = false
    while (bytes[this.at] !== closeBrace && seen.size < attributesMax) {
      const keyStart = bytes[this.at] === comma ? this.at + 1 : this.at
      const keyEnd = stringEnd(bytes, keyStart)
      const name = this.attributeName(keyStart, keyEnd)
      const valueStart = keyEnd + 1
      if (name === null || seen.has(name) || !this.canBeAttribute(valueStart)) break
      seen.add(name)
      const isString = bytes[valueStart] === quote
      const end = isString ? stringEnd(bytes, valueStart) : literalEnd(bytes, valueStart)
      this.pieces.attribute(name, valueStart, end)
      if (name === 'xml:space') preserves = stringBetween(bytes, valueStart, end) === 'preserve'
      this.at = end
    }
    return { count: seen.size, preserves }
  }

  private attributeName(start: number, end: number): string | null {
    const { bytes, style } = this
    if (bytes[start + 1] !== 0x40 || end - start > 4_000) return null
    const name = stringBetween(bytes, start, end).slice(1)
    if (style.marks && (name === 'xmlns:json' || name.startsWith('json:'))) return null
    const isDeclaration = name.startsWith('xmlns:') && isXmlName(name.slice(6), new Set())
    return isDeclaration || isXmlName(name, this.survey.prefixes) ? name : null
  }

  private canBeAttribute(start: number): boolean {
    const { bytes } = this
    const first = bytes[start]
    if (!this.style.marks) return first !== openBrace && first !== openBracket
    return first === quote && isXmlText(bytes, start + 1, stringEnd(bytes, start) - 1)
  }

  private member(level: Level): void {
    const { bytes, style } = this
    const start = this.at
    const end = stringEnd(bytes, start)
    const key = end - start > 4_000 ? null : stringBetween(bytes, start, end)
    this.at = end + 1
    if (key === '#text' && this.text(level)) return
    level.endsWithText = false
    if (!style.marks && key?.startsWith('#') === true && this.special(key, level.isInline)) return
    const isName =
      key !== null && isXmlName(key, this.survey.prefixes) && !(style.marks && key.startsWith('json:'))
    const name = isName ? key : readableName(key ?? textBetween(bytes, start + 1, start + 61))
    const isArray = bytes[this.at] === openBracket
    const isRun = isArray && bytes[this.at + 1] !== closeBracket
    const mark = isName && (isRun || level.lastRun !== name) ? null : ([start, end] as const)
    level.lastRun = isRun ? name : null
    if (isRun) {
      this.at += 1
      this.push('run', name, level.isInline, mark)
    } else if (isArray && !style.marks) this.at += 2
    else this.element(name, mark, false, level.isInline)
  }

  /** Writes the value of a member as text, if it can be. */
  private text(level: Level): boolean {
    const { bytes, at, style } = this
    const first = bytes[at]
    if (first === openBrace || first === openBracket) return false
    const end = first === quote ? stringEnd(bytes, at) : literalEnd(bytes, at)
    if (style.marks) {
      const canBeText =
        first === quote &&
        end - at > 2 &&
        !level.endsWithText &&
        isXmlText(bytes, at + 1, end - 1) &&
        !isBlankString(bytes, at + 1, end - 1)
      if (!canBeText) return false
    }
    this.at = end
    level.endsWithText = true
    level.lastRun = null
    this.putText(at, end)
    return true
  }

  private putText(start: number, end: number): void {
    const { bytes, pieces } = this
    if (bytes[start] === quote) pieces.string(start, end, true, null)
    else if (typeOf(bytes[start]) !== 'null') pieces.literal(start, end)
  }

  /** Writes a member as the nodes that its key stands for, where there are no marks. */
  private special(key: string, isInline: boolean): boolean {
    const { bytes } = this
    const isArray = bytes[this.at] === openBracket
    if (key === '#content' && isArray) {
      this.at += 1
      this.push('content', null, true)
      return true
    }
    if ((key !== '#comment' && key !== '#pi') || bytes[this.at] === openBrace) return false
    if (!isArray) this.note(key === '#comment', isInline)
    else {
      this.at += 1
      this.push('notes', key, isInline)
    }
    return true
  }

  private note(isComment: boolean, isInline: boolean): void {
    const { bytes, at } = this
    const end = bytes[at] === quote ? stringEnd(bytes, at) : literalEnd(bytes, at)
    this.at = end
    this.pieces.note(isComment, at, end, isInline)
  }

  private contentItem(): void {
    const { bytes, at } = this
    const first = bytes[at]
    if (first === openBrace || first === openBracket) {
      if (first === openBrace) this.objects += 1
      this.at += 1
      this.push(first === openBrace ? 'object' : 'content', null, true)
      return
    }
    this.at = first === quote ? stringEnd(bytes, at) : literalEnd(bytes, at)
    this.putText(at, this.at)
  }
}
