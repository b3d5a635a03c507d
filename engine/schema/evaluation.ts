import { type JsonNodes, nodeAfter } from '../compare/json/json-nodes.js'
import type { PatternRoom } from '../tools/json/path/simulate-pattern.js'
import type { Resource } from './resources.js'
import { SchemaError } from './schema-error.js'

/** Whether a value satisfies a keyword; it reports if not. */
export type Check = (evaluation: Evaluation, value: number) => boolean

/** A schema that is ready to be evaluated. */
export interface CompiledSchema {
  /** Where it is. */
  readonly node: number
  readonly resource: Resource
  /** Decided, whatever the value, for `true` and `false`. */
  readonly verdict: boolean | null
  /** Those of `unevaluatedItems` and `unevaluatedProperties` come last. */
  readonly checks: readonly Check[]
  /** Whether it asks what others have evaluated. */
  readonly asksEvaluated: boolean
}

/** What the keywords of a schema are compiled with. */
export interface SchemaSource {
  readonly nodes: JsonNodes
  /** The values of its keywords, of the vocabularies that count. */
  readonly members: ReadonlyMap<string, number>
  /** What all its patterns share. */
  readonly room: PatternRoom
  /** A schema within this one. */
  schemaAt(node: number): CompiledSchema
  /** The string that a key is, as a value. */
  keyNode(key: number): number
}

/** A value that breaks a keyword, both by their nodes. */
export interface SchemaBreak {
  readonly node: number
  readonly keyword: number
  readonly message: string
}

/** Schemas within schemas for one value, and values within values. */
const depthMax = 2_000
/** What an evaluation may do, at least, and more for each value. */
export const stepsAtLeast = 20_000_000
const stepsPerValue = 50

/** Of the names of breaks that are counted and not kept, so that long ones do not fill the memory. */
const nameUnitsMax = 16_000_000

/** Too many schemas within schemas. */
export function endless(node: number): SchemaError {
  return new SchemaError(
    'schema_endless',
    'The schema refers to itself without an end, or is nested too deep for this value.',
    node,
  )
}

/** One evaluation of a value by a schema. */
export class Evaluation {
  readonly nodes: JsonNodes
  readonly breaks: SchemaBreak[] = []
  /** How many there are, those that are not kept, too. */
  breakCount = 0
  /** Children that were evaluated while someone asks; for all of a container, a negative number. */
  readonly evaluated: number[] = []
  private readonly breaksMax: number
  private readonly countMax: number
  private readonly known = new Set<string>()
  private nameUnitsLeft = nameUnitsMax
  private readonly scope: Resource[] = []
  private isAsked = false
  /** Where in `evaluated` begins what the schema that is being evaluated, and those within it, have added. */
  private ownFirst = 0
  private quiet = 0
  private depth = 0
  private stepsLeft: number
  /** The keys of the object that was asked about last: several keywords in a row ask. */
  private lastKeys: { readonly object: number; readonly keys: ReadonlySet<number> } | null = null

  constructor(nodes: JsonNodes, stepsMin: number, breaksMax: number, countMax: number) {
    this.nodes = nodes
    this.breaksMax = breaksMax
    this.countMax = countMax
    this.stepsLeft = stepsMin + stepsPerValue * nodes.secondNode
  }

  /** Whether the schema accepts the value. */
  accepts(schema: CompiledSchema, value: number): boolean {
    this.spend(1 + schema.checks.length, schema.node)
    if (schema.verdict !== null)
      return schema.verdict || this.report(value, schema.node, 'The schema allows nothing here.')
    if (this.depth === depthMax) throw endless(schema.node)
    const { scope, evaluated } = this
    const [mark, wasAsked, outerFirst] = [evaluated.length, this.isAsked, this.ownFirst]
    this.ownFirst = mark
    const isOther = scope[scope.length - 1] !== schema.resource
    if (isOther) scope.push(schema.resource)
    this.depth += 1
    if (schema.asksEvaluated) this.isAsked = true
    let isAccepted = true
    for (const check of schema.checks)
      if (!check(this, value)) {
        isAccepted = false
        if (this.quiet > 0 || this.isCounted) break
      }
    this.depth -= 1
    this.ownFirst = outerFirst
    if (isOther) scope.pop()
    this.isAsked = wasAsked
    // What refuses a value has evaluated nothing; while that is reported, its children are not reported once more.
    if ((!isAccepted && this.quiet > 0) || !wasAsked) evaluated.length = mark
    return isAccepted
  }

  /** The same for a value within the one that is evaluated: what is asked about that one is not about this. */
  acceptsChild(schema: CompiledSchema, child: number): boolean {
    const wasAsked = this.isAsked
    this.isAsked = false
    const isAccepted = this.accepts(schema, child)
    this.isAsked = wasAsked
    return isAccepted
  }

  /** The same without a report. */
  fits(schema: CompiledSchema, value: number, isChild = false): boolean {
    this.quiet += 1
    const isAccepted = isChild ? this.acceptsChild(schema, value) : this.accepts(schema, value)
    this.quiet -= 1
    return isAccepted
  }

  /** Whether every schema has to be tried, because someone asks what each has evaluated. */
  get isComplete(): boolean {
    return this.isAsked
  }

  /** Notes that a keyword has evaluated a child. */
  mark(child: number): void {
    if (this.isAsked) this.evaluated.push(child)
  }

  /** Notes that a keyword has evaluated all children of a container. */
  markAll(container: number): void {
    this.mark(-1 - container)
  }

  /** The children of a container that nothing has evaluated yet. */
  unevaluated(container: number, keyword: number): (child: number) => boolean {
    const known = new Set(this.evaluated.slice(this.ownFirst))
    this.spend(this.evaluated.length - this.ownFirst, keyword)
    return known.has(-1 - container) ? () => false : (child) => !known.has(child)
  }

  /** The keys that an object has, each once. */
  keysOf(object: number, keyword: number): ReadonlySet<number> {
    if (this.lastKeys?.object === object) return this.lastKeys.keys
    const { nodes } = this
    const keys = new Set<number>()
    const end = nodeAfter(nodes, object)
    let count = 0
    for (let child = object + 1; child < end; child = nodeAfter(nodes, child)) {
      keys.add(nodes.keys[child] ?? 0)
      count += 1
    }
    this.spend(count, keyword)
    this.lastKeys = { object, keys }
    return keys
  }

  /** The outermost schema that is being evaluated and has this dynamic anchor. */
  dynamicTarget(name: string): number | null {
    for (const { dynamicAnchors } of this.scope) {
      const node = dynamicAnchors.get(name)
      if (node !== undefined) return node
    }
    return null
  }

  /** Whether breaks are no longer counted. */
  private get isCounted(): boolean {
    if (this.breakCount <= this.breaksMax) return false
    return this.breakCount === this.countMax || this.nameUnitsLeft < 0
  }

  /** Reports a break, and is false. */
  report(node: number, keyword: number, message: string): false {
    if (this.quiet > 0) return false
    const name = `${node} ${keyword} ${message}`
    if (this.isCounted || this.known.has(name)) return false
    this.nameUnitsLeft -= name.length
    this.known.add(name)
    this.breakCount += 1
    if (this.breaks.length < this.breaksMax) this.breaks.push({ node, keyword, message })
    return false
  }

  /** @throws SchemaError `schema_too_costly` once an evaluation has taken more steps than documents need. */
  spend(steps: number, node: number): void {
    this.stepsLeft -= steps
    if (this.stepsLeft < 0)
      throw new SchemaError(
        'schema_too_costly',
        'The schema takes too many steps for this document: its schemas refer to one another too often.',
        node,
      )
  }
}
