import { openBrace } from '../../json-bytes/json-bytes.js'
import type { IntMap } from '../int-map.js'
import { firstByte, isScalar, type JsonNodes, keyNumbers, memberOf } from './json-nodes.js'

/** Names that usually identify the items of an array and the rows of a table, the likeliest first. */
export const likelyKeys: readonly string[] = ['id', '_id', 'key', 'name']

/** Finds by what the items of two arrays are identified. */
export interface ItemKeys {
  /**
   * For each item of both arrays the number of the value that identifies it: all are objects that have the same member,
   * with a different string or number in each item of an array. `null` where there is no such member.
   */
  of(items: Uint32Array, newItems: Uint32Array): readonly [Uint32Array, Uint32Array] | null
}

/** A finder that looks at this member first, then at the likely ones; `seen` is for its use. */
export function createItemKeys(nodes: JsonNodes, key: string | undefined, seen: IntMap): ItemKeys {
  const wanted = key === undefined ? likelyKeys : [key, ...likelyKeys]
  const numbers = keyNumbers(nodes, wanted)

  function valuesOf(items: Uint32Array, member: number): Uint32Array | null {
    seen.clear()
    const values = new Uint32Array(items.length)
    for (let at = 0; at < items.length; at += 1) {
      const item = items[at] ?? 0
      if (firstByte(nodes, item) !== openBrace || nodes.repeating.has(item)) return null
      const value = memberOf(nodes, item, member)
      if (value === 0 || !isScalar(nodes, value)) return null
      const id = nodes.ids[value] ?? 0
      if (seen.get(id) >= 0) return null
      seen.set(id, 0)
      values[at] = id
    }
    return values
  }

  return {
    of(items, newItems) {
      for (const number of numbers) {
        const values = valuesOf(items, number)
        const newValues = values === null ? null : valuesOf(newItems, number)
        if (values !== null && newValues !== null) return [values, newValues]
      }
      return null
    },
  }
}
