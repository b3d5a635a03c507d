import { literalEnd, openBrace, quote } from '../../json-bytes/json-bytes.js'
import { type HashSeed, hashWith, sameBytes } from '../byte-hash.js'
import { createIdTable } from '../id-table.js'
import { createIntList } from '../int-list.js'
import { createIntMap, type IntMap } from '../int-map.js'
import { sameScalar } from './canonical-scalar.js'
import { documentOf, endOf, firstByte, isScalar, type JsonNodes, nodeAfter } from './json-nodes.js'

/** The number of items that are ignored; no value has it. */
export const ignoredId = 0

/** Gives numbers to strings, numbers and words. */
export interface ScalarIds {
  /** @param end where it ends in its document. */
  idOf(hash: number, node: number, end: number): number
}

/** Gives numbers to objects and arrays whose children have theirs. */
export interface ContainerIds {
  idOf(container: number): number
  /** Only notes whether an object repeats a key. */
  look(container: number): void
}

/** How values are told apart. */
export interface ValueRules {
  readonly seed: HashSeed
  readonly byValue: boolean
  /** Whether the order of members counts. */
  readonly order: boolean
}

/**
 * The members of an object that repeats a key, as pairs of key and value: by the number of the key, those with the same
 * key in their order.
 */
export function sortedMembers(nodes: JsonNodes, object: number, counts: IntMap): Uint32Array {
  const { ids, keys } = nodes
  const end = nodeAfter(nodes, object)
  const distinct = createIntList()
  let count = 0
  counts.clear()
  for (let child = object + 1; child < end; child = nodeAfter(nodes, child)) {
    const key = keys[child] ?? 0
    const before = counts.get(key)
    if (before < 0) distinct.push(key)
    counts.set(key, Math.max(0, before) + 1)
    count += 1
  }
  let place = 0
  for (const key of distinct.values().sort()) {
    const next = place + counts.get(key)
    counts.set(key, place)
    place = next
  }
  const members = new Uint32Array(count * 2)
  for (let child = object + 1; child < end; child = nodeAfter(nodes, child)) {
    const key = keys[child] ?? 0
    const at = counts.get(key)
    members[at * 2] = key
    members[at * 2 + 1] = ids[child] ?? 0
    counts.set(key, at + 1)
  }
  return members
}

/** Whether the value at `from` is spelled as the string, number or word from `otherFrom` to `otherEnd`. */
function isSpelledSo(
  one: Uint8Array,
  from: number,
  other: Uint8Array,
  otherFrom: number,
  otherEnd: number,
): boolean {
  const end = from + otherEnd - otherFrom
  if (!sameBytes(one, from, end, other, otherFrom, otherEnd)) return false
  return one[from] === quote || literalEnd(one, end) === end
}

/** A table of the values of both documents. What two of them have in common was checked when each got its number. */
export function createValueIds(
  nodes: JsonNodes,
  repeating: Set<number>,
  { seed, byValue, order }: ValueRules,
): { readonly scalars: ScalarIds; readonly containers: ContainerIds } {
  const { starts, ids, keys } = nodes
  const { start, factor } = seed
  const members = createIntMap()

  function sameSorted(one: number, other: number): boolean {
    const left = sortedMembers(nodes, one, members)
    const right = sortedMembers(nodes, other, members)
    return left.length === right.length && left.every((value, at) => value === right[at])
  }

  /** Whether two objects without repeated keys have the same members. */
  function sameMembers(one: number, other: number): boolean {
    members.clear()
    let count = 0
    const [end, otherEnd] = [nodeAfter(nodes, one), nodeAfter(nodes, other)]
    for (let child = one + 1; child < end; child = nodeAfter(nodes, child)) {
      members.set(keys[child] ?? 0, child - one)
      count += 1
    }
    for (let child = other + 1; child < otherEnd; child = nodeAfter(nodes, child)) {
      const same = members.get(keys[child] ?? 0)
      if (same < 0 || ids[one + same] !== ids[child]) return false
      count -= 1
    }
    return count === 0
  }

  function sameContainers(one: number, other: number): boolean {
    const [end, otherEnd] = [nodeAfter(nodes, one), nodeAfter(nodes, other)]
    let [child, otherChild] = [one + 1, other + 1]
    for (; child < end && otherChild < otherEnd; ) {
      if (keys[child] !== keys[otherChild]) break
      if (ids[child] !== ids[otherChild]) return false
      child = nodeAfter(nodes, child)
      otherChild = nodeAfter(nodes, otherChild)
    }
    if (child === end && otherChild === otherEnd) return true
    if (order || child === end || otherChild === otherEnd || keys[child] === 0) return false
    if (repeating.has(one) !== repeating.has(other)) return false
    return repeating.has(one) ? sameSorted(one, other) : sameMembers(one, other)
  }

  /** Where the scalar ends that is looked up. */
  let scalarEnd = 0
  const values = createIdTable((known, candidate) => {
    if (!isScalar(nodes, candidate))
      return firstByte(nodes, known) === firstByte(nodes, candidate) && sameContainers(known, candidate)
    if (!isScalar(nodes, known)) return false
    const [one, other] = [documentOf(nodes, known), documentOf(nodes, candidate)]
    const [from, otherFrom] = [starts[known] ?? 0, starts[candidate] ?? 0]
    if (isSpelledSo(one, from, other, otherFrom, scalarEnd)) return true
    return sameScalar(one, from, endOf(nodes, known), other, otherFrom, scalarEnd, byValue)
  })

  function hashOfSequence(container: number, type: number): number {
    let hash = hashWith(start, type, factor)
    const end = nodeAfter(nodes, container)
    for (let child = container + 1; child < end; child = nodeAfter(nodes, child)) {
      if (type === openBrace) hash = hashWith(hash, keys[child] ?? 0, factor)
      hash = hashWith(hash, ids[child] ?? 0, factor)
    }
    return hash
  }

  /** The same for every order of members; tells apart which value each of several equal keys has. */
  function hashOfMembers(object: number): number {
    let sum = 0
    let isRepeating = false
    const end = nodeAfter(nodes, object)
    members.clear()
    for (let child = object + 1; child < end; child = nodeAfter(nodes, child)) {
      const key = keys[child] ?? 0
      if (members.get(key) >= 0) isRepeating = true
      members.set(key, 0)
      sum += hashWith(hashWith(start, key, factor), ids[child] ?? 0, factor)
      sum |= 0
    }
    if (!isRepeating) return hashWith(sum, openBrace, factor)
    repeating.add(object)
    if (order) return hashOfSequence(object, openBrace)
    let hash = start
    for (const value of sortedMembers(nodes, object, members)) hash = hashWith(hash, value, factor)
    return hash
  }

  return {
    scalars: {
      idOf(hash, node, end) {
        scalarEnd = end
        return values.idOf(hash, node)
      },
    },
    containers: {
      idOf(container) {
        const type = firstByte(nodes, container)
        // What is repeated must be known in any case.
        const unordered = type === openBrace ? hashOfMembers(container) : 0
        const inOrder = type !== openBrace || order
        return values.idOf(inOrder ? hashOfSequence(container, type) : unordered, container)
      },
      look(container) {
        if (firstByte(nodes, container) === openBrace) hashOfMembers(container)
      },
    },
  }
}
