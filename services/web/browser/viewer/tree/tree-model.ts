import type { PartReader, TreeNode } from '../../document/document-reader.js'
import { type RowPages, rowPages } from '../list/row-pages.js'
import {
  type Branch,
  collapse,
  collapseAll,
  expand,
  type OutlineRow,
  openChild,
  outlineOf,
  outlineRow,
} from './outline.js'

/** The expanded state of a tree, and the nodes of its rows. */
export interface TreeModel {
  readonly root: Branch
  rowAt(row: number): OutlineRow
  /** The node of a row, requested if it is not loaded yet. */
  nodeOf(row: OutlineRow): TreeNode | undefined
  waitFor(row: OutlineRow): Promise<TreeNode | undefined>
  isOpen(row: OutlineRow): boolean
  setOpen(row: OutlineRow, isOpen: boolean): Promise<void>
  /**
   * Expands what is in the first levels, from the outside in, while the tree has no more rows than these; `false` if
   * something stays collapsed for that reason, or the root's children alone are more.
   */
  expandLevels(levels: number, rowsMax: number): Promise<boolean>
  collapseAll(): void
  /** Expands the path that `locate` returns, and returns its row; `null` for the root itself. */
  openPath(path: readonly TreeNode[]): OutlineRow | null
}

/** Containers further behind in their parent are not expanded with others. */
const childrenLookedAt = 5_000

/** Opens a document as a tree. `onChange` is called when more nodes have arrived. */
export async function treeModel(
  reader: PartReader,
  onChange: () => void,
  onFailed: (error: unknown) => void,
): Promise<TreeModel> {
  const root = outlineOf(await reader.root())
  const pages = new WeakMap<Branch, RowPages<TreeNode>>()

  const pagesOf = (branch: Branch): RowPages<TreeNode> => {
    const known = pages.get(branch)
    if (known !== undefined) return known
    const load = (from: number, count: number): Promise<readonly TreeNode[]> =>
      reader.children(branch.node.id, from, count)
    const made = rowPages({ load, onLoaded: onChange, onFailed })
    pages.set(branch, made)
    return made
  }

  return {
    root,
    rowAt: (row) => outlineRow(root, row),
    nodeOf: ({ branch, index }) => pagesOf(branch).get(index),
    waitFor: ({ branch, index }) => pagesOf(branch).wait(index),
    isOpen: ({ branch, index }) => openChild(branch, index) !== null,
    async setOpen({ branch, index }, isOpen) {
      if (!isOpen) return collapse(branch, index)
      const node = await pagesOf(branch).wait(index)
      if (node !== undefined && node.childCount > 0) expand(branch, node)
    },
    async expandLevels(levels, rowsMax) {
      let isWhole = root.node.childCount <= rowsMax
      const branches = [root]
      for (const branch of branches) {
        if (branch.level >= levels) continue
        const count = Math.min(branch.node.childCount, childrenLookedAt)
        for (let index = 0; index < count; index += 1) {
          // Nothing else fits.
          if (!isWhole && root.rowCount >= rowsMax) return false
          const node = await pagesOf(branch).wait(index)
          if (node === undefined || node.childCount === 0) continue
          const isOpen = openChild(branch, index) !== null
          const fits = isOpen || root.rowCount + node.childCount <= rowsMax
          if (fits) branches.push(expand(branch, node))
          else isWhole = false
        }
        if (count < branch.node.childCount) isWhole = false
      }
      return isWhole
    },
    collapseAll: () => collapseAll(root),
    openPath(path) {
      let branch = root
      const steps = path.slice(1)
      for (const node of steps.slice(0, -1)) branch = expand(branch, node)
      const last = steps.at(-1)
      return last === undefined ? null : { branch, index: last.index }
    },
  }
}
