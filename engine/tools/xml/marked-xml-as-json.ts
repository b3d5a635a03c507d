import { isJsonNumber } from '../json/json-number.js'
import { positionInText, ToolInputError } from '../tool-input-error.js'
import { checkedTokens } from './xml-document.js'
import { jsonDepthMax } from './xml-names.js'
import type { XmlToken } from './xml-tokens.js'
import { JsonOutput, type XmlAttribute, XmlValues } from './xml-values.js'

/** The deepest JSON, in an element that holds it. */
const elementsMax = jsonDepthMax + 1

const types = ['number', 'boolean', 'null', 'array', 'object', 'escaped'] as const

interface Marks {
  readonly type: (typeof types)[number] | null
  /** As in a JSON string. */
  readonly key: string | null
  readonly isFirstItem: boolean
  readonly isRoot: boolean
}

interface Level {
  readonly tag: XmlToken
  readonly type: Marks['type']
  /** `open` until it is known whether it has members. */
  form: 'open' | 'object' | 'array'
  members: number
  /** The name of the elements whose array is open. */
  run: string | null
  text: string
  /** All of the text is white space that no reference stands for. */
  isBlank: boolean
}

function isJsonString(inside: string): boolean {
  try {
    return typeof JSON.parse(`"${inside}"`) === 'string'
  } catch {
    return false
  }
}

/** Reads the XML that json-to-xml wrote with marks. */
class MarkedXmlReader {
  private readonly xml: string
  private readonly values: XmlValues
  private readonly out = new JsonOutput()
  private readonly levels: Level[] = []
  private readonly encoder = new TextEncoder()

  constructor(xml: string) {
    this.xml = xml
    this.values = new XmlValues(xml)
  }

  *read(): Generator<Uint8Array> {
    for (const token of checkedTokens(this.xml, () => {}, elementsMax)) {
      this.token(token)
      yield* this.out.takeFull()
    }
    yield* this.out.takeAll()
  }

  private token(token: XmlToken): void {
    const level = this.levels.at(-1)
    if (token.kind === 'close') this.end()
    else if (token.kind === 'open' || token.kind === 'empty') {
      this.begin(token)
      if (token.kind === 'empty') this.end()
    } else if ((token.kind === 'text' || token.kind === 'cdata') && level !== undefined) {
      if (token.kind === 'cdata' || !/^[ \t\r\n]*$/.test(this.xml.slice(token.start, token.end)))
        level.isBlank = false
      level.text += this.values.textOf(token)
    }
  }

  private problem(message: string, token: XmlToken): ToolInputError {
    return new ToolInputError('xml_marks', message, positionInText(this.xml, token.start))
  }

  private marksOf(tag: XmlToken, attributes: readonly XmlAttribute[]): Marks {
    const marks = new Map(
      attributes
        .filter(({ name }) => name.startsWith('json:'))
        .map(({ name, value }) => [name.slice(5), value]),
    )
    const unknown = [...marks.keys()].find((name) => !['type', 'key', 'array', 'root'].includes(name))
    if (unknown !== undefined) throw this.problem(`There is no attribute json:${unknown.slice(0, 100)}.`, tag)
    const given = marks.get('type')
    const type = types.find((known) => known === given) ?? null
    if (given !== undefined && type === null)
      throw this.problem(`json:type must be one of ${types.join(', ')}.`, tag)
    const key = marks.get('key') ?? null
    if (key !== null && !isJsonString(key))
      throw this.problem('json:key must be spelled as in a JSON string, without its quotes.', tag)
    return { type, key, isFirstItem: marks.get('array') === 'true', isRoot: marks.get('root') === 'true' }
  }

  private begin(tag: XmlToken): void {
    const attributes = this.values.attributesOf(tag)
    const marks = this.marksOf(tag, attributes)
    const members = attributes.filter(({ name }) => !/^(xmlns:json$|json:)/.test(name))
    const parent = this.levels.at(-1)
    if (parent !== undefined) this.beginMember(parent, tag, marks)
    else if (!marks.isRoot) {
      this.out.open('{')
      this.out.putText(`${JSON.stringify(tag.name)}:`)
    }
    if (members.length > 0 && marks.type !== null && marks.type !== 'object')
      throw this.problem(`An element of json:type="${marks.type}" has no attributes of its own.`, tag)
    const level: Level = {
      tag,
      type: marks.type,
      form: 'open',
      members: 0,
      run: null,
      text: '',
      isBlank: true,
    }
    this.levels.push(level)
    if (marks.type === 'array') {
      level.form = 'array'
      this.out.open('[')
    } else if (marks.type === 'object' || members.length > 0) this.makeObject(level)
    for (const { name, value } of members)
      this.member(level, `${JSON.stringify(`@${name}`)}:${JSON.stringify(value)}`)
  }

  private makeObject(level: Level): void {
    level.form = 'object'
    this.out.open('{')
  }

  private member(level: Level, text: string): void {
    this.out.putText(`${level.members > 0 ? ',' : ''}${text}`)
    level.members += 1
  }

  private beginMember(parent: Level, tag: XmlToken, { key, isFirstItem }: Marks): void {
    if (parent.form === 'open') {
      if (parent.type !== null) throw this.problem(`json:type="${parent.type}" cannot hold elements.`, tag)
      this.makeObject(parent)
    }
    this.endText(parent)
    if (parent.form === 'array') {
      this.member(parent, '')
      return
    }
    if (parent.run === tag.name && key === null && !isFirstItem) {
      this.out.putText(',')
      return
    }
    this.endRun(parent)
    this.member(parent, `${key === null ? JSON.stringify(tag.name) : `"${key}"`}:`)
    if (!isFirstItem) return
    this.out.open('[')
    parent.run = tag.name
  }

  private endRun(level: Level): void {
    if (level.run !== null) this.out.close(']')
    level.run = null
  }

  /** Ends a text within an object; blank text is there for the eyes. */
  private endText(level: Level): void {
    if (!level.isBlank) {
      if (level.form === 'array')
        throw this.problem('Text cannot stand between the items of an array.', level.tag)
      this.endRun(level)
      this.member(level, `"#text":${JSON.stringify(level.text)}`)
    }
    level.text = ''
    level.isBlank = true
  }

  private end(): void {
    const level = this.levels.pop()
    if (level === undefined) return
    if (level.form === 'open') this.out.putText(this.scalar(level))
    else {
      this.endText(level)
      this.endRun(level)
      this.out.close(level.form === 'object' ? '}' : ']')
    }
    if (this.levels.length > 0) return
    const isRoot = this.marksOf(level.tag, this.values.attributesOf(level.tag)).isRoot
    if (!isRoot) this.out.close('}')
  }

  private scalar({ type, text, tag }: Level): string {
    const bytes = this.encoder.encode(text)
    switch (type) {
      case 'number':
        if (isJsonNumber(bytes, 0, bytes.length)) return text
        throw this.problem('The text is not a JSON number.', tag)
      case 'boolean':
        if (text === 'true' || text === 'false') return text
        throw this.problem('The text is neither true nor false.', tag)
      case 'null':
        if (text === '') return 'null'
        throw this.problem('What is null has no text.', tag)
      case 'escaped':
        if (isJsonString(text)) return `"${text}"`
        throw this.problem('The text is not spelled as in a JSON string.', tag)
      default:
        return JSON.stringify(text)
    }
  }
}

/** The JSON that XML with marks was written from, without white space, in chunks. */
export function markedXmlAsJson(xml: string): Generator<Uint8Array> {
  return new MarkedXmlReader(xml).read()
}
