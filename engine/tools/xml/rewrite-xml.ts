import { declaredEncoding } from '../../encoding/find-encoding.js'
import { OutputBuffer } from '../output-buffer.js'
import { boundedText } from '../whole-input.js'
import { xmlDocument } from './xml-document.js'
import type { XmlToken } from './xml-tokens.js'

/** A token takes some hundred bytes. */
const bytesMax = 32 * 1_048_576

interface XmlLayout {
  /** The indent of a level; `null` writes no white space between elements. */
  readonly indent: string | null
  readonly finalNewline: boolean
}

/** A tag with one space between its parts; values stay as they are. */
function tidyTag(tag: string): string {
  if (!/\s/.test(tag)) return tag
  const parts = /("[^"]*"|'[^']*')|[ \t\r\n]*(=)[ \t\r\n]*|[ \t\r\n]+(\/?>)|[ \t\r\n]+/g
  return tag.replace(
    parts,
    (_part, value?: string, equals?: string, end?: string) => value ?? equals ?? end ?? ' ',
  )
}

/** The XML declaration of a text that is UTF-8. */
function utf8Declaration(declaration: string): string {
  const declared = declaredEncoding(declaration)
  if (declared === null || declared.name.toLowerCase() === 'utf-8') return declaration
  const { name, start } = declared
  return `${declaration.slice(0, start)}UTF-8${declaration.slice(start + name.length)}`
}

/** Writes XML with other white space where it means nothing. */
class XmlWriter {
  private readonly text: string
  private readonly layout: XmlLayout
  private readonly kept: ReadonlySet<XmlToken>
  private depth = 0
  /** The depth at which an element began that is copied as it is. */
  private keptDepth: number | null = null
  private last: XmlToken | null = null
  private readonly out = new OutputBuffer()

  constructor(text: string, layout: XmlLayout, kept: ReadonlySet<XmlToken>) {
    this.text = text
    this.layout = layout
    this.kept = kept
  }

  *write(tokens: readonly XmlToken[]): Generator<Uint8Array> {
    for (const [at, token] of tokens.entries()) {
      this.token(token, tokens[at - 1], tokens[at + 1])
      yield* this.out.takeFull()
    }
    if (this.layout.finalNewline) this.out.putText('\n')
    yield* this.out.takeAll()
  }

  private token(token: XmlToken, before: XmlToken | undefined, after: XmlToken | undefined): void {
    const written = this.text.slice(token.start, token.end)
    const source = token.kind === 'instruction' && token.name === 'xml' ? utf8Declaration(written) : written
    if (token.kind === 'close') this.depth -= 1
    if (this.keptDepth !== null) {
      this.out.putText(
        token.kind === 'open' || token.kind === 'empty' || token.kind === 'close' ? tidyTag(source) : source,
      )
      if (token.kind === 'close' && this.depth === this.keptDepth) this.keptDepth = null
      if (token.kind === 'open') this.depth += 1
      this.last = token
      return
    }
    // Blank text is content where an element holds nothing else.
    if (token.kind === 'text') {
      if (before?.kind === 'open' && after?.kind === 'close') this.put(token, source)
      return
    }
    if (
      token.kind === 'close' ? this.last?.kind !== 'open' && this.last?.kind !== 'text' : this.last !== null
    )
      this.breakLine()
    this.put(
      token,
      token.kind === 'open' || token.kind === 'empty' || token.kind === 'close' ? tidyTag(source) : source,
    )
    if (token.kind !== 'open') return
    if (this.kept.has(token)) this.keptDepth = this.depth
    this.depth += 1
  }

  private put(token: XmlToken, text: string): void {
    this.out.putText(text)
    this.last = token
  }

  private breakLine(): void {
    const { indent } = this.layout
    if (indent !== null) this.out.putText(`\n${indent.repeat(this.depth)}`)
  }
}

/**
 * Writes XML with other white space. Whatever is or may be text stays as it is, references too; the declaration says
 * that the output is UTF-8.
 */
export async function* rewriteXml(
  input: AsyncIterable<Uint8Array>,
  layout: XmlLayout,
): AsyncGenerator<Uint8Array> {
  const text = await boundedText(input, bytesMax)
  const { tokens, kept } = xmlDocument(text)
  yield* new XmlWriter(text, layout, kept).write(tokens)
}
