import { isJsonNumber } from '../json/json-number.js'
import { elementForms, forms, nodeName } from './element-forms.js'
import { XmlReader, type XmlToken } from './xml-tokens.js'
import { JsonOutput, XmlValues } from './xml-values.js'

/** How XML becomes JSON. */
export interface XmlAsJsonOptions {
  readonly types: 'strings' | 'numbers'
  /** Comments and instructions become members. */
  readonly comments: boolean
  /** The names of elements that are always items of an array. */
  readonly arrays: readonly string[]
  /** Whether white space around the text of an element that holds nothing else is left out. */
  readonly trim: boolean
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\t' || character === '\r' || character === '\n'
}

/** Without white space of XML at both ends; in time that grows with the length alone, as no regular expression for it. */
function withoutOuterSpace(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && isSpace(text[start])) start += 1
  while (end > start && isSpace(text[end - 1])) end -= 1
  return text.slice(start, end)
}

interface Level {
  /** `text` for an element that becomes a string, `content` for one whose nodes become items. */
  readonly form: 'text' | 'object' | 'content'
  /** Blank text is text, in all elements within this one too. */
  readonly keepsBlanks: boolean
  readonly dropsBlanks: boolean
  readonly trims: boolean
  members: number
  /** The name of the elements whose array is open. */
  run: string | null
  text: string
}

/** Writes XML as JSON by the forms of its elements. */
class PlainXmlWriter {
  private readonly xml: string
  private readonly options: XmlAsJsonOptions
  private readonly bits: Uint8Array
  private readonly values: XmlValues
  private readonly out = new JsonOutput()
  private readonly levels: Level[] = []
  private readonly encoder = new TextEncoder()
  private node = 0

  constructor(xml: string, options: XmlAsJsonOptions) {
    this.xml = xml
    this.options = options
    this.bits = elementForms(xml, options.comments)
    this.values = new XmlValues(xml)
  }

  *write(): Generator<Uint8Array> {
    this.begin({ hasAttributes: true, keepsBlanks: false, preserves: false })
    for (const token of new XmlReader(this.xml).tokens()) {
      this.token(token)
      yield* this.out.takeFull()
    }
    this.end()
    yield* this.out.takeAll()
  }

  private token(token: XmlToken): void {
    const parent = this.levels.at(-1)
    if (parent === undefined) return
    const { kind, name } = token
    if (kind === 'text' || kind === 'cdata') this.text(parent, token)
    else if (kind === 'close') {
      this.end()
      this.endNode()
    } else if (kind === 'open' || kind === 'empty') {
      this.beginNode(parent, name)
      this.element(parent, token)
      if (kind === 'open') return
      this.end()
      this.endNode()
    } else if (kind !== 'doctype' && this.options.comments && name.toLowerCase() !== 'xml') {
      this.beginNode(parent, nodeName(token))
      this.node += 1
      this.out.putText(JSON.stringify(this.values.insideOf(token)))
      this.endNode()
    }
  }

  private text(parent: Level, token: XmlToken): void {
    const isBlank = token.kind === 'text' && /^[ \t\r\n]*$/.test(this.xml.slice(token.start, token.end))
    if (!(isBlank && parent.dropsBlanks)) parent.text += this.values.textOf(token)
  }

  private element(parent: Level, token: XmlToken): void {
    const attributes = this.values.attributesOf(token)
    const hasAttributes = attributes.length > 0
    if (hasAttributes) this.out.open('{')
    for (const [at, { name, value }] of attributes.entries())
      this.out.putText(`${at > 0 ? ',' : ''}${JSON.stringify(`@${name}`)}:${this.scalar(value)}`)
    const preserves = attributes.some(({ name, value }) => name === 'xml:space' && value === 'preserve')
    this.begin({ hasAttributes, keepsBlanks: parent.keepsBlanks, preserves }, attributes.length)
  }

  /** Begins what the next node holds: an element, or the document. */
  private begin(
    {
      hasAttributes,
      keepsBlanks: inherits,
      preserves,
    }: { readonly hasAttributes: boolean; readonly keepsBlanks: boolean; readonly preserves: boolean },
    members = 0,
  ): void {
    const bits = this.bits[this.node] ?? 0
    this.node += 1
    const keepsBlanks = inherits || (bits & forms.keepsBlanks) !== 0
    const hasNodes = (bits & forms.hasNodes) !== 0
    const repeats = (bits & (keepsBlanks ? forms.repeatsWithBlanks : forms.repeats)) !== 0
    const form = !hasAttributes && !hasNodes ? 'text' : repeats ? 'content' : 'object'
    const dropsBlanks = !keepsBlanks && (hasNodes || (bits & forms.hasNotes) !== 0)
    const isDocument = this.levels.length === 0
    if (form !== 'text' && (isDocument || !hasAttributes)) this.out.open('{')
    if (form === 'content') {
      this.out.putText(`${members > 0 ? ',' : ''}"#content":`)
      this.out.open('[')
    }
    this.levels.push({
      form,
      keepsBlanks,
      dropsBlanks,
      trims: this.options.trim && !inherits && !preserves && !hasNodes,
      members: form === 'content' ? 0 : members,
      run: null,
      text: '',
    })
  }

  private end(): void {
    const level = this.levels.at(-1)
    if (level === undefined) return
    if (level.form === 'text') this.out.putText(this.scalar(this.trimmed(level)))
    else {
      this.endText(level)
      this.endRun(level)
      if (level.form === 'content') this.out.close(']')
      this.out.close('}')
    }
    this.levels.pop()
  }

  private trimmed({ text, trims }: Level): string {
    return trims ? withoutOuterSpace(text) : text
  }

  private separate(level: Level): void {
    if (level.members > 0) this.out.putText(',')
    level.members += 1
  }

  private endText(level: Level): void {
    if (level.text === '') return
    this.endRun(level)
    this.separate(level)
    this.out.putText(`${level.form === 'object' ? '"#text":' : ''}${this.scalar(this.trimmed(level))}`)
    level.text = ''
  }

  private endRun(level: Level): void {
    if (level.run !== null) this.out.close(']')
    level.run = null
  }

  private beginNode(parent: Level, name: string): void {
    this.endText(parent)
    if (parent.form === 'object' && parent.run === name) {
      this.out.putText(',')
      return
    }
    this.endRun(parent)
    this.separate(parent)
    if (parent.form === 'content') this.out.open('{')
    this.out.putText(`${JSON.stringify(name)}:`)
    if (parent.form === 'content') return
    const beginsRun = ((this.bits[this.node] ?? 0) & forms.beginsRun) !== 0
    if (!beginsRun && !this.options.arrays.includes(name)) return
    this.out.open('[')
    parent.run = name
  }

  private endNode(): void {
    if (this.levels.at(-1)?.form === 'content') this.out.close('}')
  }

  private scalar(text: string): string {
    if (this.options.types === 'numbers' && /^[-\d]/.test(text)) {
      const bytes = this.encoder.encode(text)
      if (isJsonNumber(bytes, 0, bytes.length)) return text
    }
    return JSON.stringify(text)
  }
}

/** XML as JSON without white space, in chunks. */
export function plainXmlAsJson(xml: string, options: XmlAsJsonOptions): Generator<Uint8Array> {
  return new PlainXmlWriter(xml, options).write()
}
