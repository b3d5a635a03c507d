import { endOf, type JsonNodes, nodeAfter } from '../compare/json/json-nodes.js'
import type { Check, Evaluation, SchemaSource } from './evaluation.js'
import { childrenAt, countAt, stringAt, typeAt } from './value-nodes.js'

/** Characters are code points. */
function characters(evaluation: Evaluation, value: number, keyword: number): number {
  const { nodes } = evaluation
  evaluation.spend(bytesAt(nodes, value) / 8, keyword)
  let count = 0
  for (const _character of stringAt(nodes, value)) count += 1
  return count
}

function bytesAt(nodes: JsonNodes, value: number): number {
  return endOf(nodes, value) - (nodes.starts[value] ?? 0) - 2
}

function items(evaluation: Evaluation, value: number, keyword: number): number {
  const { nodes } = evaluation
  if (nodeAfter(nodes, value) === value + 1) return 0
  let count = 0
  for (const _item of childrenAt(nodes, value)) count += 1
  evaluation.spend(count, keyword)
  return count
}

function memberCount(evaluation: Evaluation, value: number, keyword: number): number {
  return evaluation.keysOf(value, keyword).size
}

const sizes = [
  ['Length', 'string', 'characters', characters],
  ['Items', 'array', 'items', items],
  ['Properties', 'object', 'members', memberCount],
] as const

/** The keywords for lengths and counts. */
export function sizeChecks({ nodes, members }: SchemaSource): readonly Check[] {
  return sizes.flatMap(([suffix, type, units, sizeOf]) =>
    (['max', 'min'] as const).flatMap((bound): readonly Check[] => {
      const at = members.get(`${bound}${suffix}`)
      if (at === undefined) return []
      const limit = countAt(nodes, at) ?? 0
      const what = bound === 'max' ? 'at most' : 'at least'
      return [
        (evaluation, value) => {
          if (typeAt(nodes, value) !== type) return true
          // No string has more characters than bytes.
          if (type === 'string' && bound === 'max' && bytesAt(nodes, value) <= limit) return true
          const size = sizeOf(evaluation, value, at)
          const holds = bound === 'max' ? size <= limit : size >= limit
          return (
            holds || evaluation.report(value, at, `The ${type} has ${size} ${units}, not ${what} ${limit}.`)
          )
        },
      ]
    }),
  )
}
