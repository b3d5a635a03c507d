import { stringBetween } from '../../json-bytes/json-bytes.js'
import { pointerTo } from '../../json-pointer.js'
import { ToolInputError } from '../tool-input-error.js'

/** As many as the widest common spreadsheet has. */
const columnsMax = 16_384

/** A place in rows: a member or item of the row, or of another place. */
export interface ColumnNode {
  readonly steps: readonly string[]
  /** The key, as it was first spelled. */
  readonly spelling: Uint8Array
  /** The places within this one, in the order of their first appearance. */
  readonly children: ColumnNode[]
  readonly byKey: Map<string, ColumnNode>
  /** The place of this one among its parent's. */
  readonly index: number
  /** The row that had it last; a row that has a key twice uses the next node for the second. */
  row: number
  next: ColumnNode | null
  /** -1 for a place that never had a value of its own. */
  column: number
}

/** A place that no row has had yet. */
export function columnNode(steps: readonly string[], spelling: Uint8Array, index: number): ColumnNode {
  return { steps, spelling, index, children: [], byKey: new Map(), row: -1, next: null, column: -1 }
}

function isSpelled({ spelling }: ColumnNode, bytes: Uint8Array, start: number, end: number): boolean {
  if (spelling.length !== end - start) return false
  for (let at = 0; at < spelling.length; at += 1) if (spelling[at] !== bytes[start + at]) return false
  return true
}

/**
 * The place of a member, whose key is at this range. Rows mostly have the same keys in the same order, so `expected`
 * is tried first.
 */
export function memberNode(
  parent: ColumnNode,
  expected: number,
  bytes: Uint8Array,
  start: number,
  end: number,
  row: number,
): ColumnNode {
  const likely = parent.children[expected]
  if (likely !== undefined && likely.row !== row && isSpelled(likely, bytes, start, end)) {
    const key = parent.byKey.get(likely.steps.at(-1) ?? '')
    // Of several with one key, the first that the row has not used comes first.
    if (key === likely || key === undefined) return used(likely, row)
  }
  return nodeOfKey(parent, stringBetween(bytes, start, end), bytes.subarray(start, end), row)
}

/** The place of the item of this number. */
export function itemNode(parent: ColumnNode, item: number, row: number): ColumnNode {
  return nodeOfKey(parent, String(item), new Uint8Array(0), row)
}

function used(node: ColumnNode, row: number): ColumnNode {
  node.row = row
  return node
}

function nodeOfKey(parent: ColumnNode, key: string, spelling: Uint8Array, row: number): ColumnNode {
  let last = parent.byKey.get(key) ?? null
  for (; last !== null && last.row === row; last = last.next) if (last.next === null) break
  if (last !== null && last.row !== row) return used(last, row)
  if (parent.children.length === columnsMax) throw tooManyColumns()
  const node = columnNode([...parent.steps, key], spelling.slice(), parent.children.length)
  parent.children.push(node)
  if (last === null) parent.byKey.set(key, node)
  else last.next = node
  return used(node, row)
}

/** The columns in the order of their first appearance. */
export class Columns {
  readonly nodes: ColumnNode[] = []

  /** Makes sure that a place has a column. */
  add(node: ColumnNode): void {
    if (node.column >= 0) return
    if (this.nodes.length === columnsMax) throw tooManyColumns()
    node.column = this.nodes.length
    this.nodes.push(node)
  }

  /** The names one by one: together they may be far larger than the input. */
  *names(style: 'dots' | 'pointers'): Generator<string> {
    for (const { steps } of this.nodes) yield style === 'dots' ? steps.join('.') : pointerTo(steps)
  }
}

function tooManyColumns(): ToolInputError {
  return new ToolInputError('too_many_columns', `The rows have more than ${columnsMax} different columns.`)
}
