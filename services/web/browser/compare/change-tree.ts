import type { Change } from '#engine/compare/comparison.js'
import { quote, stringBetween, stringHead, typeOf, unitsBeyond } from '#engine/json-bytes/json-bytes.js'
import { pointerTo, stepsOf } from '#engine/json-pointer.js'
import { text } from '../../texts/text.js'
import type { ChangeKind, NodeValue } from '../document/changes.js'
import type { PartQueries } from '../document/document-messages.js'
import type { NodeId, TreeNode, Wanted } from '../document/document-reader.js'
import { nextMatch } from '../document/text/next-match.js'
import { wantedPattern } from '../document/text/wanted-pattern.js'
import { changeText } from './change-words.js'
import type { LocatedChange } from './locate-changes.js'

/** The queries of a tree of changes. */
export type TreeQueries = Pick<PartQueries, 'root' | 'children' | 'locate' | 'findNode' | 'textOf'>

/** A value that has changed, one that contains changes, or one of the two values of a change. */
interface ChangeNode {
  readonly id: NodeId
  readonly parent: ChangeNode | null
  readonly step: string
  readonly index: number
  readonly children: ChangeNode[]
  kind: ChangeKind | null
  /** Whether a contract does not allow it. */
  isBroken: boolean
  /** JSON texts; of what has moved its index before. */
  from: string | null
  to: string | null
  /** The number of changes within it. */
  count: number
  /** Its number among the changes in the tree; set when all are there. */
  place: number
}

const previewLengthMax = 300

/** A JSON text; a string without quotes and escapes. */
function spoken(json: string): string {
  const bytes = new TextEncoder().encode(json)
  return bytes[0] === quote ? stringBetween(bytes, 0, bytes.length) : json
}

/** How a value is shown in a row: of a container its JSON text. */
function shownValue(json: string): NodeValue {
  const bytes = new TextEncoder().encode(json)
  const type = typeOf(bytes[0])
  if (type !== 'string') {
    const cutLength = Math.max(0, json.length - previewLengthMax)
    return { type, preview: json.slice(0, previewLengthMax), cutLength, childCount: 0 }
  }
  return {
    type,
    preview: stringHead(bytes, 0, bytes.length, previewLengthMax),
    cutLength: unitsBeyond(bytes, 0, bytes.length, previewLengthMax),
    childCount: 0,
  }
}

function isContainer(json: string | null): boolean {
  return json !== null && /^[[{]/.test(json)
}

/** Whether a change is too long for one row, so that its two values are below it. */
function isSplit({ kind, from, to }: ChangeNode): boolean {
  const isLong = (json: string | null): boolean =>
    json !== null && (json.length > previewLengthMax || isContainer(json))
  return kind === 'changed' && (isLong(from) || isLong(to))
}

/** Nodes by their ids, which are their numbers. */
interface Growing {
  readonly nodes: ChangeNode[]
  add(parent: ChangeNode | null, step: string): ChangeNode
}

function growing(): Growing {
  const nodes: ChangeNode[] = []
  return {
    nodes,
    add(parent, step) {
      const node: ChangeNode = {
        id: nodes.length as NodeId,
        parent,
        step,
        index: parent?.children.length ?? 0,
        children: [],
        kind: null,
        isBroken: false,
        from: null,
        to: null,
        count: 0,
        place: -1,
      }
      nodes.push(node)
      parent?.children.push(node)
      return node
    },
  }
}

const kinds = { add: 'added', remove: 'removed', replace: 'changed', move: 'moved' } as const

function grow(changes: readonly LocatedChange[], broken: ReadonlySet<Change>): readonly ChangeNode[] {
  const { nodes, add } = growing()
  const root = add(null, '')
  /** Children by their container, their step, and whether that is of the first document alone. */
  const known = new Map<string, ChangeNode>()
  for (const { change, steps, beforeFrom } of changes) {
    let node = root
    root.count += 1
    const shown = steps.length === 0 ? [text('compare.whole')] : steps
    for (const [place, step] of shown.entries()) {
      const name = `${node.id} ${place >= beforeFrom ? '-' : '+'}${step}`
      const child = known.get(name) ?? add(node, step)
      known.set(name, child)
      child.count += 1
      node = child
    }
    node.kind = kinds[change.op]
    node.isBroken = broken.has(change)
    node.from = change.from ?? null
    node.to = change.to ?? null
    if (change.op === 'move') node.from = stepsOf(change.pointer)?.at(-1) ?? null
  }
  for (const node of [...nodes]) {
    if (!isSplit(node)) continue
    for (const [name, json] of [
      ['compare.before', node.from],
      ['compare.after', node.to],
    ] as const) {
      const side = add(node, text(name))
      side.to = json
    }
  }
  return nodes
}

/** The changes in the order of the tree. */
function inOrder(root: ChangeNode): readonly ChangeNode[] {
  const found: ChangeNode[] = []
  const left = [root]
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (node.kind !== null) {
      node.place = found.length
      found.push(node)
    } else if (node.children.length === 0 && node.parent?.kind === 'changed') node.place = node.parent.place
    else node.place = found.length - 0.5
    left.push(...[...node.children].reverse())
  }
  return found
}

function treeNodeOf(node: ChangeNode): TreeNode {
  const steps: string[] = []
  for (let at: ChangeNode | null = node; at?.parent != null; at = at.parent)
    if (at.parent.kind !== 'changed') steps.unshift(at.step)
  const isMoved = node.kind === 'moved'
  const json = isMoved ? null : (node.to ?? node.from)
  const isParent = node.children.length > 0
  const value: NodeValue =
    json === null || isParent
      ? { type: 'object', preview: '', cutLength: 0, childCount: 0 }
      : shownValue(json)
  const hasBefore = isMoved || (node.kind === 'changed' && node.from !== null && !isParent)
  const shown = { ...value, childCount: node.children.length }
  const change = {
    kind: node.kind,
    before: hasBefore ? shownValue(node.from ?? '') : null,
    count: node.count,
    ...(node.isBroken ? { breaks: text('compare.breaks') } : {}),
  }
  return {
    ...shown,
    id: node.id,
    key: /^(0|[1-9]\d*)$/.test(node.step) ? Number(node.step) : node.step,
    index: node.index,
    pointer: pointerTo(steps),
    change: { ...change, said: changeText(change, shown) },
  }
}

function pathOf(node: ChangeNode): readonly TreeNode[] {
  const path: TreeNode[] = []
  for (let at: ChangeNode | null = node; at !== null; at = at.parent) path.unshift(treeNodeOf(at))
  return path
}

/** A change that was gone to, its number and the total. */
interface FoundChange {
  readonly node: ChangeNode
  readonly index: number
  readonly total: number
}

/** The changes of two JSON documents as a tree of only the values that contain them. */
export function changeTree(
  placed: readonly LocatedChange[],
  broken: ReadonlySet<Change> = new Set(),
): TreeQueries {
  const nodes = grow(placed, broken)
  const [root] = nodes
  if (root === undefined) throw new RangeError('a tree has a root')
  const changes = inOrder(root)

  const findChange = (from: ChangeNode | undefined, backwards: boolean): FoundChange | null => {
    const node = nextChange(from, backwards)
    return node === undefined ? null : { node, index: node.place, total: changes.length }
  }
  const nextChange = (from: ChangeNode | undefined, backwards: boolean): ChangeNode | undefined => {
    if (from === undefined) return backwards ? changes.at(-1) : changes[0]
    if (backwards) return changes[Math.ceil(from.place) - 1] ?? changes.at(-1)
    return changes[Math.floor(from.place) + 1] ?? changes[0]
  }
  const findMatch = (from: ChangeNode | undefined, wanted: Wanted): FoundChange | null => {
    if (wanted.text === '') return null
    const pattern = wantedPattern(wanted.text, wanted.caseSensitive)
    const matches = changes.filter(({ step, from: before, to }) =>
      [step, before, to].some((one) => {
        pattern.lastIndex = 0
        return one !== null && pattern.test(one)
      }),
    )
    const around =
      from === undefined
        ? null
        : {
            before: matches.filter(({ place }) => place < from.place).length,
            through: matches.filter(({ place }) => place <= from.place).length,
          }
    const index = nextMatch(matches.length, wanted, around)
    const node = matches[index]
    return node === undefined ? null : { node, index, total: matches.length }
  }

  return {
    root: () => ({ ...treeNodeOf(root), key: null }),
    children: (id, from, count) => nodes[id]?.children.slice(from, from + count).map(treeNodeOf) ?? [],
    locate: (pointer) => {
      const node = nodes.find((one) => one.parent !== null && treeNodeOf(one).pointer === pointer)
      return node === undefined ? null : pathOf(node)
    },
    findNode: (wanted, id) => {
      const from = id === null ? undefined : nodes[id]
      const found = wanted.isChange === true ? findChange(from, wanted.backwards) : findMatch(from, wanted)
      if (found === null) return null
      const { node: at, ...match } = found
      const path = pathOf(at)
      return path.map((node, place) => (place === path.length - 1 ? { ...node, match } : node))
    },
    textOf: (id) => {
      const node = nodes[id]
      return spoken(node?.to ?? node?.from ?? '')
    },
  }
}
