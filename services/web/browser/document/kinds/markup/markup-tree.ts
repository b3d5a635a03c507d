import { jsonWriter } from '../json-writer.js'
import { attributesOf, decodeReferences, type MarkupToken, scanMarkup } from './scan-markup.js'

interface OpenElement {
  readonly name: string
  /** How often each key has been used in it. */
  readonly used: Map<string, number>
}

/** More deeply nested elements become siblings. */
const depthMax = 500

/** The key of a child: repeated names are numbered from 2 on, as in XPath. */
function keyIn(parent: OpenElement, name: string): string {
  const count = (parent.used.get(name) ?? 0) + 1
  parent.used.set(name, count)
  return count === 1 ? name : `${name}[${count}]`
}

/**
 * The elements of XML or HTML as JSON: an element is an object of its attributes (`@id`), its child elements
 * by name and its texts (`#text`), all strings; an element with only text is that text. Entities are not
 * expanded.
 */
export function markupTree(text: string, isHtml: boolean): Uint8Array {
  const writer = jsonWriter()
  const root: OpenElement = { name: '', used: new Map() }
  const open: OpenElement[] = [root]
  /** An open tag whose content is not known yet, and the text after it. */
  let pending: { readonly token: MarkupToken; text: string; readonly key: string } | null = null
  const inner = (): OpenElement => open.at(-1) ?? root

  const begin = ({ token, text: content, key }: NonNullable<typeof pending>): void => {
    writer.open('{', key)
    const element: OpenElement = { name: token.name, used: new Map() }
    open.push(element)
    for (const [name, value] of attributesOf(text, token)) writer.string(value, keyIn(element, `@${name}`))
    if (content.trim() !== '') writer.string(content.trim(), keyIn(element, '#text'))
  }
  const settle = (): void => {
    if (pending !== null) begin(pending)
    pending = null
  }
  const end = (name: string): void => {
    if (pending?.token.name === name) {
      if (attributesOf(text, pending.token).length === 0) writer.string(pending.text, pending.key)
      else {
        begin(pending)
        open.pop()
        writer.close()
      }
      pending = null
      return
    }
    settle()
    if (!open.some((element) => element.name === name)) return
    // Unclosed elements end with their parent.
    for (let ended = open.pop(); ended !== undefined; ended = open.pop()) {
      writer.close()
      if (ended.name === name) return
    }
  }
  const addText = (value: string, isShown: boolean): void => {
    if (pending !== null) pending.text += value
    else if (isShown) writer.string(value.trim(), keyIn(inner(), '#text'))
  }

  writer.open('{')
  scanMarkup(text, isHtml, (token) => {
    const source = (): string => text.slice(token.start, token.end)
    if (token.type === 'text') {
      const value = decodeReferences(source())
      addText(value, value.trim() !== '')
    } else if (token.type === 'cdata') addText(source().slice(9, -3), true)
    else if (token.type === 'close') end(token.name)
    else {
      settle()
      if (token.type === 'comment') writer.string(source().slice(4, -3).trim(), keyIn(inner(), '#comment'))
      else if (token.type === 'other') writer.string(source(), keyIn(inner(), '#declaration'))
      else {
        pending = { token, text: '', key: keyIn(inner(), token.name) }
        if (token.type === 'empty' || open.length > depthMax) end(token.name)
      }
    }
    return true
  })
  settle()
  while (open.length > 0) {
    open.pop()
    writer.close()
  }
  return writer.bytes()
}
