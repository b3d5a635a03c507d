import { hashWith } from '../compare/byte-hash.js'
import { createIdTable } from '../compare/id-table.js'
import { createIntMap } from '../compare/int-map.js'
import { firstByte, idsOf, isScalar, itemsOf, type JsonNodes, nodeAfter } from '../compare/json/json-nodes.js'
import { sortedMembers } from '../compare/json/value-ids.js'
import { openBracket } from '../json-bytes/json-bytes.js'

/** Numbers of the values by which arrays of the same items in any order are equal, at every depth. */
export function unorderedIds(nodes: JsonNodes): Uint32Array {
  const { start, factor } = nodes.seed
  const ids = nodes.ids.slice()
  const own = { ...nodes, ids }
  const keyPlaces = createIntMap()
  /** What a container consists of, in one order. */
  const contents = (node: number): Uint32Array =>
    firstByte(nodes, node) === openBracket
      ? idsOf(own, itemsOf(nodes, node)).slice().sort()
      : sortedMembers(own, node, keyPlaces)
  const table = createIdTable((known, candidate) => {
    if (nodes.ids[known] === nodes.ids[candidate]) return true
    if (firstByte(nodes, known) !== firstByte(nodes, candidate)) return false
    const [one, other] = [contents(known), contents(candidate)]
    return one.length === other.length && one.every((id, at) => id === other[at])
  })
  // What is within a value comes behind it.
  for (let node = nodeAfter(nodes, nodes.secondNode) - 1; node >= 0; node -= 1) {
    if (isScalar(nodes, node)) continue
    let sum = firstByte(nodes, node)
    const end = nodeAfter(nodes, node)
    for (let child = node + 1; child < end; child = nodeAfter(nodes, child)) {
      const keyed = hashWith(start, nodes.keys[child] ?? 0, factor)
      sum = (sum + hashWith(keyed, ids[child] ?? 0, factor)) | 0
    }
    // The number of one of them stands for all: no value of another kind has it.
    ids[node] = nodes.ids[table.firstOf(table.idOf(sum, node))] ?? 0
  }
  return ids
}
