import {
  type Alias,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Scalar,
  visit,
} from 'yaml'
import { positionInText } from '../text-position.js'
import { ToolInputError } from '../tool.js'
import { yamlDepthMax, yamlDocuments, yamlTooDeep } from './yaml-documents.js'
import { jsonNumberOf } from './yaml-number.js'

interface YamlAsJsonOptions {
  readonly documents: 'one' | 'array'
  readonly duplicate_keys: 'refuse' | 'keep'
}

const chunkUnits = 65_536
/** The bytes that aliases may add to the output, in addition to ten times the input. */
const aliasUnits = 1_048_576

/** The node of each alias: the last one before it that has the name. */
function aliasTargets(root: Node | null): ReadonlyMap<Alias, Node> {
  const anchors = new Map<string, Node>()
  const targets = new Map<Alias, Node>()
  visit(root, (_key, node) => {
    if (isAlias(node)) {
      const target = anchors.get(node.source)
      if (target !== undefined) targets.set(node, target)
    } else if (isNode(node) && node.anchor !== undefined) anchors.set(node.anchor, node)
  })
  return targets
}

/** Writes the nodes of a document as JSON. */
class YamlJsonWriter {
  private readonly text: string
  private readonly keepsDuplicates: boolean
  private targets: ReadonlyMap<Alias, Node> = new Map()
  private out = ''
  private aliases = 0
  private unitsLeft: number
  private readonly open = new Set<Node>()

  constructor(text: string, keepsDuplicates: boolean) {
    this.text = text
    this.keepsDuplicates = keepsDuplicates
    this.unitsLeft = aliasUnits + 10 * text.length
  }

  *document(root: Node | null): Generator<string> {
    this.targets = aliasTargets(root)
    yield* this.node(root, 0)
    yield this.out
    this.out = ''
  }

  private problem(code: string, message: string, node: Node): ToolInputError {
    const [start] = node.range ?? []
    return new ToolInputError(code, message, start === undefined ? null : positionInText(this.text, start))
  }

  private put(text: string): void {
    this.out += text
    if (this.aliases === 0) return
    this.unitsLeft -= text.length
    if (this.unitsLeft < 0)
      throw new ToolInputError(
        'yaml_aliases',
        'Aliases would make the output many times as large as the input.',
      )
  }

  private *node(node: unknown, depth: number): Generator<string> {
    if (depth > yamlDepthMax) throw yamlTooDeep()
    if (this.out.length > chunkUnits) {
      yield this.out
      this.out = ''
    }
    if (isScalar(node)) this.put(this.scalar(node))
    else if (isAlias(node)) yield* this.alias(node, depth)
    else if (isMap(node)) yield* this.members(node, node.items, depth)
    else if (isSeq(node)) {
      this.open.add(node)
      this.put('[')
      for (const [at, item] of node.items.entries()) {
        if (at > 0) this.put(',')
        if (isPair(item)) yield* this.members(node, [item], depth + 1)
        else yield* this.node(item, depth + 1)
      }
      this.put(']')
      this.open.delete(node)
    } else this.put('null')
  }

  private *members(
    node: Node,
    pairs: readonly { readonly key: unknown; readonly value: unknown }[],
    depth: number,
  ): Generator<string> {
    const keys = new Set<string>()
    this.open.add(node)
    this.put('{')
    for (const [at, { key, value }] of pairs.entries()) {
      const name = this.key(key, node)
      if (keys.has(name) && !this.keepsDuplicates)
        throw this.problem(
          'duplicate_key',
          `The mapping has the key ${name.slice(0, 100)} twice.`,
          isNode(key) ? key : node,
        )
      keys.add(name)
      this.put(`${at > 0 ? ',' : ''}${JSON.stringify(name)}:`)
      yield* this.node(value, depth + 1)
    }
    this.put('}')
    this.open.delete(node)
  }

  private *alias(node: Alias, depth: number): Generator<string> {
    const target = this.targets.get(node)
    if (target === undefined)
      throw this.problem(
        'yaml_invalid',
        `No anchor before this alias is named ${node.source.slice(0, 100)}.`,
        node,
      )
    if (this.open.has(target))
      throw this.problem('yaml_cyclic', 'The alias stands for what it is part of.', node)
    this.aliases += 1
    yield* this.node(target, depth)
    this.aliases -= 1
  }

  /** A key as text, as it is spelled if it is no string. */
  private key(key: unknown, parent: Node): string {
    const node = isAlias(key) ? this.targets.get(key) : key
    if (node === null) return ''
    if (isScalar(node))
      return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value))
    throw this.problem(
      'yaml_key',
      'Keys in JSON are strings; this one is a collection.',
      isNode(key) ? key : parent,
    )
  }

  private scalar(node: Scalar): string {
    const { value, source } = node
    if (value === null || value === undefined) return 'null'
    if (typeof value === 'boolean') return String(value)
    if (typeof value === 'string') return JSON.stringify(value)
    if (typeof value === 'number' || typeof value === 'bigint') {
      const number = jsonNumberOf(source ?? String(value), value)
      if (number === null)
        throw this.problem('yaml_number', 'JSON has no such number; put it in quotes.', node)
      return number
    }
    return JSON.stringify(source ?? String(value))
  }
}

/** YAML as JSON without white space. */
export async function* yamlAsJson(
  input: AsyncIterable<Uint8Array>,
  options: YamlAsJsonOptions,
): AsyncGenerator<Uint8Array> {
  const { documents, text } = await yamlDocuments(input, { intAsBigInt: true })
  if (options.documents === 'one' && documents.length > 1)
    throw new ToolInputError(
      'yaml_documents',
      `The text has ${documents.length} documents; documents=array makes an array of them.`,
    )
  const encoder = new TextEncoder()
  const writer = new YamlJsonWriter(text, options.duplicate_keys === 'keep')
  const isArray = options.documents === 'array'
  if (isArray) yield encoder.encode('[')
  for (const [at, document] of documents.entries()) {
    if (at > 0) yield encoder.encode(',')
    for (const piece of writer.document(document.contents)) yield encoder.encode(piece)
  }
  if (isArray) yield encoder.encode(']')
  else if (documents.length === 0) yield encoder.encode('null')
}
