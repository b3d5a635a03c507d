import type { CST } from 'yaml'
import { ToolInputError } from '../tool-input-error.js'
import { flowLine } from './flow-line.js'
import { yamlBytesMax, yamlDepthMax, yamlTooDeep } from './yaml-documents.js'
import { reindented, YamlLines } from './yaml-lines.js'

/** The white space that YAML is written with. */
export interface YamlStyle {
  readonly indent: number
  /** Whether a sequence in a mapping is indented. */
  readonly indentsSequences: boolean
  /** Flow collections longer than that are written over several lines. */
  readonly lineWidth: number
}

/** Indentation can make a text far longer, and reading it again takes many times its size of memory. */
const unitsMax = 2 * yamlBytesMax

type Tokens = readonly CST.SourceToken[]

/** Where a value is. */
interface Place {
  /** Of the line that it belongs to. */
  readonly outer: number
  /** Of its own lines. */
  readonly indent: number
  /** Whether a block may begin on the line of the indicator before it. */
  readonly isCompact: boolean
  readonly isInFlow?: boolean
}

function around(tokens: Tokens, type: CST.SourceToken['type']): readonly [Tokens, Tokens | null] {
  const at = tokens.findIndex((token) => token.type === type)
  return at < 0 ? [tokens, null] : [tokens.slice(0, at), tokens.slice(at + 1)]
}

function isNode(token: CST.Token | null | undefined): token is CST.Token {
  return token !== null && token !== undefined
}

/** Lays out the tokens of YAML: each of them is written once, in its order. */
export class YamlLayout {
  readonly lines = new YamlLines()
  private readonly style: YamlStyle
  /** The open blocks: their indentation in the input, and here. */
  private readonly blocks: { readonly before: number; readonly now: number }[] = []
  private depth = 0

  constructor(style: YamlStyle) {
    this.style = style
  }

  /** Writes a document, or what is between documents. */
  token(token: CST.Token): void {
    if (token.type === 'document') this.document(token)
    else if (token.type === 'directive' || token.type === 'doc-end') {
      this.lines.breakLine(0)
      this.lines.put(token.source.trimEnd(), 0)
      if (token.type === 'doc-end') this.tokens(token.end ?? [], 0)
    } else if (token.type === 'comment') this.lines.comment(token.source, 0)
    else if (token.type === 'newline') this.lines.feed()
  }

  private document({ start, value, end = [] }: CST.Document): void {
    const { lines, style } = this
    const [before, after] = around(start, 'doc-start')
    if (after !== null) {
      this.tokens(before, 0)
      lines.breakLine(0)
      lines.put('---', 0)
    } else lines.breakLine(0)
    const isBlock = value?.type === 'block-map' || value?.type === 'block-seq'
    const isCollection = isBlock || value?.type === 'flow-collection'
    const tokens = after ?? before
    if (isNode(value)) {
      const hasFeed = tokens.some(({ type }) => type === 'newline')
      const isOver = this.tokens(tokens, 0)
      if (after !== null && hasFeed && !isOver) lines.breakLine(0)
      this.node(value, { outer: 0, indent: isCollection ? 0 : style.indent, isCompact: false })
    } else this.tokens(tokens, 0)
    this.tokens(end, 0)
  }

  /** Writes indicators, anchors, tags and comments, and returns whether there were any. */
  private tokens(tokens: Tokens, indent: number): boolean {
    let count = 0
    for (const { type, source } of tokens) {
      if (type === 'newline') this.lines.feed()
      else if (type === 'comment') this.lines.comment(source, indent)
      else if (type === 'space') continue
      else this.lines.put(source, indent, type === 'comma' ? '' : ' ')
      count += type === 'newline' ? 0 : 1
    }
    return count > 0
  }

  private value(tokens: Tokens, token: CST.Token | null | undefined, place: Place): void {
    const hasOwn = this.tokens(tokens, place.indent)
    if (isNode(token)) this.node(token, { ...place, isCompact: place.isCompact && !hasOwn })
  }

  private node(token: CST.Token, place: Place): void {
    if (this.depth === yamlDepthMax) throw yamlTooDeep()
    if (this.lines.length > unitsMax)
      throw new ToolInputError('input_too_large', 'With its indentation the text would be too large.')
    this.depth += 1
    if (token.type === 'block-map' || token.type === 'block-seq') this.block(token, place)
    else if (token.type === 'flow-collection') this.flow(token, place)
    else if (token.type === 'block-scalar') this.blockScalar(token, place)
    else if ('source' in token) {
      this.lines.put(reindented(token.source, place.indent), place.indent)
      if ('end' in token) this.tokens(token.end ?? [], place.indent)
    }
    this.depth -= 1
  }

  private beginBlock({ outer, indent, isCompact }: Place): void {
    if (isCompact) this.lines.goOn(indent - outer - 1)
    else this.lines.breakLine(indent)
  }

  private block(token: CST.BlockMap | CST.BlockSequence, place: Place): void {
    const { indent } = place
    this.blocks.push({ before: token.indent, now: indent })
    for (const [at, item] of token.items.entries()) {
      const isLast = item.key === undefined && item.sep === undefined && item.value === undefined
      if (
        isLast &&
        item.start.every(({ type }) => type === 'space' || type === 'newline' || type === 'comment')
      ) {
        this.trailing(item.start)
        continue
      }
      if (at > 0) this.lines.breakLine(indent)
      else this.beginBlock(place)
      if (token.type === 'block-map') this.member(item, indent)
      else this.item(item, indent)
    }
    this.blocks.pop()
  }

  /** Comments after the last item belong to the block with the same indent. */
  private trailing(tokens: Tokens): void {
    for (const token of tokens) {
      const block = this.blocks.findLast(({ before }) => before <= token.indent)
      this.tokens([token], block?.now ?? 0)
    }
  }

  private item({ start, value }: CST.CollectionItem, outer: number): void {
    const [before, after] = around(start, 'seq-item-ind')
    this.tokens(before, outer)
    this.lines.put('-', outer)
    this.value(after ?? [], value, { outer, indent: outer + this.style.indent, isCompact: true })
  }

  private member({ start, key, sep = [], value }: CST.CollectionItem, outer: number): void {
    const { lines, style } = this
    const indent = outer + style.indent
    const [before, afterMark] = around(start, 'explicit-key-ind')
    const hasOwn = this.tokens(before, outer)
    if (afterMark !== null) {
      lines.put('?', outer)
      this.value(afterMark, key, { outer, indent, isCompact: true })
    } else if (isNode(key)) this.implicitKey(key, { outer, indent: outer, isCompact: false })
    const [beforeColon, afterColon] = around(sep, 'map-value-ind')
    this.tokens(beforeColon, outer)
    if (afterColon === null) return
    if (afterMark !== null) lines.breakLine(outer)
    lines.put(':', outer, isNode(key) && key.type !== 'alias' ? '' : hasOwn || isNode(key) ? ' ' : '')
    const isFlush = value?.type === 'block-seq' && afterMark === null && !style.indentsSequences
    this.value(afterColon, value, { outer, indent: isFlush ? outer : indent, isCompact: afterMark !== null })
  }

  /** Writes a key, on one line if that is possible at all. */
  private implicitKey(key: CST.Token, place: Place): void {
    const line = flowLine(key, Number.POSITIVE_INFINITY)
    if (line === null) this.node(key, place)
    else {
      this.lines.put(line, place.indent)
      if (key.type === 'flow-collection') this.tokens(key.end.slice(1), place.indent)
      else if ('end' in key) this.tokens(key.end ?? [], place.indent)
    }
  }

  private blockScalar({ props, source, indent: before }: CST.BlockScalar, { indent }: Place): void {
    const { lines, style } = this
    let given = 0
    for (const prop of props)
      if (prop.type === 'block-scalar-header') {
        given = Number(/[1-9]/.exec(prop.source)?.[0] ?? 0)
        lines.put(prop.source.replace(/[1-9]/, String(style.indent)), indent)
      } else if ('indent' in prop && prop.type === 'comment') lines.comment(prop.source, indent)
    const own = given > 0 ? Math.max(0, before) + given : (/^ *(?=[^ \r\n])/m.exec(source)?.[0].length ?? -1)
    const text = source.replace(/\r?\n$/, '').split(/\r?\n/)
    const margin = ' '.repeat(indent)
    const kept = text
      .map((line) => (own < 0 ? '' : line.slice(own)))
      .map((line) => (line === '' ? '' : margin + line))
    if (source === '') return
    // Blank lines after the text count only if the header says so.
    const keepsEnd = props.some(
      (prop) => 'source' in prop && prop.type === 'block-scalar-header' && prop.source.includes('+'),
    )
    const last = kept.findLastIndex((line) => line !== '')
    const lineCount = keepsEnd ? kept.length : last + 1
    if (lineCount > 0) lines.block(`${kept.slice(0, lineCount).join('\n')}\n`)
    for (let blank = lineCount; blank <= kept.length && !keepsEnd; blank += 1) lines.feed()
  }

  private flow(token: CST.FlowCollection, place: Place): void {
    const { lines, style } = this
    const { indent } = place
    const room =
      token.items.length === 0 ? Number.POSITIVE_INFINITY : style.lineWidth - lines.nextColumn(indent)
    const line = flowLine(token, room)
    if (line !== null) {
      lines.put(line, indent)
      this.tokens(token.end.slice(1), indent)
      return
    }
    // In a block, its end must be indented further than what it belongs to.
    if (place.isInFlow !== true) this.beginBlock(place)
    lines.put(token.start.source, indent)
    const inner = indent + style.indent
    for (const item of token.items) {
      const [before, after] = around(item.start, 'comma')
      if (after !== null) {
        this.tokens(before, inner)
        lines.put(',', inner, '')
      }
      this.flowItem(after ?? item.start, item, inner)
    }
    const [end, ...behind] = token.end
    lines.breakLine(indent)
    if (end !== undefined) this.tokens([end], indent)
    this.tokens(behind, indent)
  }

  private flowItem(tokens: Tokens, { key, sep = [], value }: CST.CollectionItem, inner: number): void {
    const { lines } = this
    const place = { outer: inner, indent: inner, isCompact: false, isInFlow: true }
    lines.breakLine(inner)
    this.tokens(tokens, inner)
    if (isNode(key)) this.implicitKey(key, place)
    const [beforeColon, afterColon] = around(sep, 'map-value-ind')
    this.tokens(beforeColon, inner)
    if (afterColon !== null) lines.put(':', inner, isNode(key) && key.type !== 'alias' ? '' : ' ')
    this.value(afterColon ?? [], value, place)
  }
}
