import { openBrace } from '../../json-bytes/json-bytes.js'
import type { IntMap } from '../int-map.js'
import { createTupleIds, keyNames } from '../key-names.js'
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
   * By the members that the caller has named: all items are objects that have them, with different strings or numbers
   * in each item of an array.
   */
  byWanted(items: ArrayItems, newItems: ArrayItems): ItemIdentities | NoIdentity
  /** By the first of the likely members that does; `null` where none does. */
  byLikely(items: ArrayItems, newItems: ArrayItems): ItemIdentities | null
  /** The likely members that have identified items. */
  guessed(): readonly string[]
}

type Values = { readonly values: Uint32Array } | { readonly repeated: readonly [number, number] } | null

/** A finder; `seen` is for its use. */
export function createItemKeys(nodes: JsonNodes, wanted: string | undefined, seen: IntMap): ItemKeys {
  const wantedNames = wanted === undefined ? [] : keyNames(wanted)
  const wantedNumbers = keyNumbers(nodes, wantedNames)
  const isKnown = wantedNumbers.length > 0 && wantedNumbers.length === wantedNames.length
  const likely = likelyKeys.flatMap((name) => keyNumbers(nodes, [name]).map((number) => ({ name, number })))
  const numberOf = createTupleIds()
  const guessed = new Set<string>()

  /** The number of what an item has of these members; `null` if it is no such object. */
  function idOf(item: number, members: readonly number[]): number | null {
    if (firstByte(nodes, item) !== openBrace || nodes.repeating.has(item)) return null
    const values = members.map((member) => memberOf(nodes, item, member))
    if (values.some((value) => value === 0 || !isScalar(nodes, value))) return null
    return numberOf(values.map((value) => nodes.ids[value] ?? 0))
  }

  function valuesOf(items: ArrayItems, members: readonly number[]): Values {
    seen.clear()
    const values = new Uint32Array(items.length)
    for (let at = 0; at < items.length; at += 1) {
      const id = idOf(itemAt(items, at), members)
      if (id === null) return null
      const earlier = seen.get(id)
      if (earlier >= 0) return { repeated: [earlier, at] }
      seen.set(id, at)
      values[at] = id
    }
    return { values }
  }

  function identities(
    items: ArrayItems,
    newItems: ArrayItems,
    members: readonly number[],
  ): ItemIdentities | NoIdentity {
    const found = valuesOf(items, members)
    const newFound = found !== null && 'values' in found ? valuesOf(newItems, members) : null
    if (found === null) return { why: 'missing' }
    if ('repeated' in found) return { why: 'repeated', inSecond: false, places: found.repeated }
    if (newFound === null) return { why: 'missing' }
    if ('repeated' in newFound) return { why: 'repeated', inSecond: true, places: newFound.repeated }
    return { keys: found.values, newKeys: newFound.values }
  }

  return {
    byWanted(items, newItems) {
      // No object has the key; empty arrays need none.
      const isEmpty = items.length + newItems.length === 0
      return isKnown || isEmpty ? identities(items, newItems, wantedNumbers) : { why: 'missing' }
    },
    byLikely(items, newItems) {
      for (const { name, number } of likely) {
        const found = identities(items, newItems, [number])
        if (!('keys' in found)) continue
        if (items.length + newItems.length > 0) guessed.add(name)
        return found
      }
      return null
    },
    guessed: () => [...guessed],
  }
}
