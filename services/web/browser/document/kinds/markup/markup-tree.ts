import {
  attributesOf,
  decodeReferences,
  type MarkupToken,
  scanMarkup,
} from '../../../../rendering/scan-markup.js'

/** An element: its attributes, children and texts by their keys. */
interface Nodes {
  [key: string]: string | Nodes
}

interface OpenElement {
  readonly name: string
  readonly nodes: Nodes
  /** How often each key has been used in it. */
  readonly used: Map<string, number>
  /** Its text as long as it holds nothing else; then `null`. */
  text: string | null
}

/** More deeply nested elements become siblings. */
const depthMax = 500

function newElement(name: string, text: string | null): OpenElement {
  // No prototype: any name may be a key.
  return { name, nodes: Object.create(null), used: new Map(), text }
}

/** Adds a node, and returns its key: repeated names are numbered from 2 on, as in XPath. */
function put(parent: OpenElement, name: string, node: string | Nodes): string {
  const count = (parent.used.get(name) ?? 0) + 1
  parent.used.set(name, count)
  const key = count === 1 ? name : `${name}[${count}]`
  parent.nodes[key] = node
  return key
}

/**
 * The elements of HTML as JSON: an element is an object of its attributes (`@id`), its child elements by name
 * and its texts (`#text`), all strings; an element with only text is that text. Entities are not expanded.
 */
export function markupTree(html: string): Uint8Array {
  const root = newElement('', null)
  const open: OpenElement[] = [root]
  const keys: string[] = []
  const inner = (): OpenElement => open.at(-1) ?? root

  /** The text of an element becomes one of its nodes once it has others. */
  const settle = (element: OpenElement): void => {
    const said = element.text?.trim() ?? ''
    element.text = null
    if (said !== '') put(element, '#text', said)
  }
  const begin = (token: MarkupToken): void => {
    const element = newElement(token.name, '')
    for (const [name, value] of attributesOf(html, token)) put(element, `@${name}`, value)
    keys.push(put(inner(), token.name, element.nodes))
    open.push(element)
  }
  const end = (name: string): void => {
    if (!open.some((element) => element.name === name)) return
    // Unclosed elements end with their parent.
    for (let ended = open.pop(); ended !== undefined; ended = open.pop()) {
      const key = keys.pop() ?? ''
      if (ended.used.size === 0 && ended.text !== null) inner().nodes[key] = ended.text
      else settle(ended)
      if (ended.name === name) return
    }
  }

  scanMarkup(html, (token) => {
    const source = html.slice(token.start, token.end)
    if (token.type === 'text') {
      const value = decodeReferences(source)
      const element = inner()
      if (element.text !== null) element.text += value
      else if (value.trim() !== '') put(element, '#text', value.trim())
    } else if (token.type === 'close') end(token.name)
    else {
      settle(inner())
      if (token.type === 'comment') put(inner(), '#comment', source.slice(4, -3).trim())
      else if (token.type === 'other') put(inner(), '#declaration', source)
      else {
        begin(token)
        if (token.type === 'empty' || open.length > depthMax) end(token.name)
      }
    }
  })
  for (const element of open) settle(element)
  return new TextEncoder().encode(JSON.stringify(root.nodes))
}
