import { checkedTokens } from './xml-document.js'
import type { XmlToken } from './xml-tokens.js'

/** What must be known of an element before its end, as bits. */
export const forms = {
  /** A name comes again after other nodes, so that members of an object would lose the order; without blank text. */
  repeats: 1,
  /** The same, with blank text. */
  repeatsWithBlanks: 2,
  /** It has text of its own, or `xml:space="preserve"`: blank text in it is text. */
  keepsBlanks: 4,
  /** It has elements, or comments and instructions if they count. */
  hasNodes: 8,
  /** The next node has the same name. */
  beginsRun: 16,
  /** It has comments or instructions. */
  hasNotes: 32,
} as const

/** Names that are remembered of all open elements; an element with more counts as one that repeats. */
const namesMax = 100_000

interface OpenElement {
  readonly node: number
  readonly names: Set<string>
  /** The name of the last node, and of the last node or text. */
  lastNode: string
  last: string
  runNode: number
  hasText: boolean
}

/** The name of a node: of an element its own. */
export function nodeName({ kind, name }: XmlToken): string {
  if (kind === 'comment') return '#comment'
  return kind === 'instruction' ? '#pi' : name
}

const text = '#text'

/** Collects the bits of all nodes; the first are those of the document. */
class FormCollector {
  private bits = new Uint8Array(1_024)
  private nodes = 0
  private names = 0
  private keepsBlanks = false
  private readonly open: OpenElement[] = []
  private readonly countsNotes: boolean

  constructor(countsNotes: boolean) {
    this.countsNotes = countsNotes
    this.begin()
  }

  get found(): Uint8Array {
    return this.bits.subarray(0, this.nodes)
  }

  take(token: XmlToken): void {
    this.takeNode(token)
    if (this.keepsBlanks) this.mark(this.open.at(-1)?.node ?? 0, forms.keepsBlanks)
    this.keepsBlanks = false
  }

  /** Blank text is text in the element that is innermost after the next token. */
  keepBlanks(): void {
    this.keepsBlanks = true
  }

  private takeNode(token: XmlToken): void {
    if (token.kind === 'close') this.end()
    else if (token.kind === 'text' || token.kind === 'cdata') this.text()
    else if (token.kind === 'comment' || token.kind === 'instruction') this.note(token)
    else if (token.kind !== 'doctype') {
      this.node(token)
      this.begin()
      if (token.kind === 'empty') this.end()
    }
  }

  private mark(node: number, bit: number): void {
    this.bits[node] = (this.bits[node] ?? 0) | bit
  }

  private begin(): void {
    this.open.push({ node: this.nodes, names: new Set(), lastNode: '', last: '', runNode: 0, hasText: false })
    this.count()
  }

  private count(): void {
    this.nodes += 1
    if (this.nodes < this.bits.length) return
    const larger = new Uint8Array(2 * this.bits.length)
    larger.set(this.bits)
    this.bits = larger
  }

  private end(): void {
    this.names -= this.open.pop()?.names.size ?? 0
  }

  private text(): void {
    const element = this.open.at(-1)
    if (element === undefined || element.last === text) return
    if (element.hasText) this.mark(element.node, forms.repeatsWithBlanks)
    element.hasText = true
    element.last = text
  }

  private note(token: XmlToken): void {
    this.mark(this.open.at(-1)?.node ?? 0, forms.hasNotes)
    if (token.name.toLowerCase() === 'xml' || !this.countsNotes) return
    this.node(token)
    this.count()
  }

  /** A node comes whose number is the next. */
  private node(token: XmlToken): void {
    const element = this.open.at(-1)
    if (element === undefined) return
    const name = nodeName(token)
    this.mark(element.node, forms.hasNodes)
    const isKnown = element.names.has(name)
    if (name === element.lastNode) this.mark(element.runNode, forms.beginsRun)
    else {
      element.runNode = this.nodes
      if (isKnown || this.names >= namesMax) this.mark(element.node, forms.repeats)
    }
    if ((isKnown && name !== element.last) || this.names >= namesMax)
      this.mark(element.node, forms.repeatsWithBlanks)
    if (!isKnown && this.names < namesMax) {
      element.names.add(name)
      this.names += 1
    }
    element.lastNode = name
    element.last = name
  }
}

/**
 * The bits of the document, then of each element in the order in which they begin; comments and instructions are
 * among them if they count.
 * @throws ToolInputError `xml_invalid` or `xml_too_deep`.
 */
export function elementForms(xml: string, countsNotes: boolean): Uint8Array {
  const collector = new FormCollector(countsNotes)
  for (const token of checkedTokens(xml, () => collector.keepBlanks())) collector.take(token)
  return collector.found
}
