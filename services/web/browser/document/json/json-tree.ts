import {
  afterSpace,
  literalEnd,
  openBrace,
  quote,
  stringBetween,
  stringEnd,
  stringHead,
  textBetween,
  typeOf,
  unitsBeyond,
} from '#engine/json-bytes/json-bytes.js'
import { childValue, eachChild, endOf, isContainer, stopWalk } from '#engine/json-bytes/json-walk.js'
import { pointerTo, stepsOf } from '#engine/json-pointer.js'
import type { NodeId, TreeNode } from '../document-reader.js'
import { type ChildIndex, childAround, childAt, indexChildren, locateChild } from './index-children.js'
import { extentOf, type Structure } from './structure.js'

/** Valid JSON as a tree whose nodes are read from the bytes on demand. */
export interface JsonTree {
  root(): TreeNode
  children(node: NodeId, from: number, count: number): readonly TreeNode[]
  /** The nodes from the root to the one at this pointer; of duplicate keys the last one counts. */
  locate(pointer: string): readonly TreeNode[] | null
  /** The nodes from the root to the innermost one around an offset. */
  around(offset: number): readonly TreeNode[]
  textOf(node: NodeId): string
}

const previewLengthMax = 300

/** How many child indexes are kept, least recently used ones evicted. */
const indexesMax = 64

/** A node's id is the offset of its value. */
function idOf(start: number): NodeId {
  return start as NodeId
}

function previewOf({ bytes }: Structure, start: number): Pick<TreeNode, 'preview' | 'cutLength'> {
  if (isContainer(bytes[start])) return { preview: '', cutLength: 0 }
  if (bytes[start] === quote) {
    const end = stringEnd(bytes, start)
    return {
      preview: stringHead(bytes, start, end, previewLengthMax),
      cutLength: unitsBeyond(bytes, start, end, previewLengthMax),
    }
  }
  const end = literalEnd(bytes, start)
  const shownEnd = Math.min(end, start + previewLengthMax)
  return { preview: textBetween(bytes, start, shownEnd), cutLength: end - shownEnd }
}

function nodeAt(
  structure: Structure,
  start: number,
  place: Pick<TreeNode, 'key' | 'index' | 'pointer'>,
): TreeNode {
  const byte = structure.bytes[start]
  const childCount = isContainer(byte) ? extentOf(structure, start).count : 0
  return { id: idOf(start), ...place, type: typeOf(byte), ...previewOf(structure, start), childCount }
}

/** The child indexes of recently used containers. */
function keptIndexes(structure: Structure): (container: number) => ChildIndex {
  const kept = new Map<number, ChildIndex>()
  return (container) => {
    const index = kept.get(container) ?? indexChildren(structure, container)
    kept.delete(container)
    kept.set(container, index)
    for (const oldest of kept.keys()) {
      if (kept.size <= indexesMax) break
      kept.delete(oldest)
    }
    return index
  }
}

/** Opens the tree of a document, or of the part at a pointer. */
export function jsonTree(structure: Structure, rootPointer = ''): JsonTree {
  const { bytes } = structure
  const rootStart = afterSpace(bytes, 0)
  const indexOf = keptIndexes(structure)

  const childNode = (parent: TreeNode, child: number, index: number): TreeNode => {
    const isMember = bytes[parent.id] === openBrace
    const key = isMember ? stringBetween(bytes, child, stringEnd(bytes, child)) : index
    const pointer = parent.pointer + pointerTo([key])
    return nodeAt(structure, childValue(structure, parent.id, child), { key, index, pointer })
  }

  const root = (): TreeNode => nodeAt(structure, rootStart, { key: null, index: 0, pointer: rootPointer })

  const around = (offset: number): readonly TreeNode[] => {
    let node = root()
    const path = [node]
    while (node.id !== offset && node.childCount > 0) {
      const found = childAround(structure, node.id, indexOf(node.id), offset)
      if (found === null) break
      node = childNode(node, found.child, found.number)
      path.push(node)
    }
    return path
  }

  const children = (id: NodeId, from: number, count: number): readonly TreeNode[] => {
    const parent = around(id).at(-1)
    const nodes: TreeNode[] = []
    if (parent === undefined || parent.childCount === 0) return nodes
    const first = childAt(structure, id, indexOf(id), from)
    const visit = (_value: number, child: number, index: number): number | undefined => {
      if (index === count) return stopWalk
      nodes.push(childNode(parent, child, from + index))
      return undefined
    }
    if (first !== null) eachChild(structure, id, visit, first)
    return nodes
  }

  const locate = (pointer: string): readonly TreeNode[] | null => {
    if (!pointer.startsWith(rootPointer)) return null
    let node = root()
    const path = [node]
    for (const token of stepsOf(pointer.slice(rootPointer.length)) ?? [null]) {
      const container = node.id
      if (token === null || node.childCount === 0) return null
      const child = locateChild(structure, container, () => indexOf(container), token)
      if (child === null) return null
      const index = childAround(structure, container, indexOf(container), child)?.number ?? 0
      node = childNode(node, child, index)
      path.push(node)
    }
    return path
  }

  const textOf = (id: NodeId): string => {
    const end = endOf(structure, id)
    return typeOf(bytes[id]) === 'string' ? stringBetween(bytes, id, end) : textBetween(bytes, id, end)
  }

  return { root, children, locate, around, textOf }
}
