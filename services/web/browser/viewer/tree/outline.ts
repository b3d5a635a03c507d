import type { TreeNode } from '../../document/document-reader.js'

/** An expanded container and its expanded children. */
export interface Branch {
  readonly node: TreeNode
  readonly parent: Branch | null
  /** The level of its children, from 1. */
  readonly level: number
  /** Its expanded children in order. */
  readonly open: Branch[]
  /** How many rows it contains. */
  rowCount: number
}

/** A child of an expanded container. */
export interface OutlineRow {
  readonly branch: Branch
  readonly index: number
}

/** The expanded root. */
export function outlineOf(root: TreeNode): Branch {
  return { node: root, parent: null, level: 1, open: [], rowCount: root.childCount }
}

/** The child at this index, if it is expanded. */
export function openChild(branch: Branch, index: number): Branch | null {
  return branch.open.find(({ node }) => node.index === index) ?? null
}

function grow(branch: Branch | null, rows: number): void {
  for (let grown = branch; grown !== null; grown = grown.parent) grown.rowCount += rows
}

/** Expands a child, which may be expanded already. */
export function expand(branch: Branch, node: TreeNode): Branch {
  const known = openChild(branch, node.index)
  if (known !== null) return known
  const child: Branch = { node, parent: branch, level: branch.level + 1, open: [], rowCount: node.childCount }
  const place = branch.open.findIndex((other) => other.node.index > node.index)
  branch.open.splice(place < 0 ? branch.open.length : place, 0, child)
  grow(branch, child.rowCount)
  return child
}

/** Collapses the child at this index. */
export function collapse(branch: Branch, index: number): void {
  const place = branch.open.findIndex(({ node }) => node.index === index)
  const [closed] = place < 0 ? [] : branch.open.splice(place, 1)
  if (closed !== undefined) grow(branch, -closed.rowCount)
}

/** Collapses all but the root. */
export function collapseAll(root: Branch): void {
  root.open.length = 0
  root.rowCount = root.node.childCount
}

/** The child in a row, counted from 0 within `branch`. */
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

/** The row of a child, counted from 0 within the root. */
export function rowOf({ branch, index }: OutlineRow): number {
  const before = branch.open.filter(({ node }) => node.index < index)
  const own = before.reduce((rows, child) => rows + child.rowCount, index)
  return branch.parent === null ? own : rowOf({ branch: branch.parent, index: branch.node.index }) + 1 + own
}
