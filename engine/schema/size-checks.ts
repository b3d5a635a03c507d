import { endOf, type JsonNodes, nodeAfter } from '../compare/json/json-nodes.js'
import type { Check, SchemaSource } from './evaluation.js'
import { keysOf } from './object-checks.js'
import { childrenAt, countAt, stringAt, typeAt } from './value-nodes.js'

/** Characters are code points. */
function characters(nodes: JsonNodes, value: number): number {
  let count = 0
  for (const _character of stringAt(nodes, value)) count += 1
  return count
}

function bytesAt(nodes: JsonNodes, value: number): number {
  return endOf(nodes, value) - (nodes.starts[value] ?? 0) - 2
}

function items(nodes: JsonNodes, value: number): number {
  if (nodeAfter(nodes, value) === value + 1) return 0
  let count = 0
  for (const _item of childrenAt(nodes, value)) count += 1
  return count
}

const sizes = [
  ['Length', 'string', 'characters', characters],
  ['Items', 'array', 'items', items],
  ['Properties', 'object', 'members', (nodes: JsonNodes, value: number) => keysOf(nodes, value).size],
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
          const size = sizeOf(nodes, value)
          const holds = bound === 'max' ? size <= limit : size >= limit
          return (
            holds || evaluation.report(value, at, `The ${type} has ${size} ${units}, not ${what} ${limit}.`)
          )
        },
      ]
    }),
  )
}
