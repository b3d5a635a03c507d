import {
  type Alias,
  type Document,
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
import { positionInText, ToolInputError } from '../tool-input-error.js'
import { yamlDepthMax, yamlDocuments, yamlTooDeep } from './yaml-documents.js'
import { isOldNumber, jsonNumberOf } from './yaml-number.js'
import { fitsTag, foreignTag, meaningOf, type TagMeaning, tagText } from './yaml-tags.js'

interface YamlAsJsonOptions {
  readonly documents: 'one' | 'array'
  readonly duplicate_keys: 'refuse' | 'keep'
  readonly merge: 'refuse' | 'apply' | 'keep'
  readonly tags: 'refuse' | 'json' | 'keep'
}

/** A member of a mapping; `merged` if it comes from a mapping that another one merges. */
type Member = Readonly<{ name: string; value: unknown; merged: boolean }>

type KeyAndValue = Readonly<{ key: unknown; value: unknown }>

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
  private readonly options: YamlAsJsonOptions
  private isOld = false
  private targets: ReadonlyMap<Alias, Node> = new Map()
  private out = ''
  private readonly encoder = new TextEncoder()
  private aliases = 0
  private unitsLeft: number
  private readonly open = new Set<Node>()

  constructor(text: string, options: YamlAsJsonOptions) {
    this.text = text
    this.options = options
    this.unitsLeft = aliasUnits + 10 * text.length
  }

  *documents(documents: readonly Document.Parsed[], isArray: boolean): Generator<Uint8Array> {
    if (isArray) this.out += '['
    else if (documents.length === 0) this.out += 'null'
    for (const [at, { contents, directives }] of documents.entries()) {
      if (at > 0) this.out += ','
      this.isOld = directives.yaml.version === '1.1'
      this.targets = aliasTargets(contents)
      yield* this.node(contents, 0)
    }
    if (isArray) this.out += ']'
    yield this.taken()
  }

  private taken(): Uint8Array {
    const taken = this.encoder.encode(this.out)
    this.out = ''
    return taken
  }

  private problem(code: string, message: string, node: Node): ToolInputError {
    const [start] = node.range ?? []
    return new ToolInputError(code, message, start === undefined ? null : positionInText(this.text, start))
  }

  private put(text: string): void {
    this.out += text
    if (this.aliases > 0) this.spend(text.length)
  }

  /** Counts what aliases add. */
  private spend(units: number): void {
    this.unitsLeft -= units
    if (this.unitsLeft < 0)
      throw new ToolInputError(
        'yaml_aliases',
        'Aliases would make the output many times as large as the input.',
      )
  }

  private *node(node: unknown, depth: number): Generator<Uint8Array> {
    const tag = isNode(node) ? foreignTag(node) : null
    if (tag === null) return yield* this.untagged(node, depth)
    const meaning = this.meaning(node as Node, tag)
    if (meaning.kind === 'json') this.put(meaning.json)
    else if (meaning.kind === 'node') yield* this.untagged(node, depth)
    else {
      this.put(`{${JSON.stringify(meaning.name)}:`)
      if (meaning.json === undefined) yield* this.untagged(node, depth + 1)
      else this.put(meaning.json)
      this.put('}')
    }
  }

  private meaning(node: Node, tag: string): TagMeaning {
    const { tags } = this.options
    if (tags === 'keep') return { kind: 'member', name: tag }
    const found = meaningOf(node, tag)
    if (tags === 'json' && found !== null) return found
    const inJson = found === null ? '' : ', tags=json writes what it stands for'
    const why = tags === 'json' ? `${tag} stands for nothing in JSON` : `JSON has no tags such as ${tag}`
    throw this.problem('yaml_tag', `${why}; tags=keep writes {"${tag}": …}${inJson}.`, node)
  }

  private *untagged(node: unknown, depth: number): Generator<Uint8Array> {
    if (depth > yamlDepthMax) throw yamlTooDeep()
    if (this.out.length > chunkUnits) yield this.taken()
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

  private *members(node: Node, pairs: readonly KeyAndValue[], depth: number): Generator<Uint8Array> {
    this.open.add(node)
    this.put('{')
    for (const [at, { name, value, merged }] of this.membersOf(node, pairs).entries()) {
      if (merged) this.aliases += 1
      this.put(`${at > 0 ? ',' : ''}${JSON.stringify(name)}:`)
      yield* this.node(value, depth + 1)
      if (merged) this.aliases -= 1
    }
    this.put('}')
    this.open.delete(node)
  }

  /** The members in their order; those of a merged mapping stand where it is merged, unless the mapping has its own. */
  private membersOf(node: Node, pairs: readonly KeyAndValue[]): readonly Member[] {
    const names = new Set<string>()
    const members: (Member | readonly Member[])[] = []
    for (const { key, value } of pairs) {
      const name = this.key(key, node)
      if (names.has(name) && this.options.duplicate_keys === 'refuse')
        throw this.problem(
          'duplicate_key',
          `The mapping has the key ${name.slice(0, 100)} twice.`,
          isNode(key) ? key : node,
        )
      names.add(name)
      members.push(this.isMerge(key) ? this.merged(value, key) : { name, value, merged: false })
    }
    const written = new Set(names)
    return members.flatMap((one) => {
      if ('name' in one) return [one]
      return one.filter(({ name }) => !written.has(name) && written.add(name))
    })
  }

  /** Whether a key merges the mappings that are its value. */
  private isMerge(key: unknown): key is Scalar {
    if (!isScalar(key) || key.source !== '<<' || key.type !== 'PLAIN' || key.tag?.endsWith(':str') === true)
      return false
    const { merge } = this.options
    if (merge === 'refuse' && !this.isOld)
      throw this.problem(
        'yaml_merge',
        'The key << merges mappings in YAML 1.1 and is a key like others in YAML 1.2; merge=apply merges, merge=keep keeps the key.',
        key,
      )
    return merge !== 'keep'
  }

  /** The members that a mapping gets from one mapping or several, of which the first goes before the others. */
  private merged(value: unknown, key: Node): readonly Member[] {
    this.spend(1)
    const source = isAlias(value) ? this.target(value) : value
    if (isSeq(source)) return source.items.flatMap((item) => this.merged(item, key))
    if (!isMap(source) || foreignTag(source) !== null)
      throw this.problem(
        'yaml_merge',
        'The key << merges mappings, and this is none.',
        isNode(value) ? value : key,
      )
    this.open.add(source)
    const members = this.membersOf(source, source.items).map((member) => ({ ...member, merged: true }))
    this.open.delete(source)
    this.spend(members.length)
    return members
  }

  private *alias(node: Alias, depth: number): Generator<Uint8Array> {
    const target = this.target(node)
    this.aliases += 1
    yield* this.node(target, depth)
    this.aliases -= 1
  }

  /** What an alias stands for. */
  private target(node: Alias): Node {
    const target = this.targets.get(node)
    if (target === undefined)
      throw this.problem(
        'yaml_invalid',
        `No anchor before this alias is named ${node.source.slice(0, 100)}.`,
        node,
      )
    if (this.open.has(target))
      throw this.problem('yaml_cyclic', 'The alias stands for what it is part of.', node)
    return target
  }

  /** A key as text, as it is spelled if it is no string. */
  private key(key: unknown, parent: Node): string {
    const node = isAlias(key) ? this.target(key) : key
    if (node === null) return ''
    const tag = isNode(node) ? foreignTag(node) : null
    if (tag !== null && tag !== '!!merge')
      throw this.problem('yaml_tag', `Keys in JSON are strings; this one has the tag ${tag}.`, node as Node)
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
    if (!fitsTag(node)) {
      const tag = tagText(node.tag ?? '')
      throw this.problem(
        'yaml_tag',
        `${(source ?? '').slice(0, 100)} is no ${tag}; put it in quotes without the tag.`,
        node,
      )
    }
    if (value === null || value === undefined) return 'null'
    if (typeof value === 'boolean') return String(value)
    const isFloat = node.tag?.endsWith(':float') === true
    if (typeof value === 'string' && !isFloat) return JSON.stringify(value)
    if (isFloat || typeof value === 'number' || typeof value === 'bigint') {
      const spelled = source ?? String(value)
      if (this.isOld && node.type === 'PLAIN' && !isOldNumber(spelled))
        throw this.problem(
          'yaml_number',
          `Readers of YAML 1.1 disagree whether ${spelled.slice(0, 100)} is a number; put it in quotes, or spell it otherwise.`,
          node,
        )
      const number = jsonNumberOf(spelled, typeof value === 'bigint' ? value : Number.NaN)
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
  yield* new YamlJsonWriter(text, options).documents(documents, options.documents === 'array')
}
