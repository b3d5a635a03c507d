import { drawSeed } from '../byte-hash.js'
import type { Change, ChangeSummary, CompareOptions } from '../comparison.js'
import { createIdTable } from '../id-table.js'
import { ignoredPaths } from '../ignored-paths.js'
import { findJsonEdits } from './find-json-edits.js'
import { added, createJsonEdits, type JsonEdits, removed } from './json-edits.js'
import { type JsonNodes, sameKey, valueText } from './json-nodes.js'
import { jsonPointers } from './json-pointers.js'
import { nodesMax, readJsonNodes } from './read-json-nodes.js'
import { createValueIds } from './value-ids.js'

/** What differs between two JSON documents. */
export interface JsonDifference {
  readonly nodes: JsonNodes
  readonly edits: JsonEdits
}

/**
 * Reads both documents and finds at most so many edits.
 * @throws CompareError when one is not JSON, or too deep.
 */
export function jsonDifference(
  first: Uint8Array,
  second: Uint8Array,
  { numbers, order = false, ignore = [], key }: CompareOptions,
  editsMax: number,
): JsonDifference {
  const seed = drawSeed()
  const byValue = numbers === 'value'
  const secondMax = nodesMax(second)
  const nodesCount = nodesMax(first) + secondMax
  const repeating = new Set<number>()
  const list = (): Uint32Array => new Uint32Array(nodesCount)
  const read: JsonNodes & { secondNode: number } = {
    first,
    second,
    // Until the first is read, all are of it.
    secondNode: nodesCount,
    starts: list(),
    ends: list(),
    nexts: list(),
    ids: list(),
    keys: list(),
    repeating,
    keyTable: createIdTable((known, candidate) => sameKey(read, known, candidate)),
    seed,
  }
  const tables = createValueIds(read, repeating, { seed, byValue, order })
  const reading = { nodes: read, ...tables, seed, byValue, ignored: ignoredPaths(ignore) }
  read.secondNode = readJsonNodes(reading, false, 0)
  readJsonNodes(reading, true, read.secondNode)
  const edits = createJsonEdits(editsMax)
  findJsonEdits(read, edits, { key, order })
  return { nodes: read, edits }
}

/** What the edits of JSON documents come to. */
export function jsonSummary({ counts }: JsonEdits): ChangeSummary {
  const [gone, fresh, changed] = counts
  return { added: fresh, removed: gone, changed, columnsAdded: [], columnsRemoved: [] }
}

/** The edits that were kept, as changes. */
export function jsonChanges({ nodes, edits }: JsonDifference): readonly Change[] {
  const pointers = jsonPointers(nodes, edits)
  return Array.from({ length: edits.length() }, (_edit, at): Change => {
    const { op, path, node, newNode } = edits.at(at)
    if (op === added) return { op: 'add', pointer: pointers.of(path, true), to: valueText(nodes, newNode) }
    const pointer = pointers.of(path, false)
    const from = valueText(nodes, node)
    if (op === removed) return { op: 'remove', pointer, from }
    const newPointer = pointers.of(path, true)
    const to = valueText(nodes, newNode)
    return { op: 'replace', pointer, ...(newPointer === pointer ? {} : { newPointer }), from, to }
  })
}
