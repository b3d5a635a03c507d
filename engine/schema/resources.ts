import { type JsonNodes, valueText } from '../compare/json/json-nodes.js'
import { stepsOf } from '../json-pointer.js'
import { findSchemaProblem } from './find-schema-problem.js'
import { kindOf, metaschemas, metaschemaUri, type Vocabulary, vocabularyUris } from './keywords.js'
import { SchemaError } from './schema-error.js'
import { childrenAt, keyAt, membersAt, stringAt, typeAt } from './value-nodes.js'

/** A schema with an address of its own, and the anchors in it. */
export interface Resource {
  readonly node: number
  /** Without a fragment. */
  readonly uri: string
  readonly anchors: Map<string, number>
  readonly dynamicAnchors: Map<string, number>
  /** The vocabularies that its keywords are of. */
  vocabularies: ReadonlySet<Vocabulary>
}

/** What a reference leads to. */
export interface Target {
  /** A schema of this document, or one of the schemas of schemas: that of a vocabulary, or of all (`null`). */
  readonly target: { readonly node: number } | { readonly metaschema: Vocabulary | null }
  /** The name, if it was found by an anchor that others may take the place of. */
  readonly dynamicName: string | null
}

/** Where a schema without an address is, so that relative references work. */
const unnamedUri = 'https://schema.invalid/'

const allVocabularies: ReadonlySet<Vocabulary> = new Set(vocabularyUris.values())

function resolved(nodes: JsonNodes, node: number, base: string): URL {
  const reference = stringAt(nodes, node)
  const url = URL.canParse(reference, base) ? new URL(reference, base) : null
  if (url !== null) return url
  throw new SchemaError('schema_invalid', `This reference cannot be resolved: ${reference}`, node)
}

function withoutFragment(url: URL): string {
  const text = url.href
  return url.hash === '' ? text.replace(/#$/, '') : text.slice(0, -url.hash.length)
}

/** The schemas within a document by their addresses. Nothing is ever fetched. */
export class Resources {
  private readonly nodes: JsonNodes
  private readonly byUri = new Map<string, Resource>()
  private readonly bySchema = new Map<number, Resource>()
  private readonly members = new Map<number, ReadonlyMap<string, number>>()
  private readonly items = new Map<number, readonly number[]>()

  /** @throws SchemaError if what is at this node is not a schema, or of another draft. */
  constructor(nodes: JsonNodes, root: number) {
    this.nodes = nodes
    this.addSchema(root, this.addResource(root, unnamedUri))
    for (const resource of [...this.byUri.values()]) resource.vocabularies = this.vocabulariesOf(resource)
  }

  /** The schemas that are known, those included that are found on the way. */
  schemas(): Iterable<number> {
    return this.bySchema.keys()
  }

  /** The resource that a schema belongs to. */
  of(node: number): Resource {
    const resource = this.bySchema.get(node)
    if (resource === undefined) throw new SchemaError('schema_invalid', 'There is no schema here.', node)
    return resource
  }

  /**
   * What the reference at this node of a schema means.
   * @throws SchemaError if it leads out of the document, or nowhere.
   */
  resolve(reference: number, from: Resource): Target {
    const url = resolved(this.nodes, reference, from.uri)
    const uri = withoutFragment(url)
    const resource = this.byUri.get(uri)
    if (resource === undefined) {
      const metaschema = url.hash === '' ? metaschemas.get(uri) : undefined
      if (metaschema !== undefined) return { target: { metaschema }, dynamicName: null }
      throw new SchemaError(
        'schema_ref_remote',
        `${uri} is not part of the schema, and nothing is fetched. Put that schema into $defs, with this $id.`,
        reference,
      )
    }
    let fragment: string
    try {
      fragment = decodeURIComponent(url.hash.slice(1))
    } catch {
      throw new SchemaError('schema_invalid', 'The fragment of this reference has a wrong escape.', reference)
    }
    if (fragment === '') return { target: { node: resource.node }, dynamicName: null }
    if (fragment.startsWith('/'))
      return { target: { node: this.atPointer(resource, fragment, reference) }, dynamicName: null }
    const node = resource.anchors.get(fragment)
    if (node === undefined)
      throw new SchemaError('schema_ref_not_found', `There is no anchor ${fragment}.`, reference)
    return { target: { node }, dynamicName: resource.dynamicAnchors.has(fragment) ? fragment : null }
  }

  /** The members of an object that references lead through, read once. */
  private membersOf(node: number): ReadonlyMap<string, number> {
    const members = this.members.get(node) ?? membersAt(this.nodes, node)
    this.members.set(node, members)
    return members
  }

  private itemsOf(node: number): readonly number[] {
    const items = this.items.get(node) ?? [...childrenAt(this.nodes, node)]
    this.items.set(node, items)
    return items
  }

  private atPointer(resource: Resource, pointer: string, reference: number): number {
    const { nodes } = this
    let [node, own]: [number, Resource] = [resource.node, resource]
    for (const step of stepsOf(pointer) ?? []) {
      const type = typeAt(nodes, node)
      const child =
        type === 'object'
          ? this.membersOf(node).get(step)
          : type === 'array' && /^(0|[1-9]\d{0,14})$/.test(step)
            ? this.itemsOf(node)[Number(step)]
            : undefined
      if (child === undefined)
        throw new SchemaError('schema_ref_not_found', `There is nothing at ${pointer}.`, reference)
      node = child
      own = this.bySchema.get(node) ?? own
    }
    // A value of a keyword that is not known may be a schema, too.
    if (!this.bySchema.has(node)) this.addSchema(node, own)
    return node
  }

  private addResource(node: number, uri: string): Resource {
    if (this.byUri.has(uri))
      throw new SchemaError('schema_invalid', `Two schemas have the address ${uri}.`, node)
    const resource = {
      node,
      uri,
      anchors: new Map(),
      dynamicAnchors: new Map(),
      vocabularies: allVocabularies,
    }
    this.byUri.set(uri, resource)
    return resource
  }

  /** Checks a schema, and indexes it and those within. */
  private addSchema(node: number, around: Resource): void {
    const problem = findSchemaProblem(this.nodes, node)
    if (problem !== null) throw new SchemaError('schema_invalid', problem.message, problem.node)
    this.index(node, around)
  }

  private index(node: number, around: Resource): void {
    const { nodes } = this
    if (this.bySchema.has(node)) return
    if (typeAt(nodes, node) !== 'object') {
      this.bySchema.set(node, around)
      return
    }
    const members = membersAt(nodes, node)
    const own = this.ownResource(node, members.get('$id'), around)
    this.bySchema.set(node, own)
    const anchors = ['$anchor', '$dynamicAnchor'].map((keyword) => members.get(keyword))
    for (const [at, anchor] of anchors.entries()) {
      if (anchor === undefined) continue
      const name = stringAt(nodes, anchor)
      if ((own.anchors.get(name) ?? node) !== node)
        throw new SchemaError('schema_invalid', `Two schemas have the anchor ${name}.`, anchor)
      own.anchors.set(name, node)
      if (at === 1) own.dynamicAnchors.set(name, node)
    }
    for (const [keyword, value] of members) this.indexWithin(keyword, value, own)
  }

  private ownResource(node: number, id: number | undefined, around: Resource): Resource {
    if (id === undefined) return around
    const url = resolved(this.nodes, id, around.uri)
    if (url.hash !== '')
      throw new SchemaError('schema_invalid', 'An $id has no fragment; $anchor names a part.', id)
    const uri = withoutFragment(url)
    return uri === around.uri && around.node === node ? around : this.addResource(node, uri)
  }

  private indexWithin(keyword: string, value: number, own: Resource): void {
    const kind = kindOf(keyword)
    if (kind === 'schema') this.index(value, own)
    else if (kind === 'schemas' || kind === 'schema-map')
      for (const child of childrenAt(this.nodes, value)) this.index(child, own)
  }

  /** What the schema of a schema says about its keywords. */
  private vocabulariesOf({ node, uri }: Resource): ReadonlySet<Vocabulary> {
    const { nodes } = this
    const named = typeAt(nodes, node) === 'object' ? membersAt(nodes, node).get('$schema') : undefined
    if (named === undefined) return allVocabularies
    const wanted = withoutFragment(resolved(nodes, named, uri))
    if (wanted === metaschemaUri) return allVocabularies
    const metaschema = this.byUri.get(wanted)
    if (metaschema === undefined)
      throw new SchemaError(
        'schema_unsupported',
        `Schemas are read by draft 2020-12 of JSON Schema, and this one is of another: ${wanted}. Rewrite it, or leave out $schema if it means the same in both.`,
        named,
      )
    const listed = membersAt(nodes, metaschema.node).get('$vocabulary')
    if (listed === undefined || typeAt(nodes, listed) !== 'object') return allVocabularies
    const found = new Set<Vocabulary>(['core'])
    for (const member of childrenAt(nodes, listed)) {
      const vocabulary = vocabularyUris.get(keyAt(nodes, member))
      if (vocabulary !== undefined) found.add(vocabulary)
      else if (valueText(nodes, member) === 'true')
        throw new SchemaError('schema_unsupported', 'This vocabulary is not known.', member)
    }
    return found
  }
}
