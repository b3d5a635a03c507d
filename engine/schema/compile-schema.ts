import type { JsonNodes } from '../compare/json/json-nodes.js'
import { createPatternRoom } from '../tools/json/path/simulate-pattern.js'
import { arrayChecks } from './array-checks.js'
import type { Check, CompiledSchema, SchemaSource } from './evaluation.js'
import { findSchemaProblem } from './find-schema-problem.js'
import { type Vocabulary, vocabularyOf } from './keywords.js'
import { logicChecks } from './logic-checks.js'
import { objectChecks } from './object-checks.js'
import { type Resource, Resources } from './resources.js'
import { scalarChecks } from './scalar-checks.js'
import type { SchemaDocuments } from './schema-documents.js'
import { sizeChecks } from './size-checks.js'
import { childrenAt, isTrue, keyAt, typeAt } from './value-nodes.js'

/** Compiles schemas, each once and when it is needed. */
export class SchemaCompiler {
  private readonly nodes: JsonNodes
  private readonly resources: Resources
  private readonly firstKeyNode: number
  private readonly compiled = new Map<number, CompiledSchema>()
  private readonly room = createPatternRoom()

  constructor({ nodes, schema, firstKeyNode }: SchemaDocuments) {
    this.nodes = nodes
    this.firstKeyNode = firstKeyNode
    this.resources = new Resources(nodes, schema)
  }

  /**
   * Compiles every schema of the document, also those that no value will reach.
   * @throws SchemaError for the first that cannot be.
   */
  compileAll(): void {
    for (const node of this.resources.schemas()) void this.at(node).checks
  }

  /** The schema at this node. */
  at(node: number): CompiledSchema {
    const known = this.compiled.get(node)
    if (known !== undefined) return known
    const { nodes } = this
    const resource = this.resources.of(node)
    const isObject = typeAt(nodes, node) === 'object'
    const members = new Map(isObject ? this.membersOf(node, resource) : [])
    let checks: readonly Check[] | null = null
    const compileChecks = (): readonly Check[] => this.checksOf(members, resource)
    const schema: CompiledSchema = {
      node,
      resource,
      verdict: isObject ? null : isTrue(nodes, node),
      asksEvaluated: members.has('unevaluatedItems') || members.has('unevaluatedProperties'),
      get checks() {
        checks ??= compileChecks()
        return checks
      },
    }
    this.compiled.set(node, schema)
    return schema
  }

  private *membersOf(node: number, resource: Resource): Generator<readonly [string, number]> {
    for (const member of childrenAt(this.nodes, node)) {
      const keyword = keyAt(this.nodes, member)
      const vocabulary = vocabularyOf(keyword)
      if (vocabulary !== undefined && resource.vocabularies.has(vocabulary)) yield [keyword, member]
    }
  }

  private checksOf(members: ReadonlyMap<string, number>, resource: Resource): readonly Check[] {
    const source: SchemaSource = {
      nodes: this.nodes,
      members,
      room: this.room,
      schemaAt: (node) => this.at(node),
      keyNode: (key) => this.firstKeyNode + key - 1,
    }
    const object = objectChecks(source)
    const array = arrayChecks(source)
    return [
      ...scalarChecks(source),
      ...sizeChecks(source),
      ...this.referenceChecks(members, resource),
      ...logicChecks(source),
      ...object.checks,
      ...array.checks,
      ...array.unevaluated,
      ...object.unevaluated,
    ]
  }

  private referenceChecks(members: ReadonlyMap<string, number>, resource: Resource): readonly Check[] {
    return ['$ref', '$dynamicRef'].flatMap((keyword): readonly Check[] => {
      const reference = members.get(keyword)
      if (reference === undefined) return []
      const { target, dynamicName } = this.resources.resolve(reference, resource)
      if ('metaschema' in target) return [isSchemaCheck(reference, target.metaschema)]
      const { node } = target
      if (keyword === '$ref' || dynamicName === null)
        return [(evaluation, value) => evaluation.accepts(this.at(node), value)]
      return [
        (evaluation, value) => {
          const outermost = evaluation.dynamicTarget(dynamicName) ?? node
          return evaluation.accepts(this.at(outermost), value)
        },
      ]
    })
  }
}

/** Whether a value is a schema itself. */
function isSchemaCheck(reference: number, vocabulary: Vocabulary | null): Check {
  return (evaluation, value) => {
    const problem = findSchemaProblem(evaluation.nodes, value, vocabulary)
    return problem === null || evaluation.report(problem.node, reference, problem.message)
  }
}
