import { OutputBuffer } from '../output-buffer.js'
import { positionInText, ToolInputError } from '../tool-input-error.js'
import { jsonDepthMax } from './xml-names.js'
import { referencedCharacter, type XmlToken } from './xml-tokens.js'

/** Collects JSON without white space. */
export class JsonOutput extends OutputBuffer {
  private depth = 0

  open(bracket: '{' | '['): void {
    this.depth += 1
    if (this.depth > jsonDepthMax)
      throw new ToolInputError(
        'xml_too_deep',
        `As JSON, values would be nested more than ${jsonDepthMax} deep.`,
      )
    this.putText(bracket)
  }

  close(bracket: '}' | ']'): void {
    this.depth -= 1
    this.putText(bracket)
  }
}

const predefined: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
])

/** An attribute, with its value as XML normalizes it. */
export interface XmlAttribute {
  readonly name: string
  readonly value: string
}

/** Reads what tokens say. Nothing is expanded but the five predefined entities and references to characters. */
export class XmlValues {
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** The text of a token, with line ends as XML normalizes them. */
  textOf(token: XmlToken): string {
    if (token.kind === 'cdata') return unixLines(this.text.slice(token.start + 9, token.end - 3))
    return this.decoded(unixLines(this.text.slice(token.start, token.end)), token.start)
  }

  /** What stands in a comment, or in an instruction. */
  insideOf({ kind, start, end }: XmlToken): string {
    return unixLines(
      kind === 'comment' ? this.text.slice(start + 4, end - 3) : this.text.slice(start + 2, end - 2),
    )
  }

  /** The attributes of a tag that is known to be right. */
  attributesOf({ name, start, end }: XmlToken): readonly XmlAttribute[] {
    const tag = this.text.slice(start, end)
    const found: XmlAttribute[] = []
    let at = 1 + name.length
    for (let equals = tag.indexOf('=', at); equals >= 0; equals = tag.indexOf('=', at)) {
      let open = equals + 1
      while (tag[open] !== '"' && tag[open] !== "'") open += 1
      const close = tag.indexOf(tag[open] ?? '', open + 1)
      const value = unixLines(tag.slice(open + 1, close)).replace(/[\t\n]/g, ' ')
      found.push({ name: tag.slice(at, equals).trim(), value: this.decoded(value, start + open) })
      at = close + 1
    }
    return found
  }

  private decoded(text: string, start: number): string {
    if (!text.includes('&')) return text
    return text.replace(/&([^;&]*);/g, (_reference, name: string) => this.referenced(name, start))
  }

  private referenced(name: string, start: number): string {
    const character = name.startsWith('#') ? referencedCharacter(name) : predefined.get(name)
    if (character !== undefined && character !== null) return character
    const message = `The entity &${name.slice(0, 100)}; is not one of XML itself, and declarations are not read.`
    throw new ToolInputError('xml_entity', message, positionInText(this.text, start))
  }
}

function unixLines(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}
