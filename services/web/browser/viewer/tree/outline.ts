import type { TreeNode } from '../../document/document-reader.js'

/** A container whose children are shown, and which of those are open in turn. */
export interface Branch {
  readonly node: TreeNode
  readonly parent: Branch | null
  /** How deep its children are, counted from 1. */
  readonly level: number
  /** The open ones among its children, in their order. */
  readonly open: Branch[]
  /** How many rows stand within it. */
  rowCount: number
}

/** A child of an open container. */
export interface OutlineRow {
  readonly branch: Branch
  readonly index: number
}

/** The outermost container, with its children shown. */
export function outlineOf(root: TreeNode): Branch {
  return { node: root, parent: null, level: 1, open: [], rowCount: root.childCount }
}

/** The child at this place, if it is open. */
export function openChild(branch: Branch, index: number): Branch | null {
  return branch.open.find(({ node }) => node.index === index) ?? null
}

function grow(branch: Branch | null, rows: number): void {
  for (let grown = branch; grown !== null; grown = grown.parent) grown.rowCount += rows
}

/** Shows the children of a child, which may be shown already. */
export function expand(branch: Branch, node: TreeNode): Branch {
  const known = openChild(branch, node.index)
  if (known !== null) return known
  const child: Branch = { node, parent: branch, level: branch.level + 1, open: [], rowCount: node.childCount }
  const place = branch.open.findIndex((other) => other.node.index > node.index)
  branch.open.splice(place < 0 ? branch.open.length : place, 0, child)
  grow(branch, child.rowCount)
  return child
}

/** Hides the children of the child at this place. */
export function collapse(branch: Branch, index: number): void {
  const place = branch.open.findIndex(({ node }) => node.index === index)
  const [closed] = place < 0 ? [] : branch.open.splice(place, 1)
  if (closed !== undefined) grow(branch, -closed.rowCount)
}

/** What stands in a row, counted from 0 within `branch`. */
export function outlineRow(branch: Branch, row: number): OutlineRow {
  let inner = 0
  for (const child of branch.open) {
    const own = child.node.index + inner
    if (row <= own) break
    if (row <= own + child.rowCount) return outlineRow(child, row - own - 1)
    inner += child.rowCount
  }
  return { branch, index: row - inner }
}

/** The row in which a child stands, counted from 0 within the outermost container. */
export function rowOf({ branch, index }: OutlineRow): number {
  const before = branch.open.filter(({ node }) => node.index < index)
  const own = before.reduce((rows, child) => rows + child.rowCount, index)
  return branch.parent === null ? own : rowOf({ branch: branch.parent, index: branch.node.index }) + 1 + own
}
