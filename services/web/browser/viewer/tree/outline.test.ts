import { expect, it } from 'vitest'
import type { NodeId, TreeNode } from '../../document/document-reader.js'
import { type Branch, collapse, expand, openChild, outlineOf, outlineRow, rowOf } from './outline.js'

function node(index: number, childCount: number): TreeNode {
  const id = index as NodeId
  return { id, index, childCount, key: index, pointer: '', type: 'array', preview: '', cutLength: 0 }
}

/** Each row as its path of child indexes. */
function rows(root: Branch): readonly string[] {
  return Array.from({ length: root.rowCount }, (_row, row) => {
    const found = outlineRow(root, row)
    expect(rowOf(found)).toBe(row)
    const path = [found.index]
    for (let { branch } = found; branch.parent !== null; branch = branch.parent)
      path.unshift(branch.node.index)
    return path.join('.')
  })
}

it('collapsed children are one row each', () => {
  expect(rows(outlineOf(node(0, 3)))).toEqual(['0', '1', '2'])
})

it('expanded children are followed by their own, in whatever order they were expanded', () => {
  const root = outlineOf(node(0, 4))
  const third = expand(root, node(2, 2))
  expand(root, node(0, 1))
  expand(third, node(1, 2))
  expect(rows(root)).toEqual(['0', '0.0', '1', '2', '2.0', '2.1', '2.1.0', '2.1.1', '3'])
})

it('expanding twice has no further effect', () => {
  const root = outlineOf(node(0, 2))
  expect(expand(root, node(1, 3))).toBe(expand(root, node(1, 3)))
  expect(root.rowCount).toBe(5)
})

it('collapsing hides everything within, and collapsing again changes nothing', () => {
  const root = outlineOf(node(0, 2))
  expand(expand(root, node(0, 2)), node(1, 5))
  collapse(root, 0)
  collapse(root, 0)
  expect(rows(root)).toEqual(['0', '1'])
  expect(openChild(root, 0)).toBeNull()
})

it('a million children are found by row immediately', () => {
  const root = outlineOf(node(0, 1_000_000))
  expand(root, node(500_000, 1_000_000))
  expect(outlineRow(root, 1_999_999)).toEqual({ branch: root, index: 999_999 })
  expect(rowOf({ branch: root, index: 999_999 })).toBe(1_999_999)
})
