import { nodeAfter } from '../compare/json/json-nodes.js'
import type { Check, CompiledSchema, SchemaSource } from './evaluation.js'
import { childrenAt, countAt, isTrue, typeAt } from './value-nodes.js'

/** The checks of a keyword group, and apart those that need to know what others have evaluated. */
export interface GroupChecks {
  readonly checks: readonly Check[]
  readonly unevaluated: readonly Check[]
}

function itemsCheck({ nodes, members, schemaAt }: SchemaSource): readonly Check[] {
  const [prefixAt, restAt] = [members.get('prefixItems'), members.get('items')]
  if (prefixAt === undefined && restAt === undefined) return []
  const prefix = prefixAt === undefined ? [] : [...childrenAt(nodes, prefixAt)].map(schemaAt)
  const rest = restAt === undefined ? null : schemaAt(restAt)
  return [
    (evaluation, value) => {
      if (typeAt(nodes, value) !== 'array') return true
      let [isAccepted, at] = [true, 0]
      const end = nodeAfter(nodes, value)
      for (let item = value + 1; item < end; item = nodeAfter(nodes, item)) {
        const schema = prefix[at] ?? rest
        at += 1
        if (schema === null) break
        if (rest === null) evaluation.mark(item)
        isAccepted = evaluation.acceptsChild(schema, item) && isAccepted
      }
      if (rest !== null) evaluation.markAll(value)
      return isAccepted
    },
  ]
}

function containsCheck({ nodes, members, schemaAt }: SchemaSource): readonly Check[] {
  const at = members.get('contains')
  if (at === undefined) return []
  const schema = schemaAt(at)
  const limit = (keyword: string, fallback: number): number => {
    const found = members.get(keyword)
    return found === undefined ? fallback : (countAt(nodes, found) ?? fallback)
  }
  const [min, max] = [limit('minContains', 1), limit('maxContains', Number.POSITIVE_INFINITY)]
  return [
    (evaluation, value) => {
      if (typeAt(nodes, value) !== 'array') return true
      let count = 0
      for (const item of childrenAt(nodes, value)) {
        if (!evaluation.fits(schema, item, true)) continue
        count += 1
        evaluation.mark(item)
      }
      if (count >= min && count <= max) return true
      const wanted = count < min ? `at least ${min}` : `at most ${max}`
      return evaluation.report(value, at, `The schema of contains accepts ${count} items, not ${wanted}.`)
    },
  ]
}

function uniqueCheck({ nodes, members }: SchemaSource): readonly Check[] {
  const at = members.get('uniqueItems')
  if (at === undefined || !isTrue(nodes, at)) return []
  return [
    (evaluation, value) => {
      if (typeAt(nodes, value) !== 'array') return true
      const known = new Set<number>()
      for (const item of childrenAt(nodes, value)) {
        const id = nodes.ids[item] ?? 0
        if (known.has(id)) {
          evaluation.spend(known.size, at)
          return evaluation.report(item, at, 'The array has this item already.')
        }
        known.add(id)
      }
      evaluation.spend(known.size, at)
      return true
    },
  ]
}

/** What a schema says about the children that no other has evaluated. */
export function unevaluatedCheck(
  { nodes }: SchemaSource,
  type: 'array' | 'object',
  schema: CompiledSchema | null,
): readonly Check[] {
  if (schema === null) return []
  return [
    (evaluation, value) => {
      if (typeAt(nodes, value) !== type) return true
      const isOpen = evaluation.unevaluated(value, schema.node)
      let [isAccepted, count] = [true, 0]
      for (const child of childrenAt(nodes, value)) {
        count += 1
        if (isOpen(child)) isAccepted = evaluation.acceptsChild(schema, child) && isAccepted
      }
      evaluation.spend(count, schema.node)
      evaluation.markAll(value)
      return isAccepted
    },
  ]
}

/** The keywords for arrays. */
export function arrayChecks(source: SchemaSource): GroupChecks {
  const at = source.members.get('unevaluatedItems')
  return {
    checks: [...uniqueCheck(source), ...itemsCheck(source), ...containsCheck(source)],
    unevaluated: unevaluatedCheck(source, 'array', at === undefined ? null : source.schemaAt(at)),
  }
}
