import { positionInText, ToolInputError } from '../tool-input-error.js'

/** A part of XML, from `start` to `end`. */
export interface XmlToken {
  readonly kind: 'open' | 'close' | 'empty' | 'text' | 'cdata' | 'comment' | 'instruction' | 'doctype'
  readonly start: number
  readonly end: number
  /** Of an element or instruction; else empty. */
  readonly name: string
}

const nameStart =
  ':A-Z_a-z\\xc0-\\xd6\\xd8-\\xf6\\xf8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff\\u200c\\u200d\\u2070-\\u218f\\u2c00-\\u2fef\\u3001-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\ufffd\\u{10000}-\\u{effff}'
/** A name (XML 1.0, section 2.3) at the position that is set. */
export const namePattern = `[${nameStart}][${nameStart}.0-9\\xb7\\u0300-\\u036f\\u203f\\u2040-]*`
/** What XML 1.0 does not allow anywhere, not even as a reference. */
const forbidden = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u

/** Whether XML 1.0 can hold the character of this number. */
export function isXmlCharacter(code: number): boolean {
  return code <= 0x10ffff && !forbidden.test(String.fromCodePoint(code))
}

/** The character that a reference such as `#233` or `#xE9` names; `null` if XML has none of this number. */
export function referencedCharacter(name: string): string | null {
  const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return isXmlCharacter(code) ? String.fromCodePoint(code) : null
}

function attribute(name: string, value: string): string {
  return `[ \\t\\r\\n]+${name}[ \\t\\r\\n]*=[ \\t\\r\\n]*(?:"(?:${value})"|'(?:${value})')`
}

/** XML 1.0, section 2.8. A version such as 1.1 is read as 1.0, as section 2.8 wants it. */
const declaration = new RegExp(
  `^<\\?xml${attribute('version', '1\\.[0-9]+')}(?:${attribute('encoding', '[A-Za-z][A-Za-z0-9._-]*')})?(?:${attribute('standalone', 'yes|no')})?[ \\t\\r\\n]*\\?>`,
)

const attributesMax = 10_000

/** Looking for its end takes a time that grows with the square of its length. */
const doctypeUnitsMax = 65_536

/** Reads XML without a grammar of its own: references stay as they are, and nothing is ever fetched or expanded. */
export class XmlReader {
  private readonly text: string
  private readonly name = new RegExp(namePattern, 'uy')
  private readonly space = /[ \t\r\n]*/y
  private readonly reference = new RegExp(`&(${namePattern}|#\\d+|#x[\\da-fA-F]+);`, 'uy')

  constructor(text: string) {
    this.text = text
  }

  /** @throws ToolInputError `xml_invalid` at the first mistake; that tags match is for the caller to check. */
  *tokens(): Generator<XmlToken> {
    const { text } = this
    const bad = forbidden.exec(text)
    if (bad !== null) throw this.problem('XML cannot hold this character.', bad.index)
    for (let at = 0; at < text.length; ) {
      const token = text[at] === '<' ? this.markup(at) : this.characters(at)
      yield token
      at = token.end
    }
  }

  problem(message: string, at: number): ToolInputError {
    return new ToolInputError('xml_invalid', message, positionInText(this.text, at))
  }

  private markup(start: number): XmlToken {
    const { text } = this
    if (text.startsWith('<!--', start)) return this.comment(start)
    if (text.startsWith('<![CDATA[', start)) return this.until(']]>', 'cdata', start, 9)
    if (text.startsWith('<?', start)) return this.instruction(start)
    if (text.startsWith('<!DOCTYPE', start)) return this.doctype(start)
    if (text[start + 1] === '/') {
      const name = this.nameAt(start + 2, 'A closing tag')
      const end = this.afterSpace(start + 2 + name.length)
      if (text[end] !== '>') throw this.problem('Expected > at the end of the closing tag.', end)
      return { kind: 'close', start, end: end + 1, name }
    }
    return this.tag(start)
  }

  private instruction(start: number): XmlToken {
    const name = this.nameAt(start + 2, 'An instruction')
    const nameEnd = start + 2 + name.length
    if (name.toLowerCase() === 'xml') this.checkDeclaration(name, start)
    if (!this.text.startsWith('?>', nameEnd) && this.afterSpace(nameEnd) === nameEnd)
      throw this.problem('Expected white space or ?> after the name of the instruction.', nameEnd)
    return { ...this.until('?>', 'instruction', start, 2 + name.length), name }
  }

  private checkDeclaration(name: string, start: number): void {
    if (start > 0)
      throw this.problem('The XML declaration comes first, without white space before it.', start)
    if (name !== 'xml') throw this.problem('Write xml in small letters in the XML declaration.', start + 2)
    if (!declaration.test(this.text))
      throw this.problem(
        'The XML declaration must be like <?xml version="1.0" encoding="UTF-8" standalone="yes"?>.',
        0,
      )
  }

  private until(close: string, kind: XmlToken['kind'], start: number, opening: number): XmlToken {
    const end = this.text.indexOf(close, start + opening)
    if (end < 0) throw this.problem(`The text ends before ${close}, which ends what begins here.`, start)
    return { kind, start, end: end + close.length, name: '' }
  }

  private comment(start: number): XmlToken {
    const token = this.until('--', 'comment', start, 4)
    if (this.text[token.end] !== '>') throw this.problem('A comment cannot hold --.', token.end - 2)
    return { ...token, end: token.end + 1 }
  }

  /** Declarations are passed on, and never used. */
  private doctype(start: number): XmlToken {
    const parts = /"[^"]*"|'[^']*'|<!--[\s\S]*?-->|<\?[\s\S]*?\?>|[<>[\]]/g
    const text = this.text.slice(start, start + doctypeUnitsMax)
    let depth = 0
    for (const { 0: part, index } of text.matchAll(parts)) {
      if (part === '<' || part === '[') depth += 1
      else if (part === '>' || part === ']') depth -= 1
      if (depth === 0) return { kind: 'doctype', start, end: start + index + 1, name: '' }
    }
    throw this.problem(`The document type does not end within ${doctypeUnitsMax} characters.`, start)
  }

  private tag(start: number): XmlToken {
    const { text } = this
    const name = this.nameAt(start + 1, 'A tag')
    const seen = new Set<string>()
    for (let at = start + 1 + name.length; ; ) {
      const next = this.afterSpace(at)
      if (text[next] === '>') return { kind: 'open', start, end: next + 1, name }
      if (text.startsWith('/>', next)) return { kind: 'empty', start, end: next + 2, name }
      if (next >= text.length) throw this.problem('The text ends within this tag.', start)
      if (next === at) throw this.problem('Expected white space, > or />.', at)
      const attribute = this.nameAt(next, 'An attribute')
      if (seen.has(attribute)) throw this.problem(`The tag has ${attribute.slice(0, 100)} twice.`, next)
      if (seen.size === attributesMax)
        throw this.problem(`The tag has more than ${attributesMax} attributes.`, next)
      seen.add(attribute)
      at = this.attributeEnd(next + attribute.length)
    }
  }

  /** Where the value ends that follows an attribute's name. */
  private attributeEnd(at: number): number {
    const { text } = this
    const equals = this.afterSpace(at)
    if (text[equals] !== '=')
      throw this.problem('Expected = and a value after the name of the attribute.', equals)
    const start = this.afterSpace(equals + 1)
    const quote = text[start]
    if (quote !== '"' && quote !== "'") throw this.problem('The value of an attribute needs quotes.', start)
    const end = text.indexOf(quote, start + 1)
    if (end < 0) throw this.problem('The text ends within this value.', start)
    const less = text.slice(start, end).indexOf('<')
    if (less >= 0) throw this.problem('Write &lt; for < in the value of an attribute.', start + less)
    this.checkReferences(start, end)
    return end + 1
  }

  private characters(start: number): XmlToken {
    const { text } = this
    const next = text.indexOf('<', start)
    const end = next < 0 ? text.length : next
    const close = text.slice(start, end).indexOf(']]>')
    if (close >= 0) throw this.problem('Text cannot hold ]]>; write ]]&gt;.', start + close)
    this.checkReferences(start, end)
    return { kind: 'text', start, end, name: '' }
  }

  private checkReferences(start: number, end: number): void {
    const part = this.text.slice(start, end)
    for (let at = part.indexOf('&'); at >= 0; at = part.indexOf('&', at + 1)) {
      this.reference.lastIndex = start + at
      const [reference, name] = this.reference.exec(this.text) ?? []
      if (reference === undefined || name === undefined)
        throw this.problem('Write &amp; for & itself.', start + at)
      if (name.startsWith('#') && referencedCharacter(name) === null)
        throw this.problem(`XML cannot hold the character ${reference.slice(0, 40)}`, start + at)
    }
  }

  private afterSpace(at: number): number {
    this.space.lastIndex = at
    this.space.test(this.text)
    return this.space.lastIndex
  }

  private nameAt(at: number, owner: string): string {
    this.name.lastIndex = at
    const [name] = this.name.exec(this.text) ?? []
    if (name === undefined) throw this.problem(`${owner} needs a name, which begins with a letter.`, at)
    return name
  }
}
