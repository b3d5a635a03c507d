import { openBrace, openBracket } from '../../json-bytes/json-bytes.js'
import { createAligner } from '../align.js'
import { createIntMap } from '../int-map.js'
import { walkKeyed } from '../walk-keyed.js'
import { walkRuns } from '../walk-runs.js'
import { createItemKeys } from './item-keys.js'
import { added, type EditLocation, type JsonEdits, moved, removed, replaced, rootPath } from './json-edits.js'
import { childrenOf, firstByte, idsOf, itemAt, itemsOf, type JsonNodes } from './json-nodes.js'
import { ignoredId } from './value-ids.js'
import { createWantedKey } from './wanted-key.js'

/** How edits are looked for. */
export interface EditRules {
  readonly key: string | undefined
  readonly order: boolean
  /** Whether an item that has moved is a move with changes of its own, or else a removal and an addition. */
  readonly moves: boolean
}

/**
 * Adds the edits that turn the first document of these nodes into the second.
 * @returns the members by which items were identified though none was named.
 * @throws CompareError when the key identifies nothing.
 */
export function findJsonEdits(
  nodes: JsonNodes,
  edits: JsonEdits,
  { key, order, moves }: EditRules,
): readonly string[] {
  const { ids, keys, repeating } = nodes
  const byId = createIntMap()
  const aligner = createAligner(byId)
  const itemKeys = createItemKeys(nodes, key, byId)
  const wantedKey = createWantedKey(nodes, edits, key, itemKeys)
  const indexByKey = createIntMap()
  const isIgnored = (item: number): boolean => ids[item] === ignoredId

  /** Compares two values. Documents are not so deep that this could overflow. */
  function compareValues(node: number, newNode: number, place: EditLocation | null): void {
    if (ids[node] === ids[newNode]) return
    const type = firstByte(nodes, node)
    const isSame = type === firstByte(nodes, newNode)
    const path = (): number => (place === null ? rootPath : edits.enter(place))
    if (isSame && type === openBracket) compareArrays(node, newNode, path())
    else if (!isSame || type !== openBrace || !compareObjects(node, newNode, path))
      edits.add(replaced, place, node, newNode)
  }

  /** Says false where only a replacement of the whole turns one object into the other. */
  function compareObjects(object: number, newObject: number, path: () => number): boolean {
    if (repeating.has(object) || repeating.has(newObject)) return false
    const [members, newMembers] = [childrenOf(nodes, object), childrenOf(nodes, newObject)]
    indexByKey.clear()
    for (const [at, child] of newMembers.entries()) indexByKey.set(keys[child] ?? 0, at + 1)
    const partners = members.map((child) => Math.max(0, indexByKey.get(keys[child] ?? 0)))
    const isKept = new Uint8Array(newMembers.length)
    let [kept, last, isOrdered] = [0, 0, true]
    for (const partner of partners) {
      if (partner === 0) continue
      isKept[partner - 1] = 1
      isOrdered &&= partner > last
      last = partner
      kept += 1
    }
    // What has nothing in common is another object; what is added comes last.
    if (kept === 0 && members.length > 0 && newMembers.length > 0) return false
    if (order && !(isOrdered && last === kept)) return false
    const parent = path()
    const locationOf = (child: number): EditLocation => {
      const step = keys[child] ?? 0
      return { parent, isMember: true, step, newStep: step }
    }
    members.forEach((child, at) => {
      const partner = partners[at] ?? 0
      if (partner === 0) edits.add(removed, locationOf(child), child, 0)
      else {
        const newChild = newMembers[partner - 1] ?? 0
        if (ids[child] !== ids[newChild]) compareValues(child, newChild, locationOf(child))
      }
    })
    newMembers.forEach((child, at) => {
      if (isKept[at] === 0) edits.add(added, locationOf(child), 0, child)
    })
    return true
  }

  function compareArrays(array: number, newArray: number, parent: number): void {
    const [items, newItems] = [itemsOf(nodes, array), itemsOf(nodes, newArray)]
    const place = (at: number, newAt: number): EditLocation => ({
      parent,
      isMember: false,
      step: at,
      newStep: newAt,
    })
    const pair = (at: number, newAt: number, isMoved = false): void => {
      const [node, newNode] = [itemAt(items, at), itemAt(newItems, newAt)]
      if (isMoved) edits.add(moved, place(at, newAt), node, newNode)
      if (ids[node] !== ids[newNode] && !isIgnored(node) && !isIgnored(newNode))
        compareValues(node, newNode, place(at, newAt))
    }
    const remove = (at: number, newAt: number): void => {
      const node = itemAt(items, at)
      if (!isIgnored(node)) edits.add(removed, place(at, newAt), node, 0)
    }
    const add = (at: number, newAt: number): void => {
      const node = itemAt(newItems, newAt)
      if (!isIgnored(node)) edits.add(added, place(at, newAt), 0, node)
    }
    const wanted = wantedKey.of(items, newItems, parent)
    const identities = wanted ?? itemKeys.byLikely(items, newItems)
    if (identities === null) {
      const runs = aligner.align(idsOf(nodes, items), idsOf(nodes, newItems))
      walkRuns(runs, items.length, newItems.length, { pair, remove, add })
      return
    }
    const { keys: itemIds, newKeys } = identities
    const runs = aligner.align(itemIds, newKeys)
    const same = (at: number, newAt: number, length: number): void => {
      for (let offset = 0; offset < length; offset += 1) pair(at + offset, newAt + offset)
    }
    const walk = (): void => {
      if (moves) walkKeyed(runs, itemIds, newKeys, byId, { pair, remove, add })
      else walkRuns(runs, items.length, newItems.length, { same, remove, add })
    }
    if (wanted === null) walk()
    else wantedKey.inside(walk)
  }

  compareValues(0, nodes.secondNode, null)
  wantedKey.end()
  return itemKeys.guessed()
}
