import type { CST } from 'yaml'

/** Writes a flow collection on one line. */
class FlowLine {
  text = ''
  private readonly unitsMax: number

  constructor(unitsMax: number) {
    this.unitsMax = unitsMax
  }

  /** Returns whether it fits. */
  node(token: CST.Token): boolean {
    if (token.type === 'flow-collection') return this.collection(token)
    if (!('source' in token) || token.source.includes('\n') || !this.put(token.source, ' ')) return false
    return !('end' in token) || this.tokens(token.end ?? [], null)
  }

  private put(text: string, gap: string): boolean {
    this.text += (this.text === '' ? '' : gap) + text
    return this.text.length <= this.unitsMax
  }

  private collection({ start, items, end }: CST.FlowCollection): boolean {
    const isMap = start.source === '{'
    if (!this.put(start.source, ' ')) return false
    for (const [at, item] of items.entries()) {
      const first = this.text.length
      if (!this.tokens(item.start, null) || !this.pair(item)) return false
      // The bracket of a sequence is where its first item is.
      if (at === 0 && !isMap) this.text = this.text.slice(0, first) + this.text.slice(first).trimStart()
    }
    const isSpaced = isMap && items.length > 0
    return this.tokens(end, isSpaced ? ' ' : '')
  }

  private pair({ key, sep = [], value }: CST.CollectionItem): boolean {
    if (key !== undefined && key !== null && !this.node(key)) return false
    const isTight = key !== undefined && key !== null && key.type !== 'alias'
    return this.tokens(sep, isTight ? '' : ' ') && (value === undefined || this.node(value))
  }

  private tokens(tokens: readonly CST.SourceToken[], markGap: string | null): boolean {
    for (const { type, source } of tokens) {
      if (type === 'comment') return false
      if (type === 'space' || type === 'newline') continue
      const isMark = type === 'map-value-ind' || type === 'flow-map-end' || type === 'flow-seq-end'
      if (!this.put(source, type === 'comma' ? '' : isMark ? (markGap ?? ' ') : ' ')) return false
    }
    return true
  }
}

/** A flow collection, or a value in one, on a line of limited length; `null` if it does not fit. */
export function flowLine(token: CST.Token, unitsMax: number): string | null {
  const line = new FlowLine(unitsMax)
  return line.node(token) ? line.text : null
}
