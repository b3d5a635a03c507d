import { openBrace } from '../../json-bytes/json-bytes.js'
import type { IntMap } from '../int-map.js'
import {
  type ArrayItems,
  firstByte,
  isScalar,
  itemAt,
  type JsonNodes,
  keyNumbers,
  memberOf,
} from './json-nodes.js'

/** Names that usually identify the items of an array and the rows of a table, the likeliest first. */
export const likelyKeys: readonly string[] = ['id', '_id', 'key', 'name']

/** For each item of both arrays the number of the value that identifies it. */
export interface ItemIdentities {
  readonly keys: Uint32Array
  readonly newKeys: Uint32Array
}

/** Why a member does not identify the items of an array: some lack it, or two have the same value. */
export type NoIdentity =
  | { readonly why: 'missing' }
  | {
      readonly why: 'repeated'
      readonly inSecond: boolean
      readonly places: readonly [earlier: number, later: number]
    }

/** Finds by what the items of two arrays are identified. */
export interface ItemKeys {
  /**
   * By the member that the caller has named: all items are objects that have it, with a different string or number in
   * each item of an array.
   */
  byWanted(items: ArrayItems, newItems: ArrayItems): ItemIdentities | NoIdentity
  /** By the first of the likely members that does; `null` where none does. */
  byLikely(items: ArrayItems, newItems: ArrayItems): ItemIdentities | null
}

type Values = { readonly values: Uint32Array } | { readonly repeated: readonly [number, number] } | null

/** A finder; `seen` is for its use. */
export function createItemKeys(nodes: JsonNodes, wanted: string | undefined, seen: IntMap): ItemKeys {
  const [wantedNumber] = wanted === undefined ? [] : keyNumbers(nodes, [wanted])
  const likelyNumbers = keyNumbers(nodes, likelyKeys)

  function valuesOf(items: ArrayItems, member: number): Values {
    seen.clear()
    const values = new Uint32Array(items.length)
    for (let at = 0; at < items.length; at += 1) {
      const item = itemAt(items, at)
      if (firstByte(nodes, item) !== openBrace || nodes.repeating.has(item)) return null
      const value = memberOf(nodes, item, member)
      if (value === 0 || !isScalar(nodes, value)) return null
      const id = nodes.ids[value] ?? 0
      const earlier = seen.get(id)
      if (earlier >= 0) return { repeated: [earlier, at] }
      seen.set(id, at)
      values[at] = id
    }
    return { values }
  }

  function identities(items: ArrayItems, newItems: ArrayItems, member: number): ItemIdentities | NoIdentity {
    const found = valuesOf(items, member)
    const newFound = found !== null && 'values' in found ? valuesOf(newItems, member) : null
    if (found === null) return { why: 'missing' }
    if ('repeated' in found) return { why: 'repeated', inSecond: false, places: found.repeated }
    if (newFound === null) return { why: 'missing' }
    if ('repeated' in newFound) return { why: 'repeated', inSecond: true, places: newFound.repeated }
    return { keys: found.values, newKeys: newFound.values }
  }

  return {
    byWanted(items, newItems) {
      // No object has the key; empty arrays need none.
      const member = items.length + newItems.length === 0 ? 0 : wantedNumber
      return member === undefined ? { why: 'missing' } : identities(items, newItems, member)
    },
    byLikely(items, newItems) {
      for (const number of likelyNumbers) {
        const found = identities(items, newItems, number)
        if ('keys' in found) return found
      }
      return null
    },
  }
}
