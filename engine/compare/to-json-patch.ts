import { isSpace, quote, stringEnd, textBetween } from '../json-bytes/json-bytes.js'
import type { CompareOptions } from './comparison.js'
import { jsonDifference } from './json/compare-json.js'
import { added, type JsonEdits, removed } from './json/json-edits.js'
import { documentOf, endOf, type JsonNodes, jsonPointers } from './json/json-nodes.js'

/** A longer patch, beside four times the documents, becomes one replacement of the whole. */
const lengthMin = 1024 * 1024

/** A value without the white space between its tokens. */
function minified(bytes: Uint8Array, start: number, end: number): string {
  const kept = new Uint8Array(end - start)
  let to = 0
  for (let at = start; at < end; ) {
    const byte = bytes[at] ?? 0
    const next = byte === quote ? stringEnd(bytes, at) : at + 1
    if (byte === quote) kept.set(bytes.subarray(at, next), to)
    else kept[to] = byte
    if (!isSpace(byte)) to += next - at
    at = next
  }
  return textBetween(kept, 0, to)
}

/** Whether two edits add members to the same object, which then have this order. */
function addMembers(edits: JsonEdits, one: number, other: number): boolean {
  const [first, second] = [edits.at(one), edits.at(other)]
  if (first.op !== added || second.op !== added) return false
  const [left, right] = [edits.locationOf(first.path), edits.locationOf(second.path)]
  return left.isMember && right.isMember && left.parent === right.parent
}

/**
 * The order to apply edits in: from the end of the documents, so that no edit moves the items that later ones name.
 * Members that are added to one object keep their order.
 */
function applied(edits: JsonEdits): readonly number[] {
  const order: number[] = []
  for (let end = edits.length(); end > 0; ) {
    let start = end - 1
    while (start > 0 && addMembers(edits, start - 1, start)) start -= 1
    for (let edit = start; edit < end; edit += 1) order.push(edit)
    end = start
  }
  return order
}

function minifiedNode(nodes: JsonNodes, node: number): string {
  return minified(documentOf(nodes, node), nodes.starts[node] ?? 0, endOf(nodes, node))
}

function* listText(items: readonly string[]): Generator<string> {
  yield '['
  for (const [at, item] of items.entries()) yield at === 0 ? item : `,${item}`
  yield ']'
}

/**
 * The text, in pieces, of a JSON Patch (RFC 6902) that turns the first document into the second: values are spelled as
 * there, and only the order of members may differ, unless it counts. What is ignored stays as it is.
 * @throws CompareError when a document is not JSON, or too deep, or the key identifies nothing.
 */
export function toJsonPatch(
  first: Uint8Array,
  second: Uint8Array,
  options: CompareOptions = {},
): Iterable<string> {
  const { nodes, edits } = jsonDifference(first, second, options, {
    editsMax: Number.POSITIVE_INFINITY,
    moves: false,
  })
  const pointers = jsonPointers(nodes, edits)
  const operations: string[] = []
  let room = lengthMin + 4 * (first.length + second.length)
  for (const edit of applied(edits)) {
    const { op, path, newNode } = edits.at(edit)
    const at = `"path":${JSON.stringify(pointers.of(path, false))}`
    const name = op === added ? 'add' : 'replace'
    const operation =
      op === removed
        ? `{"op":"remove",${at}}`
        : `{"op":"${name}",${at},"value":${minifiedNode(nodes, newNode)}}`
    operations.push(operation)
    room -= operation.length
    if (room < 0)
      return listText([`{"op":"replace","path":"","value":${minifiedNode(nodes, nodes.secondNode)}}`])
  }
  return listText(operations)
}
