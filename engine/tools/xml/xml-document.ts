import { ToolInputError } from '../tool-input-error.js'
import { XmlReader, type XmlToken } from './xml-tokens.js'

/** As deep as elements may be nested. */
const depthLimit = 512

/** The tokens of a document, and for each whether its element has white space that means something. */
export interface XmlDocument {
  readonly tokens: readonly XmlToken[]
  /** The opening tags of elements that are copied as they are: with text of their own, or `xml:space="preserve"`. */
  readonly kept: ReadonlySet<XmlToken>
}

const isBlank = /^[ \t\r\n]*$/
const preserves = /[ \t\r\n]xml:space[ \t\r\n]*=[ \t\r\n]*(?:"preserve"|'preserve')/

/** The elements that are open, and what the document has had so far. */
class Nesting {
  private readonly open: XmlToken[] = []
  private readonly reader: XmlReader
  private readonly text: string
  private readonly depthMax: number
  private readonly keep: (element: XmlToken) => void
  private hasRoot = false
  private hasDoctype = false
  private hasElement = false

  constructor(text: string, reader: XmlReader, depthMax: number, keep: (element: XmlToken) => void) {
    this.text = text
    this.reader = reader
    this.depthMax = depthMax
    this.keep = keep
  }

  take(token: XmlToken): void {
    const { open, reader } = this
    const parent = open.at(-1)
    if (token.kind === 'open' || token.kind === 'empty') this.begin(token)
    else if (token.kind === 'close') {
      if (parent?.name !== token.name) throw this.mismatch(token, parent)
      open.pop()
    } else if (token.kind === 'text' || token.kind === 'cdata') this.characters(token, parent)
    else if (token.kind === 'doctype') {
      if (this.hasRoot || this.hasDoctype)
        throw reader.problem('The document type comes first, and once.', token.start)
      this.hasDoctype = true
    }
  }

  end(): void {
    const last = this.open.at(-1)
    if (last !== undefined)
      throw this.reader.problem(
        `The text ends before the element ${last.name.slice(0, 100)} is closed.`,
        last.start,
      )
    if (!this.hasElement) throw this.reader.problem('The text holds no element.', this.text.length)
  }

  private begin(token: XmlToken): void {
    if (this.open.length === 0 && this.hasRoot)
      throw this.reader.problem('A document has one element that holds all others.', token.start)
    this.hasRoot = true
    this.hasElement = true
    if (token.kind === 'empty') return
    if (this.open.length === this.depthMax)
      throw new ToolInputError('xml_too_deep', `Elements are nested more than ${this.depthMax} deep.`)
    this.open.push(token)
    if (preserves.test(this.text.slice(token.start, token.end))) this.keep(token)
  }

  private characters(token: XmlToken, parent: XmlToken | undefined): void {
    const isText = token.kind === 'cdata' || !isBlank.test(this.text.slice(token.start, token.end))
    if (!isText) return
    if (parent === undefined) throw this.reader.problem('Text must stand in an element.', token.start)
    this.keep(parent)
  }

  private mismatch(token: XmlToken, parent: XmlToken | undefined): ToolInputError {
    const name = token.name.slice(0, 100)
    const message =
      parent === undefined
        ? `No element is open that </${name}> could close.`
        : `Expected </${parent.name.slice(0, 100)}>, found </${name}>.`
    return this.reader.problem(message, token.start)
  }
}

/**
 * The tokens of a document, checked.
 * @param keep is told of elements in which white space means something, before their tag or a text in them.
 * @throws ToolInputError `xml_invalid` or `xml_too_deep`.
 */
export function* checkedTokens(
  text: string,
  keep: (element: XmlToken) => void,
  depthMax = depthLimit,
): Generator<XmlToken> {
  const reader = new XmlReader(text)
  const nesting = new Nesting(text, reader, depthMax, keep)
  for (const token of reader.tokens()) {
    nesting.take(token)
    yield token
  }
  nesting.end()
}

/**
 * Reads and checks a document.
 * @throws ToolInputError `xml_invalid` or `xml_too_deep`.
 */
export function xmlDocument(text: string): XmlDocument {
  const kept = new Set<XmlToken>()
  return { tokens: [...checkedTokens(text, (element) => kept.add(element))], kept }
}
