import { type JsonNodes, keyNumbers, keyText, memberOf, nodeAfter } from '../compare/json/json-nodes.js'
import { type GroupChecks, unevaluatedCheck } from './array-checks.js'
import type { Check, CompiledSchema, Evaluation, SchemaSource } from './evaluation.js'
import { isMatch, patternAt } from './pattern-at.js'
import { childrenAt, stringAt, typeAt } from './value-nodes.js'

/** The schemas that patterns give to keys, each key looked at once. */
function byPattern({
  nodes,
  members,
  room,
  schemaAt,
}: SchemaSource): (evaluation: Evaluation, key: number) => readonly CompiledSchema[] {
  const at = members.get('patternProperties')
  if (at === undefined) return () => noSchemas
  const patterns = [...childrenAt(nodes, at)].map((member) => ({
    pattern: patternAt(nodes, member, room, true),
    member,
    schema: schemaAt(member),
  }))
  const known = new Map<number, readonly CompiledSchema[]>()
  return (evaluation, key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const text = keyText(nodes, key)
    const schemas = patterns
      .filter(({ pattern, member }) => isMatch(evaluation, pattern, text, member))
      .map(({ schema }) => schema)
    known.set(key, schemas)
    return schemas
  }
}

const noSchemas: readonly CompiledSchema[] = []

/** `properties`, `patternProperties` and `additionalProperties` in one pass. */
function membersCheck(source: SchemaSource): readonly Check[] {
  const { nodes, members, schemaAt } = source
  const [namedAt, patternsAt, restAt] = ['properties', 'patternProperties', 'additionalProperties'].map(
    (keyword) => members.get(keyword),
  )
  if (namedAt === undefined && patternsAt === undefined && restAt === undefined) return []
  const named = new Map<number, CompiledSchema>()
  if (namedAt !== undefined)
    for (const member of childrenAt(nodes, namedAt)) named.set(nodes.keys[member] ?? 0, schemaAt(member))
  const patternsOf = patternsAt === undefined ? () => noSchemas : byPattern(source)
  const rest = restAt === undefined ? null : schemaAt(restAt)
  const keyword = namedAt ?? patternsAt ?? restAt ?? 0
  return [
    (evaluation, value) => {
      if (typeAt(nodes, value) !== 'object') return true
      let [isAccepted, count] = [true, 0]
      const end = nodeAfter(nodes, value)
      for (let child = value + 1; child < end; child = nodeAfter(nodes, child)) {
        count += 1
        const key = nodes.keys[child] ?? 0
        const own = named.get(key)
        const others = patternsOf(evaluation, key)
        if (own === undefined && others.length === 0 && rest === null) continue
        evaluation.mark(child)
        if (own !== undefined) isAccepted = evaluation.acceptsChild(own, child) && isAccepted
        for (const schema of others) isAccepted = evaluation.acceptsChild(schema, child) && isAccepted
        if (own === undefined && others.length === 0 && rest !== null)
          isAccepted = evaluation.acceptsChild(rest, child) && isAccepted
      }
      evaluation.spend(count, keyword)
      return isAccepted
    },
  ]
}

/** Names with the numbers of their keys; `null` for those that no object has. */
function namesAt(nodes: JsonNodes, list: number): readonly (readonly [string, number | null])[] {
  return [...childrenAt(nodes, list)].map((item) => {
    const name = stringAt(nodes, item)
    return [name, keyNumbers(nodes, [name])[0] ?? null]
  })
}

/** So many names are looked for one by one. */
const fewNames = 8

function requiredChecks({ nodes, members }: SchemaSource): readonly Check[] {
  const checks: Check[] = []
  const checkOf =
    (keyword: number, names: ReturnType<typeof namesAt>, ifKey: number | null): Check =>
    (evaluation, value) => {
      if (typeAt(nodes, value) !== 'object') return true
      const keys = names.length > fewNames ? evaluation.keysOf(value, keyword) : null
      // To look for one, members are passed over.
      evaluation.spend(names.length + (keys === null ? (nodeAfter(nodes, value) - value) >> 3 : 0), keyword)
      const has = (key: number): boolean => keys?.has(key) ?? memberOf(nodes, value, key) !== 0
      if (ifKey !== null && !has(ifKey)) return true
      let isAccepted = true
      for (const [name, key] of names)
        if (key === null || !has(key))
          isAccepted = evaluation.report(value, keyword, `The member ${JSON.stringify(name)} is missing.`)
      return isAccepted
    }
  const required = members.get('required')
  if (required !== undefined) checks.push(checkOf(required, namesAt(nodes, required), null))
  const dependent = members.get('dependentRequired')
  if (dependent !== undefined)
    for (const member of childrenAt(nodes, dependent))
      checks.push(checkOf(member, namesAt(nodes, member), nodes.keys[member] ?? 0))
  return checks
}

function dependentSchemaChecks({ nodes, members, schemaAt }: SchemaSource): readonly Check[] {
  const at = members.get('dependentSchemas')
  if (at === undefined) return []
  return [...childrenAt(nodes, at)].map((member) => {
    const [key, schema] = [nodes.keys[member] ?? 0, schemaAt(member)]
    return (evaluation, value) =>
      typeAt(nodes, value) !== 'object' ||
      !evaluation.keysOf(value, member).has(key) ||
      evaluation.accepts(schema, value)
  })
}

/** Keys are values of their own, behind the schema. */
function nameChecks({ nodes, members, schemaAt, keyNode }: SchemaSource): readonly Check[] {
  const at = members.get('propertyNames')
  if (at === undefined) return []
  const schema = schemaAt(at)
  return [
    (evaluation, value) => {
      if (typeAt(nodes, value) !== 'object') return true
      let isAccepted = true
      for (const child of childrenAt(nodes, value))
        if (!evaluation.fits(schema, keyNode(nodes.keys[child] ?? 0), true))
          isAccepted = evaluation.report(child, at, 'The schema of propertyNames does not accept this key.')
      return isAccepted
    },
  ]
}

/** The keywords for objects. */
export function objectChecks(source: SchemaSource): GroupChecks {
  const at = source.members.get('unevaluatedProperties')
  return {
    checks: [
      ...requiredChecks(source),
      ...membersCheck(source),
      ...nameChecks(source),
      ...dependentSchemaChecks(source),
    ],
    unevaluated: unevaluatedCheck(source, 'object', at === undefined ? null : source.schemaAt(at)),
  }
}
