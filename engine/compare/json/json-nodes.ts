import {
  backslash,
  quote,
  stringBetween,
  stringEnd,
  textBetween,
  valueEnd,
} from '../../json-bytes/json-bytes.js'
import { pointerTo } from '../../json-pointer.js'
import type { HashSeed } from '../byte-hash.js'
import type { IdTable } from '../id-table.js'
import { hashOfString, sameScalar } from './canonical-scalar.js'
import type { JsonEdits } from './json-edits.js'

/** The JSON Pointers of edits. */
interface JsonPointers {
  /** That of a path, in the first or the second document. */
  of(path: number, inSecond: boolean): string
}

/** Writes pointers; each key is decoded once. */
export function jsonPointers(nodes: JsonNodes, edits: JsonEdits): JsonPointers {
  const texts = new Map<number, string>()
  const textOf = (key: number): string => {
    const text = texts.get(key) ?? pointerTo([keyText(nodes, key)])
    texts.set(key, text)
    return text
  }
  return {
    of: (path, inSecond) =>
      edits
        .stepsOf(path, inSecond)
        .map(({ isMember, step }) => (isMember ? textOf(step) : `/${step}`))
        .join(''),
  }
}

/** Says that a value is an item, not a member. */
export const noKey = 0

/**
 * The values of two documents in the order of their bytes, those of the second behind those of the first. Values with
 * the same number in `ids` are equal, and no others are; 0 is the number of what has none.
 */
export interface JsonNodes {
  readonly first: Uint8Array
  readonly second: Uint8Array
  /** Where the values of the second document begin. */
  readonly secondNode: number
  /** Where each value begins in its document. */
  readonly starts: Uint32Array
  readonly ids: Uint32Array
  // What is 0 for most values is not written for them: memory that nothing is written to takes no space.
  /** Where each object and array ends, see `endOf`. */
  readonly ends: Uint32Array
  /** The node after the last one inside each object and array, see `nodeAfter`. */
  readonly nexts: Uint32Array
  /** The number of the key of each member. */
  readonly keys: Uint32Array
  /** The objects that have a key more than once. */
  readonly repeating: ReadonlySet<number>
  readonly keyTable: IdTable
  readonly seed: HashSeed
}

/** The document that a node is in. */
export function documentOf({ first, second, secondNode }: JsonNodes, node: number): Uint8Array {
  return node < secondNode ? first : second
}

/** Where a value ends in its document. */
export function endOf(nodes: JsonNodes, node: number): number {
  const end = nodes.ends[node] ?? 0
  if (end > 0) return end
  return valueEnd(documentOf(nodes, node), nodes.starts[node] ?? 0)
}

/** The exact text of a value. */
export function valueText(nodes: JsonNodes, node: number): string {
  return textBetween(documentOf(nodes, node), nodes.starts[node] ?? 0, endOf(nodes, node))
}

/** The node after the last one inside a value: its next sibling, if it has one. */
export function nodeAfter({ nexts }: Pick<JsonNodes, 'nexts'>, node: number): number {
  return nexts[node] || node + 1
}

/** The byte that a value begins with, which tells its type. */
export function firstByte(nodes: JsonNodes, node: number): number {
  return documentOf(nodes, node)[nodes.starts[node] ?? 0] ?? 0
}

/** The text of a key, by its number. */
export function keyText({ first, second, keyTable }: JsonNodes, key: number): string {
  const offset = keyTable.firstOf(key)
  const [bytes, start] = offset < first.length ? [first, offset] : [second, offset - first.length]
  return stringBetween(bytes, start, stringEnd(bytes, start))
}

/** Whether two keys are equal, each by where it begins; offsets of the second document follow the first's bytes. */
export function sameKey({ first, second }: JsonNodes, one: number, other: number): boolean {
  const [bytes, start] = one < first.length ? [first, one] : [second, one - first.length]
  const [others, otherStart] = other < first.length ? [first, other] : [second, other - first.length]
  for (let at = 1; ; at += 1) {
    const byte = bytes[start + at]
    if (byte === backslash || byte !== others[otherStart + at]) break
    if (byte === quote) return true
  }
  const [end, otherEnd] = [stringEnd(bytes, start), stringEnd(others, otherStart)]
  return sameScalar(bytes, start, end, others, otherStart, otherEnd, false)
}

/** The numbers of those of these keys that an object has. */
export function keyNumbers(nodes: JsonNodes, texts: readonly string[]): readonly number[] {
  const { keyTable, seed } = nodes
  return texts.flatMap((text) => {
    // As JSON, since half of a pair of surrogates has no UTF-8.
    const said = new TextEncoder().encode(JSON.stringify(text))
    const hash = hashOfString(seed, said, 0, said.length)
    const key = keyTable.find(hash, (known) => keyText(nodes, known) === text)
    return key === null ? [] : [key]
  })
}

function countChildren(nodes: JsonNodes, container: number): number {
  const end = nodeAfter(nodes, container)
  let count = 0
  for (let child = container + 1; child < end; child = nodeAfter(nodes, child)) count += 1
  return count
}

/** The children of a container. */
export function childrenOf(nodes: JsonNodes, container: number): Uint32Array {
  const children = new Uint32Array(countChildren(nodes, container))
  let child = container + 1
  for (let at = 0; at < children.length; at += 1) {
    children[at] = child
    child = nodeAfter(nodes, child)
  }
  return children
}

/** The items of an array; where nothing lies between them, only the first is known. */
export interface ArrayItems {
  readonly first: number
  readonly length: number
  readonly list: Uint32Array | null
}

/** The items of an array. Millions of numbers take no memory. */
export function itemsOf(nodes: JsonNodes, array: number): ArrayItems {
  const first = array + 1
  const length = countChildren(nodes, array)
  const isContiguous = nodeAfter(nodes, array) - first === length
  return { first, length, list: isContiguous ? null : childrenOf(nodes, array) }
}

/** The node of an item. */
export function itemAt({ first, list }: ArrayItems, at: number): number {
  return list === null ? first + at : (list[at] ?? 0)
}

/** The numbers of the values of items. */
export function idsOf({ ids }: Pick<JsonNodes, 'ids'>, { first, length, list }: ArrayItems): Uint32Array {
  return list === null ? ids.subarray(first, first + length) : list.map((item) => ids[item] ?? 0)
}

/** The value of an object's member, or 0. */
export function memberOf(nodes: JsonNodes, object: number, key: number): number {
  const end = nodeAfter(nodes, object)
  for (let child = object + 1; child < end; child = nodeAfter(nodes, child))
    if (nodes.keys[child] === key) return child
  return 0
}

/** Whether a value is neither an object nor an array. */
export function isScalar(nodes: JsonNodes, node: number): boolean {
  return nodes.nexts[node] === 0
}
