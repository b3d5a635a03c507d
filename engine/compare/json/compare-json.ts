import { drawSeed } from '../byte-hash.js'
import type { Change, ChangeSummary, CompareOptions } from '../comparison.js'
import { createChangeList } from '../comparison.js'
import { createIdTable } from '../id-table.js'
import { ignoredPaths } from '../path-tree.js'
import { createProgressMeter } from '../progress-meter.js'
import { findJsonEdits } from './find-json-edits.js'
import { added, createJsonEdits, type JsonEdits, moved, removed } from './json-edits.js'
import { type JsonNodes, jsonPointers, sameKey, valueText } from './json-nodes.js'
import { nodesMax, readJsonNodes } from './read-json-nodes.js'
import { createValueIds } from './value-ids.js'

/** The differences between two JSON documents. */
export interface JsonDifference {
  readonly nodes: JsonNodes
  readonly edits: JsonEdits
  readonly guessedKeys: readonly string[]
}

/**
 * Reads two documents into one table of values. What only that takes is free when it returns.
 * @param firstIds whether values of the first document have numbers.
 * @throws CompareError when one is not JSON, or too deep.
 */
export function readJsonPair(
  first: Uint8Array,
  second: Uint8Array,
  options: CompareOptions,
  firstIds = true,
): JsonNodes {
  const { numbers, order = false, ignore = [], onProgress } = options
  const seed = drawSeed()
  const byValue = numbers === 'value'
  const count = nodesMax(first) + nodesMax(second)
  const repeating = new Set<number>()
  const list = (): Uint32Array => new Uint32Array(count)
  const nodes: JsonNodes & { secondNode: number } = {
    first,
    second,
    // Until the first is read, all are of it.
    secondNode: count,
    starts: list(),
    ends: list(),
    nexts: list(),
    ids: list(),
    keys: list(),
    repeating,
    keyTable: createIdTable((known, candidate) => sameKey(nodes, known, candidate)),
    seed,
  }
  const tables = createValueIds(nodes, repeating, { seed, byValue, order })
  const meter = createProgressMeter(onProgress, first.length + second.length)
  const reading = { nodes, ...tables, seed, byValue, firstIds, ignored: ignoredPaths(ignore), meter }
  nodes.secondNode = readJsonNodes(reading, false, 0)
  readJsonNodes(reading, true, nodes.secondNode)
  return nodes
}

/** How edits are looked for and kept. */
export interface EditLimits {
  readonly editsMax: number
  readonly moves: boolean
}

/**
 * Reads both documents and keeps at most `editsMax` edits.
 * @throws CompareError when one is not JSON, or too deep, or the key identifies nothing.
 */
export function jsonDifference(
  first: Uint8Array,
  second: Uint8Array,
  options: CompareOptions,
  { editsMax, moves }: EditLimits,
): JsonDifference {
  const nodes = readJsonPair(first, second, options)
  const edits = createJsonEdits(editsMax)
  const rules = { key: options.key, order: options.order ?? false, moves }
  return { nodes, edits, guessedKeys: findJsonEdits(nodes, edits, rules) }
}

/** A summary of the edits of JSON documents. */
export function jsonSummary({ counts }: JsonEdits): ChangeSummary {
  const [gone, fresh, changed, elsewhere] = counts
  return { added: fresh, removed: gone, changed, moved: elsewhere, columnsAdded: [], columnsRemoved: [] }
}

/** The edits that were kept, as changes that are listed. */
export function jsonChanges({ nodes, edits }: JsonDifference, options: CompareOptions): readonly Change[] {
  const pointers = jsonPointers(nodes, edits)
  const changeAt = (at: number): Change => {
    const { op, path, node, newNode } = edits.at(at)
    if (op === added) return { op: 'add', pointer: pointers.of(path, true), to: valueText(nodes, newNode) }
    const pointer = pointers.of(path, false)
    if (op === removed) return { op: 'remove', pointer, from: valueText(nodes, node) }
    const newPointer = pointers.of(path, true)
    if (op === moved) return { op: 'move', pointer, newPointer }
    const [from, to] = [valueText(nodes, node), valueText(nodes, newNode)]
    return { op: 'replace', pointer, ...(newPointer === pointer ? {} : { newPointer }), from, to }
  }
  const list = createChangeList(options)
  for (let at = 0; at < edits.length(); at += 1) list.add(() => changeAt(at))
  return list.changes
}
